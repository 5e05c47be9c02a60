// Opens the windows of the Explore view and calls its panels.
#include "app/shell/explore.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "app/panels/panels.hpp"
#include "app/shell/explore_layout.hpp"
#include "app/shell/heights.hpp"
#include "app/shell/overlays.hpp"
#include "app/shell/panel_cache.hpp"
#include "app/shell/shortcuts.hpp"
#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

constexpr ImGuiWindowFlags window_flags =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNavFocus;
constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

// What names a remembered height. Items have hashes for IDs, so small numbers are free.
constexpr ImGuiID breakdown_height = 1;
constexpr float breakdown_guess = 252;  // a title, five rows of the legend, padding: right in nearly every first frame

using DrawPanel = std::function<Intents(const Ui&, const Session&)>;

struct PanelPlace {
    const char* name;
    Area area;
    ImU32 fill = 0;
    ImVec2 padding = {};  // unscaled
    ImGuiWindowFlags flags = 0;
    ImGuiID height_id = 0;  // of the content's height, where the layout asks for it
};

void append(Intents& all, Intents more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

struct PanelFrame {
    const Ui& ui;
    const Session& session;
    PanelCache* cache;
    Intents& intents;
};

// Fills one window with one panel, unless it stays as it was.
void draw_panel(const PanelFrame& frame, const PanelPlace& place, const DrawPanel& draw) {
    const Ui& ui = frame.ui;
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
    ui.recorder.record("panel", place.name, place.area.min, place.area.max);
    // A scrollbar stands in the padding, so that nothing moves when one comes.
    const float bar = compat::scrollbar_width();
    compat::narrow_content(-bar);
    ImGui::PushClipRect(place.area.min, ImVec2(place.area.max.x - bar, place.area.max.y), bar == 0);
    append(frame.intents, draw(ui, frame.session));
    ImGui::PopClipRect();
    if (place.height_id) remember_height(ui, place.height_id, ImGui::GetCursorPosY() + padding.y);
    ImGui::End();
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

// Whether what lies over everything closes. Otherwise ImGui would hand the keyboard to whichever panel it finds next.
bool closes(const Intents& intents, const View& view) {
    return std::any_of(intents.begin(), intents.end(), [&](const Intent& intent) {
        const auto* show = std::get_if<ShowHelp>(&intent);
        const auto* ask = std::get_if<AskForFile>(&intent);
        const bool taken = std::holds_alternative<OpenFile>(intent) || std::holds_alternative<WriteFile>(intent) ||
                           std::holds_alternative<WritePicture>(intent);
        return (view.help && show && !show->shown) || (view.task && ((ask && !ask->task) || taken));
    });
}

}  // namespace

Intents draw_explore(const Ui& ui, const Session& session, PanelCache* cache, float most, const ScenePainter& painter) {
    Intents intents;
    const PanelFrame frame{ui, session, cache, intents};
    const float breakdown = known_height(ui, breakdown_height, ui.px(breakdown_guess));
    const ExploreLayout layout = explore_layout(ImGui::GetIO().DisplaySize, ui.scale, breakdown);
    const ImU32 panel = ui.theme.panel;
    const ImVec2 padded(size::panel_padding, size::panel_padding);
    const ImVec2 sides(size::panel_padding, 0);
    if (cache) cache->begin_frame(ui, session);
    draw_lines(ui, layout);
    draw_panel(frame, {"top_bar", layout.top_bar, panel, sides, still}, draw_top_bar);
    draw_panel(frame, {"architecture", layout.architecture, panel, padded}, draw_architecture);
    draw_panel(frame, {"canvas", layout.canvas, ui.theme.canvas, {}, still},
               [&](const Ui& on, const Session& of) { return draw_canvas(on, of, painter); });
    draw_panel(frame, {"tables", layout.tables, panel, {}, still}, draw_tables);
    draw_panel(frame, {"breakdown", layout.breakdown, panel, padded, 0, breakdown_height}, draw_breakdown);
    draw_panel(frame, {"inspector", layout.inspector, panel, padded}, draw_inspector);
    if (session.view.help) append(intents, draw_help_sheet(ui, session));
    if (session.view.task) append(intents, draw_file_sheet(ui, session));
    Area below = layout.canvas;
    const bool over = session.view.help || session.view.task;
    if (session.view.file_changed && !over) below.max.y -= draw_file_question(ui, session, below, intents);
    // The file dialog says it itself.
    if (!session.view.notice.empty() && !session.view.task) draw_notice(ui, session.view.notice, below);
    append(intents, pressed_shortcuts(session, intents, most));
    if (closes(intents, session.view)) compat::drop_focus();
    return intents;
}

}  // namespace headcount
