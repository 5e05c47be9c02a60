// The canvas: the model as one picture that is zoomed from the whole to a single cell, with its header, and the
// overview strip below.
#include <algorithm>
#include <cmath>

#include "app/panels/canvas_view.hpp"

namespace headcount {
namespace {

constexpr float least_extent = 64;  // pixels

}  // namespace

Intents draw_canvas(const Ui& ui, const Session& session, const ScenePainter& painter) {
    const ImVec2 min = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
    CanvasView& canvas = kept<CanvasView>(ui, "canvas");
    canvas.painter = painter;
    // In whole pixels, and something even in a window that has no room.
    const Point corner{std::round(min.x + ui.px(canvas_margin)), std::round(min.y + ui.px(canvas_header))};
    const float width = std::round(extent.x - 2 * ui.px(canvas_margin));
    const float height = std::round(extent.y - ui.px(canvas_header + canvas_strip + 8));
    canvas.area = {corner, {corner.x + std::max(width, least_extent), corner.y + std::max(height, least_extent)}};
    lay_out_canvas(ui, session, canvas);
    Intents asked;
    const std::optional<Camera> camera = press_canvas_corners(ui, session, canvas, asked);
    if (camera) move_to(ui, canvas, *camera);
    Intents intents = steer_canvas(ui, session, canvas);
    compose_canvas(ui, session, canvas);
    show_canvas(ui, canvas);
    draw_canvas_corners(ui, session, canvas);
    if (const std::optional<Stop> stop = draw_canvas_header(ui, session, canvas))
        move_to(ui, canvas, camera_at(*stop, canvas.atlas, canvas.lens(), ui.scale));
    const auto append = [&](Intents more) {
        for (Intent& intent : more) intents.push_back(std::move(intent));
    };
    append(std::move(asked));
    append(draw_canvas_menu(ui, session, canvas));
    append(draw_canvas_strip(ui, session, canvas, {min.x, min.y + extent.y - ui.px(canvas_strip)}, extent.x));
    return intents;
}

}  // namespace headcount
