// Sensitivity: what one step more of every field adds, as bars; a click makes the step.
#include "app/charts/bars.hpp"
#include "app/parts/chart_menu.hpp"
#include "app/parts/part_colours.hpp"
#include "app/state/what_if/page.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/what_if/panels.hpp"

namespace headcount {
namespace {

std::string step_text(const FieldStep& step) { return step.words(step.from) + " → " + step.words(step.to); }

Bar bar_of(const Ui& ui, const Shown& model, const Sensitivity& all, const FieldStep& step, Metric metric) {
    const FieldInfo& about = info(step.field);
    Bar bar;
    bar.label = about.label;
    bar.symbol = step_text(step);
    bar.value = change_of(all, step, metric).value_or(0);
    bar.text = change_text(bar.value, whole_change_of(all, step, metric), metric);
    bar.colour = about.symbol ? symbol_colour(ui.theme, *about.symbol) : 0;
    bar.name = about.key;
    bar.note = {bar.text,
                bar.label + " " + bar.symbol,
                value_text(model, all.now, metric) + " → " + value_text(model, step.after, metric),
                "A click makes this step.",
                {subject_key(step.field)}};
    return bar;
}

// The steps that move it, the one that does most first; the fields of the others go into `unmoved`.
std::vector<std::size_t> moving_steps(const Sensitivity& all, Metric metric, std::vector<Field>* unmoved = nullptr) {
    std::vector<std::size_t> order = sorted_steps(all, metric);
    std::erase_if(order, [&](std::size_t i) {
        const bool moves = change_of(all, all.steps[i], metric).value_or(0) != 0;
        if (!moves && unmoved) unmoved->push_back(all.steps[i].field);
        return !moves;
    });
    return order;
}

// "Layers 32 → 33: +202,383,360, to 6,940,798,976"
std::string words_of(const Shown& model, const Bar& bar, const FieldStep& step, Metric metric) {
    return bar.label + " " + bar.symbol + ": " + bar.text + ", to " + value_text(model, step.after, metric);
}

std::string names_of(std::span<const Field> some) {
    std::string names;
    for (std::size_t i = 0; i < some.size(); ++i)
        names += (i == 0 ? "" : i + 1 == some.size() ? " and " : ", ") + std::string(info(some[i]).label);
    return names;
}

// What is not drawn, and why.
void draw_left_out(const Ui& ui, const Sensitivity& all, std::span<const Field> unmoved) {
    const auto say = [&](const std::string& sentence) {
        gap(ui, 8);
        paragraph(ui, ui.fonts.table, ui.theme.text_low, sentence);
    };
    if (!unmoved.empty()) say("A step of " + names_of(unmoved) + " leaves it as it is.");
    if (!all.without.empty()) say("No step of " + names_of(all.without) + " is possible while all else stays.");
}

}  // namespace

std::vector<std::string> sensitivity_keys(const FoundSensitivity& found) {
    std::vector<std::string> keys;
    if (!found.sensitivity) return keys;
    for (const std::size_t i : moving_steps(*found.sensitivity, found.metric))
        keys.emplace_back(info(found.sensitivity->steps[i].field).key);
    return keys;
}

Intents draw_sensitivity(const Ui& ui, const Shown& model, const WhatIfPage& page, const Show& show) {
    Intents intents;
    const FoundSensitivity* const found = page.sensitivity.get();
    if (!found) return intents;
    const std::string metric(info(found->metric).label);
    const std::string title =
        found->metric == Metric::total ? "What moves the total most" : "What moves it most: " + metric;
    if (!found->sensitivity) {
        section_title(ui, title);
        gap(ui, 8);
        draw_what_if_problem(ui, model, "sensitivity.problem", found->problem, intents);
        return intents;
    }
    const About about(total_key);
    const Sensitivity& all = *found->sensitivity;
    chart_title(ui, title, "now " + value_text(model, all.now, found->metric));
    std::vector<Field> unmoved;
    const std::vector<std::size_t> order = moving_steps(all, found->metric, &unmoved);
    std::vector<Bar> bars;
    std::string words;
    for (const std::size_t i : order) {
        Bar& bar = bars.emplace_back(bar_of(ui, model, all, all.steps[i], found->metric));
        bar.selected = show.presenting && bar.name == show.pointed;
        if (bar.selected) words = words_of(model, bar, all.steps[i], found->metric);
    }
    draw_pointed_out(ui, show, words);
    BarChart chart;
    chart.title = title;
    chart.bars = bars;
    chart.value_title = metric;
    const ChartResult result = bar_chart(ui, "sensitivity.chart", chart);
    if (result.clicked) {
        const FieldStep& step = all.steps[order[static_cast<std::size_t>(*result.clicked)]];
        Document document = model.document;
        document.architecture = with_step(document.architecture, step);
        if (document != model.document) intents.push_back(Replace{std::move(document), step.field});
    }
    if (result.hovered) intents.push_back(Hover{all.steps[order[static_cast<std::size_t>(*result.hovered)]].field});
    add_chart_intents(intents, result);
    gap(ui, 4);
    draw_left_out(ui, all, unmoved);
    return intents;
}

}  // namespace headcount
