// Opens the windows of the Explore view and calls its panels.
#include "app/shell/explore.hpp"

#include <cmath>
#include <iterator>

#include "app/panels/panels.hpp"
#include "app/shell/explore_layout.hpp"
#include "app/shell/heights.hpp"
#include "app/shell/overlays.hpp"
#include "app/shell/shortcuts.hpp"

namespace headcount {
namespace {

constexpr ImGuiWindowFlags window_flags =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus;
constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

// What names a remembered height. Items have hashes for IDs, so small numbers are free.
constexpr ImGuiID breakdown_height = 1;
constexpr float breakdown_guess = 252;  // a title, five rows of the legend, padding: right in nearly every first frame

using DrawPanel = Intents (*)(const Ui&, const Session&);

struct Place {
    const char* name;
    Area area;
    ImU32 fill = 0;
    ImVec2 padding = {};  // unscaled
    ImGuiWindowFlags flags = 0;
};

void append(Intents& all, Intents more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Fills one window with one panel. Returns how high the content was, padding included.
float draw_panel(const Ui& ui, const Session& session, const Place& place, DrawPanel draw, Intents& intents) {
    const ImVec2 padding(std::round(ui.px(place.padding.x)), std::round(ui.px(place.padding.y)));
    ImGui::SetNextWindowPos(place.area.min);
    ImGui::SetNextWindowSize(place.area.max - place.area.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, place.fill);
    ImGui::Begin(place.name, nullptr, window_flags | place.flags);
    // At once, so that what opens inside does not inherit them.
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ui.recorder.record("panel", place.name, place.area.min, place.area.max);
    append(intents, draw(ui, session));
    const float height = ImGui::GetCursorPosY() + padding.y;
    ImGui::End();
    return height;
}

// Lines between the panels, behind them: the windows leave a pixel free.
void draw_lines(const Ui& ui, const ExploreLayout& layout) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const auto line = [&](float left, float top, float right, float bottom) {
        list.AddRectFilled(ImVec2(left, top), ImVec2(right, bottom), ui.theme.line);
    };
    const Area& canvas = layout.canvas;
    const float bottom = layout.tables.max.y, width = layout.top_bar.max.x;
    line(0, layout.top_bar.max.y, width, canvas.min.y);
    line(layout.architecture.max.x, canvas.min.y, canvas.min.x, bottom);
    line(canvas.max.x, canvas.min.y, layout.breakdown.min.x, bottom);
    line(canvas.min.x, canvas.max.y, canvas.max.x, layout.tables.min.y);
    line(layout.breakdown.min.x, layout.breakdown.max.y, width, layout.inspector.min.y);
}

}  // namespace

Intents draw_explore(const Ui& ui, const Session& session) {
    Intents intents;
    const float breakdown = known_height(ui, breakdown_height, ui.px(breakdown_guess));
    const ExploreLayout layout = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, breakdown);
    const Theme& theme = ui.theme;
    const ImVec2 padded(size::panel_padding, size::panel_padding);
    const ImVec2 sides(size::panel_padding, 0);
    draw_lines(ui, layout);
    draw_panel(ui, session, {"top_bar", layout.top_bar, theme.panel, sides, still}, draw_top_bar, intents);
    draw_panel(ui, session, {"architecture", layout.architecture, theme.panel, padded}, draw_architecture, intents);
    draw_panel(ui, session, {"canvas", layout.canvas, theme.canvas, {}, still}, draw_canvas, intents);
    draw_panel(ui, session, {"tables", layout.tables, theme.panel, {}, still}, draw_tables, intents);
    const Place above{"breakdown", layout.breakdown, theme.panel, padded};
    remember_height(ui, breakdown_height, draw_panel(ui, session, above, draw_breakdown, intents));
    draw_panel(ui, session, {"inspector", layout.inspector, theme.panel, padded}, draw_inspector, intents);
    if (session.view.help) append(intents, draw_help_sheet(ui, session));
    if (!session.view.notice.empty()) draw_notice(ui, session.view.notice, layout.canvas);
    append(intents, pressed_shortcuts(session, intents));
    return intents;
}

}  // namespace headcount
