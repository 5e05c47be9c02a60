// Solve: a total, a memory or the arithmetic of a pass is held, other conditions hold as well, a few numbers are free.
#include "app/views/what_if/solve.hpp"

#include <array>

#include "app/parts/words.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/menu.hpp"
#include "app/ui/rich_text.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float parts_gap = 32;      // design pixels
constexpr float sizes_part = 0.57F;  // of what is below the answers

// The device whose memory the budget is to be.
void device_menu(SolvePanel& panel) {
    const Ui& ui = panel.ui;
    const std::span<const Device> devices = panel.devices;
    if (devices.empty()) return;
    std::vector<std::string> memory;
    for (const Device& device : devices) memory.push_back(bytes_text(device.memory));
    std::vector<MenuEntry> entries;
    for (std::size_t i = 0; i < devices.size(); ++i)
        entries.push_back({.name = devices[i].name, .detail = memory[i], .words = devices[i].id});
    gap(ui, 4);
    const MenuButton menu{.label = "Memory of a device", .width = available_width() / ui.scale, .list_width = 320};
    const std::optional<int> chosen = menu_button(ui, "solve.device", menu, entries);
    if (!chosen) return;
    const Device& device = devices[static_cast<std::size_t>(*chosen)];
    constexpr std::int64_t mebi = 1 << 20;
    panel.ask([&](SolvePlace& place) {
        const std::int64_t usable = panel.found.of.pass.serving.usable(device);
        place.wished[held_index(Metric::memory)] =
            usable % mebi == 0 ? std::to_string(usable / mebi) + " MiB" : std::to_string(usable);
    });
}

std::string wrong_amount(const std::string& typed, const MetricInfo& metric) {
    if (typed.empty()) return {};
    const Result<std::int64_t> amount = parse_amount(typed, metric.label, metric.unit);
    return amount ? std::string() : sentence_of(amount.error());
}

void held_rows(SolvePanel& panel) {
    const Ui& ui = panel.ui;
    constexpr std::array<std::string_view, held_metrics.size()> words{"Parameters", "Memory", "FLOPs"};
    const std::size_t index = held_index(panel.place().held);
    const MetricInfo& metric = info(held_metrics[index]);
    section_title(ui, "What is held");
    gap(ui, 4);
    const ChoiceResult chosen = segmented(ui, "solve.held", words, static_cast<int>(index), true);
    if (chosen.chosen)
        panel.ask([&](SolvePlace& place) { place.held = held_metrics[static_cast<std::size_t>(*chosen.chosen)]; });
    gap(ui, 4);
    const std::string& typed = panel.place().wished[index];
    AmountRow row{index == 0 ? "nearest to" : "at most", {}, wrong_amount(typed, metric), {}};
    row.tooltip = index == 0   ? "8B, 8.03 B, 8,030,261,248"
                  : index == 1 ? "24 GiB, 24 GB (10^9), 512 MiB"
                               : "1e15, 1.5 PFLOP";
    const std::optional<std::int64_t> own =
        panel.found.now ? whole_value_of(*panel.found.now, metric.metric) : std::nullopt;
    if (own) row.own = exact_amount_text(*own, metric.metric);
    {
        const About about(total_key);
        amount_row(panel, "solve.amount", row, typed,
                   [=](SolvePlace& place) -> std::string& { return place.wished[index]; });
    }
    if (index == 1) device_menu(panel);
    if (const std::int64_t devices = panel.found.of.pass.sharing(); index == 1 && devices > 1)
        caption(ui, "On each of " + grouped(devices) + " devices");
    if (index == 0) return;
    gap(ui, 8);
    const Input& input = panel.found.of.input;
    paragraph(ui, ui.fonts.table, ui.theme.text_mid,
              (index == 1 ? "Weights, cache and the most activations at once, of " : "One pass over ") +
                  tokens_text(input) + ", in " + std::string(precision_name(input)) + ".");
}

