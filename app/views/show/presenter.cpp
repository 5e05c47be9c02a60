// Lays the presenter's window out and calls its panels.
#include "app/views/show/presenter.hpp"

#include <algorithm>
#include <cmath>

#include "app/diagram/panels.hpp"
#include "app/parts/caption.hpp"
#include "app/views/show/panels.hpp"

namespace headcount {
namespace {

constexpr float line = 1;
constexpr float bar_height = 40, breakdown_part = 0.337F, least_breakdown = 256, most_breakdown = 380;  // design pixels
constexpr float breakdown_padding = 20, least_canvas_beside = 360;  // beside which the breakdown has room
constexpr float enlargement = 1.6F, design_width = 1600, design_height = 1000;
// Where it still has room for everything.
constexpr float presenter_width = 840, presenter_height = 500;

}  // namespace

PresenterLayout presenter_layout(ImVec2 display, float scale, float caption_height) {
    const float width = std::max(display.x, 8 * line), height = std::max(display.y, 8 * line);
    const float top = std::min(std::round(bar_height * scale), std::floor(height / 4));
    const float bottom = height - std::clamp(std::round(caption_height), 1.0F, std::floor(height / 3));
    const float share = std::clamp(width * breakdown_part, least_breakdown * scale, most_breakdown * scale);
    const bool beside = width - share >= least_canvas_beside * scale;
    const float right = width - (beside ? std::round(share) : 0);
    return {
        .bar = {{0, 0}, {width, top}},
        .canvas = {{0, top + line}, {right - (beside ? line : 0), bottom - line}},
        .breakdown = {{right, top + line}, {width, bottom - line}},
        .caption = {{0, bottom}, {width, height}},
    };
}

float presenter_scale(ImVec2 display, float density) {
    const float larger = std::min(display.x / density / design_width, display.y / density / design_height);
    constexpr float steps = 20;
    return std::floor(enlargement * std::max(1.0F, larger) * steps + 0.01F) / steps;
}

float largest_presenter_scale(ImVec2 display) {
    constexpr float steps = 20, tolerance = 0.001F;
    const float room = std::min(display.x / presenter_width, display.y / presenter_height);
    return std::max(1.0F, std::floor(room * steps + tolerance) / steps);
}

Area draw_presenter(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const PresenterLayout layout = presenter_layout(display, ui.scale, caption_height(ui, frame.session, display.x));
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const auto& [from, to] :
         {std::pair(ImVec2(0, layout.bar.max.y), ImVec2(display.x, layout.canvas.min.y)),
          {ImVec2(layout.canvas.max.x, layout.canvas.min.y), ImVec2(layout.breakdown.min.x, layout.canvas.max.y)},
          {ImVec2(0, layout.canvas.max.y), ImVec2(display.x, layout.caption.min.y)}})
        list.AddRectFilled(from, to, ui.theme.line);
    const ImU32 panel = ui.theme.panel;
    draw_panel(frame, {"presenter_bar", layout.bar, panel, {}, still_panel}, draw_presenter_bar);
    draw_panel(frame, {"canvas", layout.canvas, ui.theme.canvas, {}, still_panel},
               [&](const Ui& on, const Session& of) { return draw_own_canvas(on, of, frame.painter); });
    draw_panel(frame,
               {"large_breakdown", layout.breakdown, panel, ImVec2(breakdown_padding, breakdown_padding), still_panel},
               draw_large_breakdown);
    draw_panel(frame, {"caption", layout.caption, panel, {}, still_panel}, draw_caption);
    return layout.canvas;
}

}  // namespace headcount
