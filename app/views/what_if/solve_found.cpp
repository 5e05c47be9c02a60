// What the Solve panel found: ranked answers, sizes of the same shape, and tokens for a training's budget.
#include <algorithm>
#include <array>
#include <cstdio>

#include "app/ui/buttons.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/tooltip.hpp"
#include "app/views/what_if/solve.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr float number_column = 72, least_column = 52, long_column = 96, least_long_column = 76, total_column = 128;

TableColumn number_column_of(Field field) {
    const std::string_view title = info(field).label;
    constexpr std::size_t short_title = 8;  // letters that the least width has room for
    const bool longer = title.size() > short_title;
    return {.title = title,
            .width = longer ? long_column : number_column,
            .minimum = longer ? least_long_column : least_column,
            .align = Align::right,
            .mono = true};
}

// As wide as the columns want to be, in pixels.
float wanted_width(const Ui& ui, std::span<const TableColumn> columns) {
    float wide = 0;
    for (const TableColumn& column : columns) wide += column.width + 16;
    return ui.px(wide);
}

TableColumn wide_column(std::string_view title) {
    return {.title = title, .width = total_column, .minimum = 88, .align = Align::right, .mono = true};
}

TableColumn goal_column(Metric metric) {
    return {.title = info(metric).label, .width = total_column, .minimum = 72, .align = Align::right, .mono = true};
}

// "+30,462,528", "1.20 GiB left"
std::string away_text(const Wish& wish, std::int64_t amount) {
    if (wish.held == Metric::total) return signed_grouped(amount - wish.amount);
    return amount_text(wish.amount - amount, wish.held);
}

// Those that a table has columns for; what an answer comes to says all.
std::size_t goals_shown(const Wish& wish) {
    const std::size_t others = wish.free.size() + 3 + (wish.held == Metric::total ? 0 : 1);
    return std::min(wish.goals.size(), static_cast<std::size_t>(most_columns) - others);
}

void fill_answer(SolvePanel& panel, std::size_t index, TableRow& row) {
    const Wish& wish = panel.found.answers.wish;
    const Answer& answer = panel.found.answers.answers[index];
    row.about = total_key;
    std::size_t at = 0;
    for (std::int64_t value : answer.values) {
        row.cells[at].about = row.keep(subject_key(wish.free[at].field));
        row.cells[at++].text = row.keep(std::to_string(value));
    }
    const auto put = [&](Metric metric, const std::string& text) {
        row.cells[at++].text = row.keep(std::string(sign_of(panel.model.derived, metric)) + text);
    };
    put(Metric::total, grouped(answer.parameters.total));
    if (wish.held != Metric::total) put(wish.held, amount_text(answer.amount, wish.held));
    for (std::size_t i = 0; i < goals_shown(wish); ++i)
        put(metric_at(wish, i), figure_text(metric_at(wish, i), answer.figures[i]));
    row.cells[at].colour = panel.ui.theme.text_mid;
    row.cells[at++].text = row.keep(away_text(wish, answer.amount));
    row.cells[at].colour = panel.ui.theme.text_low;
    row.cells[at++].text = row.keep(
        percent(wish.held == Metric::total ? answer.amount - wish.amount : wish.amount - answer.amount, wish.amount));
}

// The formula of what a model comes to, beside the pointer.
void explain(const Ui& ui, const std::string& title, const std::optional<AmountFormula>& of, Metric metric,
             std::int64_t amount, const std::string& besides = {}) {
    const About about(total_key);
    const std::string value = metric == Metric::total ? grouped(amount) : exact_amount_text(amount, metric);
    std::string derivation;
    if (of) derivation = in_symbols(of->formula) + "\n= " + in_numbers(of->formula, of->bindings);
    const std::string remark = besides + "A click makes it the model.";
    show_tooltip(ui, {.title = title, .value = value, .derivation = derivation, .remark = remark});
}

void fill_size(SolvePanel& panel, const FoundSizes& found, std::span<const Field> shown, std::size_t index,
               TableRow& row) {
    const SizedModel& size = found.sizes[index];
    row.about = total_key;
    std::size_t at = 0;
    for (Field field : shown) {
        row.cells[at].about = row.keep(subject_key(field));
        row.cells[at++].text = row.keep(std::to_string(field_number(size.architecture, field).value_or(0)));
    }
    row.cells[at++].text =
        row.keep(std::string(sign_of(panel.model.derived, Metric::total)) + grouped(size.parameters.total));
    row.cells[at].colour = panel.ui.theme.text_mid;
    row.cells[at++].text = row.keep(percent(size.parameters.total - found.total, found.total));
}