// Each figure in the direction that is usually wished, then in the other.
struct GoalChoice {
    Metric metric;
    bool least;
};
using GoalChoices = std::array<GoalChoice, 2 * metrics.size()>;
GoalChoices goal_choices() {
    GoalChoices all{};
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const Metric metric = metrics[i].metric;
        all[i] = {metric, better_with_more(metric)};
        all[metrics.size() + i] = {metric, !better_with_more(metric)};
    }
    return all;
}

std::string_view way_of(bool least) { return least ? "at least" : "at most"; }

// The place of the condition that was chosen in a menu of all; the first entry takes it away.
std::optional<int> goal_menu(SolvePanel& panel, const GoalChoices& choices, const std::string& name,
                             std::string_view label, std::string_view first, int current) {
    std::vector<MenuEntry> entries;
    if (!first.empty()) entries.push_back({.name = first});
    for (const GoalChoice& each : choices)
        entries.push_back(
            {.name = info(each.metric).label, .group = way_of(each.least), .words = info(each.metric).key});
    const MenuButton menu{.label = label,
                          .width = available_width() / panel.ui.scale,
                          .list_width = 268,
                          .current = current + (first.empty() ? 0 : 1)};
    const std::optional<int> chosen = menu_button(panel.ui, name, menu, entries);
    if (!chosen) return std::nullopt;
    return *chosen - (first.empty() ? 0 : 1);
}

void goal_rows(SolvePanel& panel) {
    const Ui& ui = panel.ui;
    const std::vector<WishedGoal>& goals = panel.place().goals;
    const GoalChoices choices = goal_choices();
    section_title(ui, "What must hold as well");
    for (std::size_t i = 0; i < goals.size(); ++i) {
        const WishedGoal& goal = goals[i];
        const std::string name = "solve.goal" + std::to_string(i);
        const auto is = std::ranges::find_if(
            choices, [&](const GoalChoice& each) { return each.metric == goal.metric && each.least == goal.least; });
        gap(ui, 6);
        const std::optional<int> chosen = goal_menu(panel, choices, name, info(goal.metric).label, "No such condition",
                                                    static_cast<int>(is - choices.begin()));
        if (chosen)
            panel.ask([&](SolvePlace& place) {
                const auto at = place.goals.begin() + static_cast<std::ptrdiff_t>(i);
                if (*chosen < 0) {
                    place.goals.erase(at);
                    return;
                }
                const auto& [metric, least] = choices[static_cast<std::size_t>(*chosen)];
                *at = {metric, least, metric == at->metric ? at->typed : std::string()};
            });
        const bool said = i < panel.found.answers.own.size();
        const AmountRow row{
            way_of(goal.least), said ? panel.found.answers.own[i] : "",
            said && !panel.found.answers.problems[i].empty() ? panel.found.answers.problems[i] + "." : "",
            "24 GiB, 8B, 50ms, 30, 32k"};
        const About about(total_key);
        amount_row(panel, name + ".amount", row, goal.typed,
                   [=](SolvePlace& place) -> std::string& { return place.goals[i].typed; });
    }
    if (goals.size() == most_goals) return;
    gap(ui, 6);
    if (const std::optional<int> chosen = goal_menu(panel, choices, "solve.goal.add", "Add a condition", {}, -1))
        panel.ask([&](SolvePlace& place) {
            const auto& [metric, least] = choices[static_cast<std::size_t>(*chosen)];
            place.goals.push_back({metric, least, {}});
        });
}

