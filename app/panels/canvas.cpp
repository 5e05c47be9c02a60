// The canvas: the model as one picture that is zoomed from the whole to a single cell, with its header, and the
// overview strip below.
#include "app/panels/canvas_view.hpp"

namespace headcount {

Intents draw_canvas(const Ui& ui, const Session& session, const ScenePainter& painter) {
    const ImVec2 min = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    CanvasView& canvas = kept<CanvasView>(ui, "canvas");
    canvas.painter = painter;
    canvas.area = {{min.x + ui.px(canvas_margin), min.y + ui.px(canvas_header)},
                   {min.x + extent.x - ui.px(canvas_margin), min.y + extent.y - ui.px(canvas_strip + 8)}};
    lay_out_canvas(ui, session, canvas);
    if (const std::optional<Camera> camera = press_canvas_corners(ui, canvas)) move_to(ui, canvas, *camera);
    Intents intents = steer_canvas(ui, session, canvas);
    compose_canvas(ui, session, canvas);
    show_canvas(ui, canvas);
    draw_canvas_corners(ui, canvas);
    if (const std::optional<Stop> stop = draw_canvas_header(ui, session, canvas))
        move_to(ui, canvas, camera_at(*stop, canvas.atlas, canvas.lens(), ui.scale));
    const auto append = [&](Intents more) {
        for (Intent& intent : more) intents.push_back(std::move(intent));
    };
    append(draw_canvas_menu(ui, session, canvas));
    append(draw_canvas_strip(ui, session, {min.x, min.y + extent.y - ui.px(canvas_strip)}, extent.x));
    return intents;
}

}  // namespace headcount
