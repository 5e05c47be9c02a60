// Opens the windows of the Explore view and calls its panels.
#include "app/diagram/panels.hpp"
#include "app/parts/caption.hpp"
#include "app/parts/views.hpp"
#include "app/ui/layout.hpp"
#include "app/views/explore/panels.hpp"

namespace headcount {
namespace {

// What names a remembered height. Items have hashes for IDs, so small numbers are free.
constexpr ImGuiID breakdown_height = 1;
constexpr float breakdown_guess = 252;  // a title, five rows of the legend, padding: right in nearly every first frame

// Lines between the panels, behind them: the windows leave a pixel free.
void draw_lines(const Ui& ui, const ExploreLayout& layout) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const auto line = [&](float left, float top, float right, float bottom) {
        list.AddRectFilled(ImVec2(left, top), ImVec2(right, bottom), ui.theme.line);
    };
    const Area& canvas = layout.canvas;
    const float bottom = layout.tables.max.y, width = layout.top_bar.max.x;
    line(layout.architecture.max.x, canvas.min.y, canvas.min.x, bottom);
    line(canvas.max.x, canvas.min.y, layout.breakdown.min.x, bottom);
    line(canvas.min.x, canvas.max.y, canvas.max.x, layout.tables.min.y);
    line(layout.breakdown.min.x, layout.breakdown.max.y, width, layout.inspector.min.y);
    if (layout.caption.height() > 0) line(0, bottom, width, layout.caption.min.y);
}

}  // namespace

Intents draw_architecture_panel(const Ui& ui, const Session& session) {
    return draw_architecture(ui, {session, session.notes, session.view.run});
}

Intents draw_breakdown_panel(const Ui& ui, const Session& session) {
    return draw_breakdown(ui, session, session.view.breakdown);
}

Intents draw_inspector_panel(const Ui& ui, const Session& session) {
    return draw_inspector(ui, session);
}

Intents draw_tables_panel(const Ui& ui, const Session& session) {
    return draw_tables(ui, {session, session.costs, session.view.bottom_tab, session.compared});
}

Area draw_explore(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const float breakdown = known_height(ui, breakdown_height, ui.px(breakdown_guess));
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float caption = frame.session.run ? caption_height(ui, frame.session, display.x) : 0;
    const ExploreLayout layout = explore_layout(display, ui.scale, breakdown, caption);
    const ImU32 panel = ui.theme.panel;
    const ImVec2 padded(size::panel_padding, size::panel_padding);
    draw_lines(ui, layout);
    draw_panel(frame, {"architecture", layout.architecture, panel, padded}, draw_architecture_panel);
    draw_panel(
        frame, {"canvas", layout.canvas, ui.theme.canvas, {}, still_panel},
        [&](const Ui& on, const Session& session) { return draw_canvas(on, DiagramOf(session), frame.painter); });
    draw_panel(frame, {"tables", layout.tables, panel, {}, still_panel}, draw_tables_panel);
    draw_panel(frame, {"breakdown", layout.breakdown, panel, padded, 0, breakdown_height}, draw_breakdown_panel);
    draw_panel(frame, {"inspector", layout.inspector, panel, padded}, draw_inspector_panel);
    if (caption > 0) draw_panel(frame, {"caption", layout.caption, panel, {}, still_panel}, draw_caption);
    return layout.canvas;
}

extern constexpr ViewKind explore_kind{
    .key = explore_view,
    .name = "Explore",
    .help = "A model as one picture, from the whole to a single cell, with what each number is made of.",
    .draw = draw_explore};

}  // namespace headcount
