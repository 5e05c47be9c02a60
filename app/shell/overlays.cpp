// The help sheet's window and the notice.
#include "app/shell/overlays.hpp"

#include <algorithm>
#include <cmath>

#include "app/panels/panels.hpp"
#include "app/shell/heights.hpp"
#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

constexpr ImGuiID help_height = 2;  // see breakdown_height in explore.cpp
constexpr float help_width = 1104, help_guess = 520, help_padding = 24, help_margin = 32;
constexpr float help_inset = 6;  // keeps the scrollbar off the border
constexpr float notice_width = 560, notice_margin = 16;

Area help_area(const Ui& ui, ImVec2 display) {
    const float margin = ui.px(help_margin);
    const float width = std::clamp(display.x - 2 * margin, 1.0F, ui.px(help_width));
    const float wanted = known_height(ui, help_height, ui.px(help_guess));
    const float height = std::clamp(display.y - 2 * margin, 1.0F, wanted);
    const ImVec2 min(std::round((display.x - width) / 2), std::round((display.y - height) / 2));
    return {min, min + ImVec2(std::round(width), std::round(height))};
}

void draw_sheet(const Ui& ui, const Area& area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float radius = ui.px(size::radius_card);
    list.AddRectFilled(area.min, area.max, ui.theme.panel, radius);
    list.AddRect(area.min, area.max, ui.theme.strong_line, radius);
    ui.recorder.record("panel.help", area.min, area.max);
}

Intents fill_sheet(const Ui& ui, const Session& session, const Area& area) {
    const float inset = std::round(ui.px(help_inset)), padding = std::round(ui.px(help_padding)) - inset;
    const ImVec2 in(inset, inset);
    ImGui::SetCursorScreenPos(area.min + in);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(padding, padding));
    compat::begin_child("sheet", area.max - area.min - in - in, true, true, 0);
    ImGui::PopStyleVar();
    Intents intents = draw_help(ui, session);
    remember_height(ui, help_height, ImGui::GetCursorPosY() + padding + 2 * inset);
    ImGui::EndChild();
    return intents;
}

}  // namespace

Intents draw_help_sheet(const Ui& ui, const Session& session) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(display);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(ui.theme.canvas, 0.7F));
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    const bool appearing = ImGui::IsWindowAppearing();
    if (appearing) ImGui::SetWindowFocus();
    ui.memory.tab_stops.clear();  // Tab stays in the sheet

    const Area area = help_area(ui, display);
    draw_sheet(ui, area);
    Intents intents = fill_sheet(ui, session, area);
    const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsWindowHovered() &&
                        !ImGui::IsMouseHoveringRect(area.min, area.max, false);
    if (beside && !appearing) intents.push_back(ShowHelp{false});
    ImGui::End();
    return intents;
}

void draw_notice(const Ui& ui, std::string_view notice, const Area& area) {
    const Font& font = ui.fonts.body;
    const ImVec2 padding(std::round(ui.px(16)), std::round(ui.px(10)));
    const float margin = ui.px(notice_margin);
    const float most = std::max(ui.px(80), std::min(ui.px(notice_width), area.width() - 2 * (margin + padding.x)));
    const char* const end = notice.data() + notice.size();
    const ImVec2 text = font.face->CalcTextSizeA(font.size, FLT_MAX, most, notice.data(), end);
    const ImVec2 extent = text + padding + padding;
    const ImVec2 min(std::round((area.min.x + area.max.x - extent.x) / 2), std::round(area.max.y - margin - extent.y));
    const ImVec2 max(std::round(min.x + extent.x), std::round(min.y + extent.y));

    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const float radius = ui.px(size::radius_button);
    const ImVec2 down(0, ui.px(3));
    list.AddRectFilled(min + down, max + down, ui.theme.shadow, radius);
    list.AddRectFilled(min, max, ui.theme.dark ? ui.theme.raised : ui.theme.panel, radius);
    list.AddRect(min, max, ui.theme.strong_line, radius);
    list.AddText(font.face, font.size, min + padding, ui.theme.text_high, notice.data(), end, most);
    ui.recorder.record("notice", min, max);
}

}  // namespace headcount
