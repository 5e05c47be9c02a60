// Sensitivity: what one step more of every number adds, as bars; a click makes the step.
#include "app/charts/bars.hpp"
#include "app/panels/chart_menu.hpp"
#include "app/panels/part_colours.hpp"
#include "app/panels/what_if.hpp"
#include "app/state/what_if_found.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string step_text(const FieldStep& step) {
    return std::to_string(step.from) + " → " + std::to_string(step.to);
}

Bar bar_of(const Ui& ui, const Sensitivity& all, const FieldStep& step, Metric metric) {
    const FieldInfo& about = info(step.field);
    Bar bar;
    bar.label = about.label;
    bar.symbol = step_text(step);
    bar.value = change_of(all, step, metric).value_or(0);
    bar.text = change_text(bar.value, whole_change_of(all, step, metric), metric);
    bar.colour = about.symbol ? symbol_colour(ui.theme, *about.symbol) : 0;
    bar.name = about.key;
    bar.note = {bar.text, bar.label + " " + bar.symbol,
                value_text(all.now, metric) + " → " + value_text(step.after, metric), "A click makes this step."};
    return bar;
}

std::string names_of(std::span<const Field> fields_without) {
    std::string names;
    for (std::size_t i = 0; i < fields_without.size(); ++i)
        names += (i == 0                           ? ""
                  : i + 1 == fields_without.size() ? " and "
                                                   : ", ") +
                 std::string(info(fields_without[i]).label);
    return names;
}

}  // namespace

Intents draw_sensitivity(const Ui& ui, const Session& session) {
    Intents intents;
    const FoundSensitivity* const found = session.what_if.sensitivity.get();
    if (!found) return intents;
    const std::string metric(info(found->metric).label);
    const std::string title =
        found->metric == Metric::total ? "What moves the total most" : "What moves it most: " + metric;
    if (!found->sensitivity) {
        section_title(ui, title);
        gap(ui, 8);
        message_card(ui, "sensitivity.problem", found->problem + ".", {});
        return intents;
    }
    const Sensitivity& all = *found->sensitivity;
    section_title(ui, title, "now " + value_text(all.now, found->metric));
    gap(ui, 8);
    const std::vector<std::size_t> order = sorted_steps(all, found->metric);
    std::vector<Bar> bars;
    for (const std::size_t i : order) bars.push_back(bar_of(ui, all, all.steps[i], found->metric));
    BarChart chart;
    chart.title = title;
    chart.bars = bars;
    chart.value_title = metric;
    const ChartResult result = bar_chart(ui, "sensitivity.chart", chart);
    if (result.clicked) {
        const FieldStep& step = all.steps[order[static_cast<std::size_t>(*result.clicked)]];
        Document document = session.document;
        document.architecture = with_step(document.architecture, step);
        if (document != session.document) intents.push_back(Replace{std::move(document), step.field});
    }
    if (result.hovered) intents.push_back(Hover{all.steps[order[static_cast<std::size_t>(*result.hovered)]].field});
    add_chart_intents(intents, result);
    gap(ui, 12);
    if (!all.without.empty())
        paragraph(ui, ui.fonts.table, ui.theme.text_low,
                  "No step of " + names_of(all.without) + " is possible while all else stays.");
    return intents;
}

}  // namespace headcount
