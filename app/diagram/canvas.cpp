// The canvas: the model as one picture that is zoomed from the whole to a single cell, with its header, and the
// overview strip below.
#include <algorithm>
#include <cmath>

#include "app/diagram/view.hpp"
#include "app/state/in_view.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/rich_text.hpp"

namespace headcount {

namespace {

std::shared_ptr<const RunNext> known_next(const RunPage& page) { return has_answered(page) ? page.next : nullptr; }

}  // namespace

DiagramOf::DiagramOf(const Session& session)
    : shown(session),
      view(session.view),
      run(session.running.shown),
      next(known_next(session.running)),
      step(current_step(session)),
      edits(Edits{session.edit ? &*session.edit : nullptr, session.dragging,
                  !session.run && view.workspace == explore_view && !view.show.presenting && view.hidden.empty()}) {}

CanvasView& canvas_of(const Ui& ui, const DiagramOf& diagram) {
    return kept<CanvasView>(ui, "canvas." + diagram.view.workspace);
}

Result<DiagramOf> diagram_in_view(const Session& session) {
    if (!shows_diagram(session)) return no_diagram(session.view);
    if (!shows_another(session)) return DiagramOf(session);
    const Shown& model = model_in_view(session);
    const std::optional<Shown>& runs = session.running.drawn;
    if (!runs || &model != &*runs) return DiagramOf(model, session.view);
    DiagramOf of(model, session.view, session.running.shown);
    of.next = known_next(session.running);
    return of;
}

Error no_diagram(const View& view) {
    return {"there is no diagram to be written as SVG", "the view \"" + view.workspace + "\"",
            "choose a view that shows one diagram, such as explore, or a picture as PNG"};
}

void say_no_room(const Ui& ui) {
    constexpr std::string_view words = "No room for the diagram. Make the window larger.";
    const ImVec2 min = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    const float margin = std::round(ui.px(canvas_margin)), width = std::max(extent.x - 2 * margin, 1.0F);
    const ImVec2 room = wrapped_extent(ui.fonts.body, words, width);
    const ImVec2 at(min.x + margin, min.y + std::max(0.0F, std::round((extent.y - room.y) / 2)));
    draw_wrapped(*ImGui::GetWindowDrawList(), ui.fonts.body, at, ui.theme.text_mid, words, width);
    ui.recorder.record("canvas.no_room", at, at + room);
}

Intents draw_canvas(const Ui& ui, const DiagramOf& diagram, const ScenePainter& painter) {
    const ImVec2 min = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    CanvasView& canvas = canvas_of(ui, diagram);
    canvas.painter = painter;
    canvas.escape_taken = diagram.escape_taken || refused_in_sight(ui);
    canvas.ribbon = diagram.edits ? follow_edits(ui, diagram, *diagram.edits, canvas.escape_taken) : nullptr;
    // To a class the model alone is shown. Where there is little room, what is below the diagram gives way to it, and
    // then what is above.
    const bool alone = diagram.view.show.presenting;
    float above = alone ? canvas_margin : canvas_header, below = alone ? canvas_margin : canvas_strip + 8;
    for (float* const side : {&below, &above})
        if (!diagram.strip_taken && extent.y - ui.px(above + below) < ui.px(least_canvas_height)) *side = canvas_margin;
    const bool header = above > canvas_margin, strip = below > canvas_margin;
    // In whole pixels.
    const Point corner{std::round(min.x + ui.px(canvas_margin)), std::round(min.y + ui.px(above))};
    const float width = std::round(extent.x - diagram.taken - 2 * ui.px(canvas_margin));
    const float height = std::round(extent.y - ui.px(above + below));
    if (!has_room(ui, width, height)) {
        say_no_room(ui);
        return {};
    }
    canvas.area = {corner, {corner.x + width, corner.y + height}};
    lay_out_canvas(ui, diagram, canvas);
    Intents asked;
    canvas.corners = {};
    const std::optional<Camera> camera = strip ? press_canvas_corners(ui, diagram, canvas, asked) : std::nullopt;
    if (camera) move_to(ui, canvas, *camera);
    Intents intents = steer_canvas(ui, diagram, canvas);
    compose_canvas(ui, diagram, canvas);
    show_canvas(ui, canvas);
    explain_hit(ui, diagram, canvas);
    if (alone) return intents;
    if (strip) draw_canvas_corners(ui, diagram, canvas);
    if (const std::optional<Stop> stop = header ? draw_canvas_header(ui, diagram, canvas) : std::nullopt)
        move_to(ui, canvas, camera_at(*stop, canvas.atlas, canvas.lens(), ui.scale));
    const auto append = [&](Intents more) {
        for (Intent& intent : more) intents.push_back(std::move(intent));
    };
    append(std::move(asked));
    append(draw_canvas_menu(ui, diagram, canvas));
    if (strip && !diagram.strip_taken)
        append(draw_canvas_strip(ui, diagram, canvas, {min.x, min.y + extent.y - ui.px(canvas_strip)}, extent.x));
    return intents;
}

}  // namespace headcount
