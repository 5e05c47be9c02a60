// Opens a panel's window, fills it and closes it.
#include "app/parts/panel_frame.hpp"

#include <cmath>
#include <iterator>

#include "app/parts/panel_cache.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/ui/imgui_drawing.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/made_for.hpp"

namespace headcount {
namespace {

constexpr ImGuiWindowFlags window_flags =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus;

}  // namespace

void append(Intents& all, Intents more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void line_between(const Ui& ui, ImVec2 min, ImVec2 max) {
    ImGui::GetBackgroundDrawList()->AddRectFilled(min, max, ui.theme.line);
}

void draw_panel(const PanelFrame& frame, const PanelPlace& place, const DrawPanel& draw) {
    const Ui& ui = frame.ui;
    if (place.area.empty()) return;
    if (frame.cache && frame.cache->keep(ui, place.name, place.area)) return;
    PanelCache::Watch watch(frame.cache, ui, place.name, place.area);
    const ImVec2 padding(std::round(ui.px(place.padding.x)), std::round(ui.px(place.padding.y)));
    ImGui::SetNextWindowPos(place.area.min);
    ImGui::SetNextWindowSize(place.area.max - place.area.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, place.fill);
    ImGui::Begin(place.name, nullptr, window_flags | place.flags);
    // At once, so that what opens inside does not inherit them.
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    watch.window_is_open();
    compat::refine_edges(*ImGui::GetWindowDrawList(), ImGui::GetIO().DisplayFramebufferScale.x);
    ui.recorder.record("panel", place.name, place.area.min, place.area.max);
    // A scrollbar stands in the padding, so that nothing moves when one comes.
    const float bar = compat::scrollbar_width();
    compat::narrow_content(-bar);
    ImGui::PushClipRect(place.area.min, ImVec2(place.area.max.x - bar, place.area.max.y), bar == 0);
    {
        const MadeFor made_for(ui, [&] { return frame.made_for ? frame.made_for(frame.session) : ""; });
        append(frame.intents, draw(ui, frame.session));
    }
    ImGui::PopClipRect();
    if (place.height_id) remember_height(ui, place.height_id, ImGui::GetCursorPosY() + padding.y);
    ImGui::End();
}

}  // namespace headcount
