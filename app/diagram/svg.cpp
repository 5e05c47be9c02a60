// The diagram by itself: the drawing of the screen without what belongs to the pointer, and that as an SVG document.
#include "app/canvas/svg/svg.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/diagram/view.hpp"
#include "app/ui/veil.hpp"
#include "core/base/svg_text.hpp"

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

std::string written(const Ui& ui, const DiagramOf& diagram, const Drawing& drawing, bool ground) {
    const About about(total_key);
    SvgLook look{.title = title_of(diagram.shown.document),
                 .description = covered_text(total_text(diagram.shown.derived)) +
                                " parameters. Drawn by Headcount: the sides of each " +
                                "rectangle are the rows and columns of a matrix" +
                                (diagram.shown.look.log_sides ? ", by their logarithm." : ", to scale."),
                 .ground = ground ? ui.theme.canvas : 0,
                 .fonts = {}};
    for (const TextRole role : {TextRole::title, TextRole::name, TextRole::number, TextRole::caption})
        look.fonts[static_cast<std::size_t>(role)] = svg_font(ui.fonts, role);
    return svg_of(drawing, look);
}

std::string pixels(float length) { return std::to_string(std::lround(length)); }

// A document has no buttons and no map in its corners for which a page would leave room.
Camera camera_in_document(const Stop& stop, const CanvasView& canvas, float unit) {
    if (stop.kind == Stop::Kind::block) return fitted(stop.rect, canvas.area, 0);
    return camera_at(stop, canvas.atlas, canvas.lens(), unit);
}

// What of the area the place takes, with some room around it, in whole pixels; all of it where it is no less.
Rect screen_of(const Ui& ui, const CanvasView& canvas, const Stop& place, const Rect& area) {
    const Lens lens = canvas.lens();
    const Rect whole = around(lens.project(place.rect.min), lens.project(place.rect.max)).grown(ui.px(canvas_margin));
    const Rect seen{{std::max(area.min.x, std::floor(whole.min.x)), std::max(area.min.y, std::floor(whole.min.y))},
                    {std::min(area.max.x, std::ceil(whole.max.x)), std::min(area.max.y, std::ceil(whole.max.y))}};
    return seen.width() < 1 || seen.height() < 1 ? area : seen;
}

// The same picture, of which this part of the screen is left; from (0, 0) on.
void cut_to(CanvasView& canvas, const Rect& part) {
    const Point from = canvas.area.centre(), to = part.centre();
    canvas.camera.x += static_cast<double>(to.x - from.x) / canvas.camera.zoom;
    canvas.camera.y += static_cast<double>(to.y - from.y) / canvas.camera.zoom;
    canvas.area = {{0, 0}, {part.width(), part.height()}};
}

Still composed(const Ui& ui, const DiagramOf& diagram, CanvasView canvas) {
    canvas.seen = seen_pages(canvas.atlas, canvas.lens());
    canvas.composed.reset();
    compose_canvas(ui, diagram, canvas);
    const ImVec2 extent(canvas.area.width(), canvas.area.height());
    return {std::make_shared<CanvasView>(std::move(canvas)), extent};
}

}  // namespace

Result<Still> still_diagram(const Ui& ui, const DiagramOf& diagram, bool crop) {
    const CanvasView& canvas = canvas_of(ui, diagram);
    if (canvas.atlas.pages.empty()) return Error{"the window has no room for the diagram", "", "make it larger"};
    return still_of(ui, diagram, canvas, crop);
}

Still still_of(const Ui& ui, const DiagramOf& diagram, CanvasView canvas, bool crop) {
    canvas.token.reset();
    canvas.hover = Subject{};
    canvas.pointed.reset();
    // With the room around it that it has on the screen.
    const Rect area = canvas.area.grown(std::round(ui.px(canvas_margin)));
    const bool cut = crop && canvas.camera.flat();
    const Rect part =
        cut ? screen_of(ui, canvas, way_here(canvas.atlas, canvas.lens(), canvas.seen).back(), area) : area;
    cut_to(canvas, part);
    return composed(ui, diagram, std::move(canvas));
}

Result<Still> still_diagram(const Ui& ui, const DiagramOf& diagram, ImVec2 extent, bool crop) {
    CanvasView canvas;
    // Laid out and gone to within the margins that the canvas has on the screen, seen to the border of the picture.
    const float margin = ui.px(canvas_margin);
    if (!has_room(ui, extent.x - 2 * margin, extent.y - 2 * margin)) {
        const auto least = [&](float side) { return pixels(ui.px(side) + 2 * margin); };
        return Error{"the diagram has no room in " + pixels(extent.x) + " × " + pixels(extent.y) + " pixels", "",
                     "give it " + least(least_canvas_width) + " × " + least(least_canvas_height) + " or more"};
    }
    canvas.area = {{margin, margin}, {extent.x - margin, extent.y - margin}};
    lay_out_canvas(ui, diagram, canvas);
    const std::optional<Stop> stop = stop_at(canvas.atlas, diagram.shown.look.asked_for);
    if (stop) canvas.camera = camera_in_document(*stop, canvas, ui.scale);
    canvas.area = {{0, 0}, {extent.x, extent.y}};
    if (crop && stop) cut_to(canvas, screen_of(ui, canvas, *stop, canvas.area));
    return composed(ui, diagram, std::move(canvas));
}

void draw_still(const Ui& ui, const Still& still, ImDrawList& list, const ScenePainter& painter) {
    still.canvas->painter = painter;
    draw_picture(ui, *still.canvas, list);
}

std::string svg_of(const Ui& ui, const DiagramOf& diagram, Still still, bool ground) {
    CanvasView& canvas = *still.canvas;
    if (!canvas.camera.flat()) {
        const Stop place = way_here(canvas.atlas, canvas.lens(), canvas.seen).back();
        canvas.camera.tilt = canvas.camera.turn = 0;
        canvas.camera = camera_at(place, canvas.atlas, canvas.lens(), ui.scale);
        still = composed(ui, diagram, std::move(canvas));
    }
    for (PlacedLabel& label : still.canvas->drawing.labels) {
        const About about(key_of(label), label.text);
        std::string covered = covered_text(label.text);
        if (covered == label.text) continue;
        const Font& font = font_of(ui.fonts, label.role);
        const float width = label.width * text_width(font, covered) / text_width(font, label.text);
        label.at.x += (label.width - width) / 2;
        label.width = width;
        label.text = std::move(covered);
    }
    return written(ui, diagram, still.canvas->drawing, ground);
}

Result<std::string> canvas_svg(const Ui& ui, const DiagramOf& diagram, bool crop) {
    Result<Still> still = still_diagram(ui, diagram, crop);
    return still ? svg_of(ui, diagram, *std::move(still)) : Result<std::string>(still.error());
}

Result<std::string> canvas_svg(const Ui& ui, const DiagramOf& diagram, ImVec2 extent) {
    Result<Still> still = still_diagram(ui, diagram, extent);
    return still ? svg_of(ui, diagram, *std::move(still)) : Result<std::string>(still.error());
}

}  // namespace headcount
