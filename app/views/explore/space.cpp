// Opens the windows of the Explore view and calls its panels.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>
#include <vector>

#include "app/diagram/panels.hpp"
#include "app/parts/caption.hpp"
#include "app/parts/views.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/tabs.hpp"
#include "app/views/explore/panels.hpp"
#include "core/analysis/made_for.hpp"

namespace headcount {
namespace {

// What names a remembered height. Items have hashes for IDs, so small numbers are free.
constexpr ImGuiID breakdown_height = 1;
constexpr float breakdown_guess = 252;  // a title, five rows of the legend, padding: right in nearly every first frame

void draw_lines(const Ui& ui, const ExploreLayout& layout) {
    const Area& canvas = layout.canvas;
    const float bottom = layout.tables.max.y, width = layout.top_bar.max.x;
    line_between(ui, {layout.architecture.max.x, canvas.min.y}, {canvas.min.x, bottom});
    line_between(ui, {canvas.max.x, canvas.min.y}, {layout.breakdown.min.x, bottom});
    line_between(ui, {canvas.min.x, canvas.max.y}, {canvas.max.x, layout.tables.min.y});
    line_between(ui, {layout.breakdown.min.x, layout.breakdown.max.y}, {width, layout.inspector.min.y});
}

// But for a tour's words. The panels around it are there without an extent.
ExploreLayout diagram_alone(const ExploreLayout& layout) {
    const float right = layout.top_bar.max.x, bottom = layout.tables.max.y;
    return {.top_bar = {{0, 0}, {right, 0}},
            .architecture = {{0, 0}, {0, bottom}},
            .canvas = {{0, 0}, {right, bottom}},
            .tables = {{0, bottom}, {right, bottom}},
            .breakdown = {{right, 0}, {right, 0}},
            .inspector = {{right, 0}, {right, bottom}},
            .caption = layout.caption};
}

// What says where to begin lies over the tables: where these have given way they come back for it, as long as the
// diagram is more than that.
void make_room_for_welcome(const Ui& ui, ExploreLayout& layout) {
    constexpr float room = 178, least_diagram = 240;
    const float high = std::round(ui.px(room));
    if (!layout.tables.empty() || layout.canvas.height() - high < ui.px(least_diagram)) return;
    layout.tables.min.y -= high;
    layout.canvas.max.y = layout.tables.min.y - 1;
}

// What has no room beside the diagram, one at a time, under tabs.
struct Fold {
    const char* panel;
    std::string_view name;
    Intents (*draw)(const Ui&, const Session&);
    bool padded;
};

constexpr Fold fields_fold{"architecture", "Fields", draw_architecture_panel, true};
constexpr Fold selection_fold{"inspector", "Selection", draw_inspector_panel, true};

// In a window higher than it is wide they lie below the diagram, where the tables always are.
std::vector<Fold> folded_below(const ExploreLayout& layout) {
    const bool upright = layout.top_bar.width() < layout.tables.max.y;
    if (layout.tables.empty() || !layout.inspector.empty() || !upright) return {};
    std::vector<Fold> folds{{"tables", "Tables", draw_tables_panel, false}};
    if (layout.architecture.empty()) folds.push_back(fields_fold);
    folds.push_back({"breakdown", "Parameters", draw_breakdown_panel, true});
    folds.push_back(selection_fold);
    return folds;
}

// In any other where the fields are.
std::vector<Fold> folded_left(const ExploreLayout& layout) {
    if (!layout.inspector.empty() || layout.architecture.empty()) return {};
    return {fields_fold, selection_fold};
}

// Gives what lies below the diagram the height to be read in.
Area made_room_below(const Ui& ui, ExploreLayout& layout) {
    constexpr float part = 0.45F;  // of the height
    const float tabs = std::round(ui.px(size::tab_bar)), bottom = layout.tables.max.y;
    layout.tables.min.y = std::min(layout.tables.min.y - tabs, std::round(bottom * (1 - part)));
    layout.canvas.max.y = layout.tables.min.y - 1;
    return layout.tables;
}

// Draws the one that was chosen. What is selected is shown at once: a field among the fields, where these are folded
// too.
void draw_folded(const PanelFrame& frame, const Area& area, const std::vector<Fold>& folds) {
    const Ui& ui = frame.ui;
    const Area strip{area.min, {area.max.x, area.min.y + std::round(ui.px(size::tab_bar))}};
    const Area below{{area.min.x, strip.max.y + 1}, area.max};
    auto& chosen = kept<std::string_view>(ui, "explore.folded");  // its name
    auto& before = kept<Subject>(ui, "explore.folded.of");
    const Subject& selection = frame.session.look.selection;
    const auto place_of = [&](std::string_view name) { return std::ranges::find(folds, name, &Fold::name); };
    if (before != selection) {
        const bool field = std::holds_alternative<Field>(selection) && place_of(fields_fold.name) != folds.end();
        if (!nothing(selection))
            chosen = field ? fields_fold.name : selection_fold.name;
        else if (chosen == selection_fold.name)
            chosen = folds.front().name;
        before = selection;
    }
    if (place_of(chosen) == folds.end()) chosen = folds.front().name;
    draw_panel(frame, {"folds", strip, ui.theme.panel, ImVec2(size::panel_padding, 0), still_panel},
               [&](const Ui& on, const Session&) {
                   std::vector<std::string_view> names;
                   for (const Fold& each : folds) names.push_back(each.name);
                   const auto at = static_cast<int>(place_of(chosen) - folds.begin());
                   if (const auto pressed = tab_bar(on, "folds", names, at)) {
                       chosen = names[static_cast<std::size_t>(*pressed)];
                       on.memory.animating = true;
                   }
                   return Intents();
               });
    line_between(ui, {area.min.x, strip.max.y}, {area.max.x, below.min.y});
    const Fold& shown = *place_of(chosen);
    const ImVec2 padding = shown.padded ? padded : ImVec2();
    draw_panel(frame, {shown.panel, below, ui.theme.panel, padding, shown.padded ? 0 : still_panel}, shown.draw);
}

}  // namespace

Intents draw_architecture_panel(const Ui& ui, const Session& session) {
    return draw_architecture(ui, {session, session.notes, session.view.run});
}

Intents draw_breakdown_panel(const Ui& ui, const Session& session) {
    return draw_breakdown(ui, session, session.view.breakdown);
}

Intents draw_inspector_panel(const Ui& ui, const Session& session) { return draw_inspector(ui, session); }

Intents draw_tables_panel(const Ui& ui, const Session& session) {
    return draw_tables(ui, {session, session.costs, session.view.bottom_tab, session.compared});
}

Area draw_explore(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const float breakdown = known_height(ui, breakdown_height, ui.px(breakdown_guess));
    ExploreLayout layout =
        explore_layout(ImGui::GetIO().DisplaySize, ui.scale, breakdown, caption_height_below(frame), ui.chrome);
    if (!ui.chrome) layout = diagram_alone(layout);
    if (ui.chrome && frame.session.view.welcome.open) make_room_for_welcome(ui, layout);
    const ImU32 panel = ui.theme.panel;
    const std::vector<Fold> folds = ui.chrome ? folded_below(layout) : std::vector<Fold>();
    const std::vector<Fold> left = ui.chrome && folds.empty() ? folded_left(layout) : std::vector<Fold>();
    if (!folds.empty()) draw_folded(frame, made_room_below(ui, layout), folds);
    draw_lines(ui, layout);
    if (left.empty())
        draw_panel(frame, {"architecture", layout.architecture, panel, padded}, draw_architecture_panel);
    else
        draw_folded(frame, layout.architecture, left);
    draw_panel(
        frame, {"canvas", layout.canvas, ui.theme.canvas, {}, still_panel},
        [&](const Ui& on, const Session& session) { return draw_canvas(on, DiagramOf(session), frame.painter); });
    if (folds.empty()) draw_panel(frame, {"tables", layout.tables, panel, {}, still_panel}, draw_tables_panel);
    draw_panel(frame, {"breakdown", layout.breakdown, panel, padded, 0, breakdown_height}, draw_breakdown_panel);
    draw_panel(frame, {"inspector", layout.inspector, panel, padded}, draw_inspector_panel);
    draw_caption_below(frame, layout.caption);
    return layout.canvas;
}

namespace {

// Most of it needs no device.
std::string explore_made_for(const Session& session) {
    const BottomTab tab = session.view.bottom_tab;
    const Document& document = session.document;
    if (tab == BottomTab::memory || tab == BottomTab::compute) return made_for(session, document);
    return made_for(title_as_known(document), document.architecture, document.input, {});
}

}  // namespace

extern constexpr ViewKind explore_kind{
    .key = explore_view,
    .name = "Explore",
    .help = "A model as one picture, from the whole to a single cell, with what each number is made of.",
    .draw = draw_explore,
    .made_for = explore_made_for};

}  // namespace headcount
