// Opens the windows of the Compare view and calls its panels; and what is compared, as the report for tests has it.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "app/parts/fields_json.hpp"
#include "app/parts/views.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/imgui_compat.hpp"
#include "app/views/compare/panels.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/report/json.hpp"

namespace headcount {
namespace {

// Design pixels, and parts of the window.
constexpr float head_height = 84, head_padding = 16, head_above = 14;
// Where else a class would see no shapes, and with what is chosen from at their left.
constexpr float low_head = 62, low_head_above = 4, beside_choice = 136;
constexpr float split_part = 0.375F, least_split = 400, most_split = 720;
constexpr float tables_part = 0.3F, least_tables = 176, most_tables = 460;
constexpr float least_above = 496;  // the tables give way before what stands above them has to scroll
// Of each diagram: where it would have less, the split and then the tables give way to both altogether, and stand in
// their place when asked for.
constexpr float least_each_across = 312, least_each_down = 400;
// With so much of it, of it and its head, a class sees the shapes of matrices.
constexpr float presented_across = 400, presented_down = 380, low_down = 480;
constexpr float choice_height = 30, choice_padding = 3, least_below_choice = 200;

struct CompareLayout {
    Area choice, head_a, head_b, diagram_a, diagram_b, split, tables;
    float words_above = head_above;     // in the heads
    std::vector<CompareShows> offered;  // more than one where not all have room
    CompareShows shown = CompareShows::pictures;
};

// To a class there are but the pictures and the chart.
CompareLayout compare_layout(const Ui& ui, bool alone, CompareShows asked) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    float top = explore_layout(display, ui.scale, 0, 0, ui.chrome).architecture.min.y;
    const float width = std::max(display.x, 8.0F), height = std::max(display.y, top + 8.0F);
    float split = std::round(std::clamp(width * split_part, ui.px(least_split), ui.px(most_split)));
    const bool shapes = alone && height - top >= ui.px(presented_down);
    if (width - split < ui.px(2 * (shapes ? presented_across : least_each_across))) split = 0;
    const float wanted = std::min(height * tables_part, height - top - ui.px(least_above));
    float tables = std::round(std::clamp(wanted, ui.px(least_tables), ui.px(most_tables)));
    if (alone || height - top - tables < ui.px(least_each_down)) tables = 0;
    CompareLayout layout{.offered = {CompareShows::pictures}};
    if (split == 0) layout.offered.push_back(CompareShows::chart);
    if (tables == 0 && !alone) layout.offered.push_back(CompareShows::tables);
    const bool low = shapes && split == 0 && height - top < ui.px(low_down);
    float left = 0;
    if (layout.offered.size() > 1 && height - top >= ui.px(choice_height + least_below_choice)) {
        if (contains(layout.offered, asked)) layout.shown = asked;
        left = low && layout.shown == CompareShows::pictures ? std::round(ui.px(beside_choice)) : 0;
        layout.choice = {{0, top},
                         {left > 0 ? left : width, top + std::round(ui.px(left > 0 ? low_head : choice_height))}};
        if (left == 0) top = layout.choice.max.y + 1;
    }
    const float right = width - split, middle = std::floor(right / 2);
    const float bottom = std::max(top + 2, height - tables);
    if (low) layout.words_above = low_head_above;
    const float head = std::min(top + std::round(ui.px(low ? low_head : head_height)), bottom - 2);
    const Area nothing{{0, top}, {0, top}};
    layout.head_a = layout.head_b = layout.diagram_a = layout.diagram_b = nothing;
    layout.split = {{right + 1, top}, {width, bottom}};
    layout.tables = {{0, bottom + 1}, {width, height}};
    if (layout.shown == CompareShows::chart) {
        layout.split.min.x = 0;
    } else if (layout.shown == CompareShows::tables) {
        layout.tables.min.y = top;
        layout.split = nothing;
    } else {
        layout.head_a = {{left, top}, {middle, head}};
        layout.head_b = {{middle + 1, top}, {right, head}};
        layout.diagram_a = {{0, head + 1}, {middle, bottom}};
        layout.diagram_b = {{middle + 1, head + 1}, {right, bottom}};
    }
    return layout;
}

void draw_lines(const Ui& ui, const CompareLayout& layout) {
    const Area &choice = layout.choice, &tables = layout.tables;
    if (!choice.empty()) line_between(ui, {0, choice.max.y}, {choice.max.x, choice.max.y + 1});
    for (const Area& area : {layout.head_a, layout.head_b}) {
        if (area.empty()) continue;
        line_between(ui, {area.min.x, area.max.y}, {area.max.x, area.max.y + 1});
        line_between(ui, {area.max.x, area.min.y}, {area.max.x + 1, tables.min.y});
    }
    line_between(ui, {tables.min.x, tables.min.y - 1}, {tables.max.x, tables.min.y});
}

Intents draw_choice(const Ui& ui, const CompareLayout& layout) {
    std::vector<std::string_view> words;
    for (const CompareShows each : layout.offered)
        words.push_back(each == CompareShows::pictures ? "Pictures" : each == CompareShows::chart ? "Chart" : "Tables");
    const auto shown = std::ranges::find(layout.offered, layout.shown) - layout.offered.begin();
    const ImVec2 start = ImGui::GetWindowPos() + ImVec2(ui.px(head_padding), ui.px(choice_padding));
    ImGui::SetCursorScreenPos(start);
    const ChoiceResult chosen = segmented(ui, "compare.shows", words, static_cast<int>(shown));
    if (!chosen.chosen) return {};
    return {AtCompare{ShowInCompare{layout.offered[static_cast<std::size_t>(*chosen.chosen)]}}};
}

// The model that the document is compared with, and what makes them differ; null outside of the Compare view.
nlohmann::ordered_json compare_json(const Session& session) {
    using Json = nlohmann::ordered_json;
    const std::optional<Shown>& other = session.comparison.other;
    if (session.view.workspace != compare_view || !other) return nullptr;
    const ComparePlace& place = session.view.compare;
    const Difference* const difference = session.comparison.difference.get();
    return {{"name", other->document.architecture.name},
            {"preset", other->document.preset},
            {"chosen", session.document.with.has_value()},
            {"total", other->derived.shown.parameters.total},
            {"fields", fields_json(other->document.architecture)},
            {"possible", other->derived.current},
            {"difference", difference ? Json(difference->total) : Json()},
            {"by_component", difference ? by_component(difference->by_component) : Json::object()},
            {"split", word_of(compare_split_keys, place.split)},
            {"tab", word_of(compare_tab_keys, place.tab)}};
}

}  // namespace