void adopt_size(SolvePanel& panel, const SizedModel& size) {
    Document document = panel.model.document;
    document.architecture = size.architecture;
    if (document != panel.model.document) panel.intents.push_back(Replace{std::move(document), Field::dim});
}

// "5.76e+23" without its plus.
std::string power_text(double number) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.3g", number);
    std::string text = buffer.data();
    if (const std::size_t plus = text.find('+'); plus != std::string::npos) text.erase(plus, 1);
    return text;
}

const TrainingPlan& plan_of(const FoundTraining& training, std::size_t row) {
    return row == 0 ? training.best : row == 1 ? training.here : training.rule;
}

void fill_plan(const FoundTraining& training, std::size_t index, TableRow& row) {
    constexpr std::array<std::string_view, 3> words{"Best for the budget", "This model for it",
                                                    "This model by the rule"};
    const TrainingPlan& plan = plan_of(training, index);
    row.about = total_key;
    row.cells[0].text = words[index];
    row.cells[1].text = row.keep(rough_count_text(plan.parameters));
    row.cells[2].text = row.keep(rough_count_text(plan.tokens));
    row.cells[3].text = row.keep(factor_text(plan.tokens_each()));
    row.cells[4].text = row.keep(power_text(plan.flops));
}

}  // namespace

void explain_answer(SolvePanel& panel, const Answer& answer) {
    const Wish& wish = panel.found.answers.wish;
    Architecture arch = panel.found.of.architecture;
    std::string title;
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        const FieldInfo& about = info(wish.free[i].field);
        title += (i > 0 ? " · " : "") + std::string(about.label) + " " + std::to_string(answer.values[i]);
        arch = with_number(arch, about.field, answer.values[i]).value_or(arch);
    }
    std::string besides;
    for (std::size_t i = 0; i < answer.figures.size(); ++i)
        besides += std::string(info(metric_at(wish, i)).label) + " " +
                   figure_text(metric_at(wish, i), answer.figures[i]) + ". ";
    explain(panel.ui, title, amount_formula(arch, wish.input, wish.held, wish.pass), wish.held, answer.amount, besides);
}

void adopt_answer(SolvePanel& panel, const Answer& answer) {
    std::vector<NumberOf> numbers;
    for (std::size_t i = 0; i < answer.values.size(); ++i)
        numbers.push_back({{.field = panel.found.answers.wish.free[i].field}, answer.values[i]});
    if (std::optional<Intent> intent = adopt(panel.model, numbers)) panel.intents.push_back(std::move(*intent));
}

void draw_answers(SolvePanel& panel) {
    const Ui& ui = panel.ui;
    const FoundAnswers& found = panel.found.answers;
    const bool budget = found.wish.held != Metric::total;
    section_title(ui, "Answers",
                  found.wish.free.size() > 1 ? "small changes first"
                  : budget                   ? "within the budget, the largest first"
                                             : "the nearest first");
    gap(ui, 8);
    if (found.unread && (found.problem.empty() || !panel.place().wished[held_index(found.wish.held)].empty())) {
        paragraph(ui, ui.fonts.table, ui.theme.text_mid, "They are there when the amount can be read.");
        return;
    }
    if (!found.problem.empty()) {
        message_card(ui, "solve.problem", found.problem + ".", {});
        return;
    }
    std::vector<TableColumn> columns;
    for (const Freed& each : found.wish.free) columns.push_back(number_column_of(each.field));
    for (TableColumn& column : columns) column.width = 104;
    columns.push_back(wide_column("Parameters"));
    if (budget) columns.push_back(wide_column(info(found.wish.held).label));
    for (std::size_t i = 0; i < goals_shown(found.wish); ++i)
        columns.push_back(goal_column(found.wish.goals[i].metric));
    columns.push_back(wide_column(budget ? "Left" : "Difference"));
    columns.push_back({.title = "of it", .width = 72, .minimum = 56, .align = Align::right, .mono = true});
    const TableResult result =
        short_table(ui, "solve.answers", columns, found.answers.size(), wanted_width(ui, columns),
                    [&](std::size_t index, TableRow& row) { fill_answer(panel, index, row); });
    if (result.hovered) explain_answer(panel, found.answers[static_cast<std::size_t>(*result.hovered)]);
    if (result.clicked) adopt_answer(panel, found.answers[static_cast<std::size_t>(*result.clicked)]);
}

