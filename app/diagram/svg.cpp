// The canvas as an SVG document: the drawing of the screen without what belongs to the pointer.
#include "app/canvas/svg/svg.hpp"

#include <cmath>

#include "app/diagram/view.hpp"
#include "app/ui/veil.hpp"
#include "core/base/svg_text.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

SvgFont svg_font(const Fonts& fonts, TextRole role) {
    const Font& font = font_of(fonts, role);
    const bool mono = role == TextRole::number, bold = role == TextRole::title || role == TextRole::name;
    return {.families = std::string(mono ? svg::mono_families : svg::word_families),
            .size = font.em,
            .weight = bold ? 600 : 400,
            .ascent = ascent(font)};
}

std::string written(const Ui& ui, const DiagramOf& of, const Drawing& drawing) {
    const Counted& shown = of.counted();
    const About about(total_key);
    SvgLook look{.title = title_of(of.shown.document),
                 .description = covered_text(grouped(shown.parameters.total)) +
                                " parameters. Drawn by Headcount: the sides of each " +
                                "rectangle are the rows and columns of a matrix" +
                                (of.shown.look.log_sides ? ", by their logarithm." : ", to scale."),
                 .ground = ui.theme.canvas,
                 .fonts = {}};
    for (const TextRole role : {TextRole::title, TextRole::name, TextRole::number, TextRole::caption})
        look.fonts[static_cast<std::size_t>(role)] = svg_font(ui.fonts, role);
    return svg_of(drawing, look);
}

std::string pixels(float length) {
    return std::to_string(std::lround(length));
}

// A document has no buttons and no map in its corners for which a page would leave room.
Camera camera_in_document(const Stop& stop, const CanvasView& canvas, float unit) {
    if (stop.kind == Stop::Kind::block) return fitted(stop.rect, canvas.area, 0);
    return camera_at(stop, canvas.atlas, canvas.lens(), unit);
}

}  // namespace

Result<std::string> canvas_svg(const Ui& ui, const DiagramOf& of) {
    const CanvasView& canvas = canvas_of(ui, of);
    if (canvas.atlas.pages.empty()) return Error{"the window has no room for the diagram", "", "make it larger"};
    return canvas_svg(ui, of, canvas);
}

std::string canvas_svg(const Ui& ui, const DiagramOf& of, CanvasView canvas) {
    canvas.token.reset();
    canvas.hover = Subject{};
    canvas.pointed.reset();
    if (!canvas.camera.flat()) {
        const Stop place = way_here(canvas.atlas, canvas.lens(), canvas.seen).back();
        canvas.camera.tilt = canvas.camera.turn = 0;
        canvas.camera = camera_at(place, canvas.atlas, canvas.lens(), ui.scale);
    }
    canvas.seen = seen_pages(canvas.atlas, canvas.lens());
    compose_canvas(ui, of, canvas);
    for (PlacedLabel& label : canvas.drawing.labels) {
        const About about(key_of(label));
        label.text = covered_text(label.text);
    }
    return written(ui, of, canvas.drawing);
}

Result<std::string> canvas_svg(const Ui& ui, const DiagramOf& of, ImVec2 extent) {
    CanvasView canvas;
    // Laid out and gone to within the margins that the canvas has on the screen, seen to the border of the document.
    const float margin = ui.px(canvas_margin);
    if (!has_room(ui, extent.x - 2 * margin, extent.y - 2 * margin)) {
        const auto least = [&](float side) { return pixels(ui.px(side) + 2 * margin); };
        return Error{"the diagram has no room in " + pixels(extent.x) + " × " + pixels(extent.y) + " pixels", "",
                     "give it " + least(least_canvas_width) + " × " + least(least_canvas_height) + " or more"};
    }
    canvas.area = {{margin, margin}, {extent.x - margin, extent.y - margin}};
    lay_out_canvas(ui, of, canvas);
    if (const std::optional<Stop> stop = stop_at(canvas.atlas, of.shown.look.asked_for))
        canvas.camera = camera_in_document(*stop, canvas, ui.scale);
    canvas.area = {{0, 0}, {extent.x, extent.y}};
    canvas.seen = seen_pages(canvas.atlas, canvas.lens());
    compose_canvas(ui, of, canvas);
    return written(ui, of, canvas.drawing);
}

}  // namespace headcount