std::optional<BothSides> both_sides(const Session& session) {
    const ComparePage& page = session.comparison;
    if (!page.other) return std::nullopt;
    const Architecture& b = page.other->document.architecture;
    return BothSides{
        .own = session,
        .other = *page.other,
        .page = page,
        .place = session.view.compare,
        .pass = pass_options(session.costs, session.view.costs, sees_all(b) ? b : session.document.architecture)};
}

CompareBasis basis_of(const Ui& ui, const BothSides& both) {
    return {.a = both.a().architecture,
            .b = both.b().architecture,
            .input = both.a().input,
            .pass = both.pass,
            .place = both.place,
            .titles = {title_of(both.own.document), title_of(both.other.document)},
            .apart = both.page.apart,
            .no_numbers = both.page.no_numbers,
            .dark = ui.theme.dark};
}

Area draw_compare_space(const PanelFrame& frame) {
    const Ui& ui = frame.ui;
    const bool presents = frame.session.view.show.presenting;
    const CompareLayout layout = compare_layout(ui, presents, frame.session.view.compare.shows);
    draw_lines(ui, layout);
    const ImVec2 head(head_padding, layout.words_above);
    const std::optional<BothSides> both = both_sides(frame.session);
    const auto panel = [&](const PanelPlace& place, const auto& draw) {
        draw_panel(frame, place, [&](const Ui&, const Session&) { return both ? draw() : Intents{}; });
    };
    const auto side = [&](const char* head_name, const Area& head_area, const char* name, const Area& area,
                          CompareSide which) {
        panel({head_name, head_area, ui.theme.panel, head, still_panel},
              [&] { return draw_compare_head(ui, *both, which); });
        panel({name, area, ui.theme.canvas, {}, still_panel}, [&] {
            std::array<DiagramOf, 2> models = compared_diagrams(frame.session, *both);
            return draw_compare_diagram(ui, models, which, frame.painter);
        });
    };
    panel({"compare_choice", layout.choice, ui.theme.panel, {}, still_panel}, [&] { return draw_choice(ui, layout); });
    side("compare_head_a", layout.head_a, "compare_diagram_a", layout.diagram_a, CompareSide::a);
    side("compare_head_b", layout.head_b, "compare_diagram_b", layout.diagram_b, CompareSide::b);
    panel({"compare_split", layout.split, ui.theme.panel, padded},
          [&] { return draw_compare_split(ui, *both, presents); });
    panel({"compare_tables", layout.tables, ui.theme.panel, {}, still_panel},
          [&] { return draw_compare_tables(ui, *both); });
    return {layout.head_a.min, {layout.tables.max.x, layout.split.empty() ? layout.tables.max.y : layout.split.max.y}};
}

void report_compare(const Session& session, nlohmann::ordered_json& report) {
    report["compare"] = compare_json(session);
}

// From part to part of those that the difference is made of: it is lit on both sides.
std::optional<Intent> step_compare(const Session& session, int by) {
    const std::optional<BothSides> both = both_sides(session);
    if (!both) return std::nullopt;
    std::vector<CompareStep> steps = compare_steps(dark_theme(), *both, both->place.split);
    std::erase_if(steps, [](const CompareStep& each) { return nothing(each.subject) || each.step.change == 0; });
    const auto here = std::ranges::find_if(
        steps, [&](const CompareStep& each) { return alike(session.look.selection, each.subject); });
    const auto next = here != steps.end() ? here - steps.begin() + by : by > 0 ? 0 : -1;
    if (next < 0 || next >= std::ssize(steps)) return std::nullopt;
    return Select{steps[static_cast<std::size_t>(next)].subject};
}

extern constexpr ViewKind compare_kind{.key = compare_view,
                                       .name = "Compare",
                                       .help = "Two models side by side, and where their difference comes from.",
                                       .draw = draw_compare_space,
                                       .step = step_compare,
                                       .report = report_compare,
                                       .made_for = [](const Session& session) {
                                           const auto& other = session.comparison.other;
                                           return made_for(session, session.document) +
                                                  (other ? "; " + made_for(session, other->document) : "");
                                       }};

}  // namespace headcount