void draw_sizes(SolvePanel& panel, const FoundSizes& found) {
    const Ui& ui = panel.ui;
    const bool family = found.siblings > 1;
    section_title(ui, "Same shape, other size",
                  family ? "along " + std::to_string(found.siblings) + " published sizes" : "its own proportions");
    gap(ui, 4);
    const About about(total_key);
    AmountRow row{"Parameters", panel.found.now ? grouped(panel.found.now->parameters.total) : "", {}, "13B, 1.5 B"};
    const bool typed = !panel.place().size.empty();
    if (typed && !found.problem.empty()) row.problem = found.problem + ".";
    amount_row(panel, "solve.size", row, panel.place().size,
               [](SolvePlace& place) -> std::string& { return place.size; });
    gap(ui, 4);
    if (found.sizes.empty()) return;
    const std::vector<Field> shown = sized_fields(panel.found.of.architecture);
    std::vector<TableColumn> columns;
    for (Field field : shown) columns.push_back(number_column_of(field));
    columns.push_back(
        {.title = "Parameters", .width = total_column, .minimum = 122, .align = Align::right, .mono = true});
    columns.push_back({.title = "Off", .width = 76, .minimum = 68, .align = Align::right, .mono = true});
    const TableResult result =
        short_table(ui, "solve.sizes", columns, found.sizes.size(), wanted_width(ui, columns),
                    [&](std::size_t index, TableRow& line) { fill_size(panel, found, shown, index, line); });
    if (result.hovered) {
        const SizedModel& size = found.sizes[static_cast<std::size_t>(*result.hovered)];
        explain(ui, "The same shape", amount_formula(size.architecture, {}, Metric::total), Metric::total,
                size.parameters.total);
    }
    if (result.clicked) adopt_size(panel, found.sizes[static_cast<std::size_t>(*result.clicked)]);
    gap(ui, 8);
    paragraph(ui, ui.fonts.table, ui.theme.text_low,
              family
                  ? "Width to depth and feed-forward to width go from each published size to the next; the head size "
                    "is kept."
                  : "Width to depth, feed-forward to width and the head size are kept.");
}

void draw_training(SolvePanel& panel, const FoundTraining& found) {
    const Ui& ui = panel.ui;
    section_title(ui, "Tokens for a training budget", "a rule");
    gap(ui, 4);
    AmountRow row{"Budget in FLOPs", power_text(found.rule.flops), {}, "5.76e23, 10 EFLOP"};
    if (!found.problem.empty()) row.problem = found.problem + ".";
    amount_row(panel, "solve.budget", row, panel.place().budget,
               [](SolvePlace& place) -> std::string& { return place.budget; });
    gap(ui, 4);
    if (!found.problem.empty()) return;
    const std::array<TableColumn, 5> columns{
        TableColumn{.title = "Training", .width = 168, .minimum = 128, .grows = true},
        TableColumn{.title = "N", .width = 72, .minimum = 60, .align = Align::right, .mono = true},
        TableColumn{.title = "Tokens D", .width = 72, .minimum = 60, .align = Align::right, .mono = true},
        TableColumn{.title = "D / N", .width = 56, .minimum = 44, .align = Align::right, .mono = true},
        TableColumn{.title = "FLOPs", .width = 80, .minimum = 68, .align = Align::right, .mono = true}};
    const TableResult result = short_table(ui, "solve.plans", columns, 3, ui.px(640),
                                           [&](std::size_t index, TableRow& line) { fill_plan(found, index, line); });
    if (result.hovered) {
        const TrainingPlan& plan = plan_of(found, static_cast<std::size_t>(*result.hovered));
        const std::string value = power_text(plan.flops) + " FLOPs";
        const std::string derivation =
            "C = 6·N·D = 6·" + rough_count_text(plan.parameters) + "·" + rough_count_text(plan.tokens);
        show_tooltip(ui, {.title = "A whole training", .value = value, .derivation = derivation});
    }
    gap(ui, 8);
    // A mixture's budget is of its active parameters, a size of all.
    const bool fits =
        found.best.parameters >= 1 && found.best.parameters < 9e18 && !panel.found.of.architecture.layer.mixture;
    const std::string size = rough_count_text(found.best.parameters);
    const std::string label = "This shape with " + size;
    if (const About about(total_key); fits && button(ui, "solve.best", {.label = label, .small = true}))
        panel.ask([&](SolvePlace& place) { place.size = size; });
    gap(ui, 8);
    paragraph(ui, ui.fonts.mono, ui.theme.text_mid, "C = 6·N·D, D = 20·N");
    gap(ui, 4);
    paragraph(ui, ui.fonts.caption, ui.theme.text_low, std::string(compute_optimal_source) + ".");
    draw_laws(panel, found);
}

}  // namespace headcount