void free_rows(SolvePanel& panel) {
    const Ui& ui = panel.ui;
    const std::vector<Freed>& free = panel.found.answers.wish.free;
    section_title(ui, "What is free");
    gap(ui, 6);
    std::vector<Field> fields;
    for (const Freed& each : free)
        if (!each.follows) fields.push_back(each.field);
    std::vector<MenuEntry> entries;
    const std::vector<Field> varied = varied_fields(panel.model.document.architecture);
    std::vector<Field> others;
    for (const Field field : varied)
        if (!contains(fields, field)) others.push_back(field);
    for (const Field field : others) entries.push_back({.name = info(field).label, .words = info(field).key});
    // A press takes a number back, all but the last.
    const float left = ImGui::GetCursorScreenPos().x, right = left + available_width();
    float x = left;
    for (const Field field : fields) {
        const std::string label = std::string(info(field).label) + (fields.size() > 1 ? "  \u00d7" : "");
        const float width = chip_width(ui, label);
        ImVec2 at = ImGui::GetCursorScreenPos();
        if (x > left && x + width > right) {
            at.y += ui.px(26);
            x = left;
        }
        ImGui::SetCursorScreenPos(ImVec2(x, at.y));
        const bool pressed = chip_button(ui, "solve.free." + std::string(info(field).key), label, true);
        ImGui::SetCursorScreenPos(ImVec2(left, at.y));
        x += width + ui.px(6);
        if (!pressed || fields.size() == 1) continue;
        std::vector<Field> fewer = fields;
        std::erase(fewer, field);
        panel.ask([&](SolvePlace& place) { place.free = fewer; });
    }
    gap(ui, 26);
    if (fields.size() < most_freed) {
        const MenuButton menu{.label = "Free another number", .width = available_width() / ui.scale, .list_width = 268};
        if (const std::optional<int> chosen = menu_button(ui, "solve.free.add", menu, entries)) {
            fields.push_back(others[static_cast<std::size_t>(*chosen)]);
            panel.ask([&](SolvePlace& place) { place.free = fields; });
        }
    }
    gap(ui, 6);
    const ToggleResult any = toggle_row(
        ui, "solve.any_shape",
        {.label = "Shapes hardware likes",
         .tooltip = "Heads of 64, 96, 128 or 256 columns, or as the model has; widths in steps of 128; as many "
                    "key/value heads as a model of its series has."},
        !panel.place().any_shape);
    if (any.value) panel.ask([&](SolvePlace& place) { place.any_shape = !*any.value; });
    std::string kept, along;
    for (const Freed& each : free) {
        if (each.multiple > 1)
            kept += (kept.empty() ? "Kept: " : ", ") + std::string(info(each.field).label) + " a multiple of " +
                    std::to_string(each.multiple);
        if (each.follows) along = std::string(info(each.field).label) + " go along with the width. ";
    }
    gap(ui, 2);
    paragraph(ui, ui.fonts.table, ui.theme.text_mid,
              along + (kept.empty() ? "Heads divide what they share." : kept + "."));
}

}  // namespace

void draw_wish(SolvePanel& panel) {
    held_rows(panel);
    gap(panel.ui, 16);
    goal_rows(panel);
    gap(panel.ui, 16);
    free_rows(panel);
    gap(panel.ui, 8);
    paragraph(panel.ui, panel.ui.fonts.table, panel.ui.theme.text_low,
              "A click on an answer makes it the model; undo goes back.");
}

std::size_t held_index(Metric held) {
    for (std::size_t i = 0; i < held_metrics.size(); ++i)
        if (held_metrics[i] == held) return i;
    return 0;
}

Intents draw_solve(const Ui& ui, const Shown& model, const SolvePlace& place, const WhatIfPage& page) {
    Intents intents;
    if (!page.solve) return intents;
    SolvePanel to{ui, model, place, {}, *page.solve, intents};
    draw_answers(to);
    separator(ui, 16, 16, false);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const float space = std::round(ui.px(parts_gap)), width = available_width();
    const float half = std::round((width - space) * sizes_part);
    const float height = std::max(ui.px(260), ImGui::GetContentRegionAvail().y);
    {
        const Panel sizes(ui, "solve.sizes.part", ImVec2(half, height), 0, 0, false);
        draw_sizes(to, page.solve->sizes);
    }
    ImGui::SetCursorScreenPos(ImVec2(below.x + half + space, below.y));
    {
        const Panel training(ui, "solve.training.part", ImVec2(width - half - space, height), 0, 0, false);
        draw_training(to, page.solve->training);
    }
    return intents;
}

}  // namespace headcount
