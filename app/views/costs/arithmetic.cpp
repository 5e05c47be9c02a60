// The right panel of the Costs view: how much is computed and moved, and how fast a device could be at it.
#include <algorithm>

#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/views/costs/panels.hpp"
#include "core/analysis/amount_text.hpp"
#include "core/analysis/factored.hpp"
#include "core/analysis/goal.hpp"
#include "core/analysis/links.hpp"
#include "core/analysis/made_for.hpp"
#include "core/analysis/rates.hpp"
#include "core/base/text.hpp"
#include "core/report/costs_report.hpp"
#include "core/report/measured_report.hpp"

namespace headcount {
namespace {

std::string pass_remark(const Costs& costs) {
    const std::string tokens = grouped(costs.run.tokens) + (costs.run.tokens == 1 ? " token" : " tokens");
    const std::int64_t cached = costs.run.bindings[Symbol::cached].value_or(0);
    const std::string behind = ", " + grouped(cached) + " cached";
    switch (costs.of.place.phase) {
        case Phase::prefill:
            // One token behind others is what decoding computes.
            if (cached > 0 && costs.run.bindings[Symbol::tokens] == 1) return "decoding step of " + tokens + behind;
            return "prefill of " + tokens + (cached > 0 ? behind : "");
        case Phase::decode: return "decoding step of " + tokens + behind;
        case Phase::training: break;
    }
    return "a training step of " + tokens;
}

struct Figures {
    Inspector& to;
    const CostsRows& rows;
    CostsFigures column;

    const Costs& costs() const { return *rows.of; }
};

// Each says its own formula where it is pointed at.
std::string terms_of(const Costs& costs) {
    return "of the " + grouped(static_cast<std::int64_t>(costs.run.work.operations.size())) +
           " operations below; point at one for its formula";
}

// Of the pairs that do not count it is made only here.
Expr flops_formula_of(const Costs& costs, bool full) {
    if (full == costs.of.place.full) return costs.flops_formula;
    return flops_formula(costs.run.graph,
                         {.pairs = full ? Pairs::full : Pairs::causal,
                          .absorbed = costs.run.work.absorbed,
                          .trained = options_of(costs.of.place, &costs.device).trained(costs.of.place.phase)});
}

void operations_figure(Figures& figures, bool full) {
    const Costs& costs = figures.costs();
    const Flops& all = costs.run.work.flops;
    const std::int64_t flops = full ? all.full : all.causal;
    const bool counted = full == costs.of.place.full;
    const std::string exact = grouped(flops), brief = flop_text(static_cast<double>(flops));
    const CostsFigure figure{.key = full ? "flops" : "flops_causal",
                             .label = full ? "Operations, full" : "Operations, causal",
                             .exact = exact,
                             .brief = brief,
                             .strong = counted,
                             .tooltip = full ? "Two a multiply-add, every query against every key."
                                             : "Two a multiply-add, without what is masked: the future, and what is "
                                               "outside of a window."};
    figures.column.row(figure, [&] {
        FigureFormula formula{factored(flops_formula_of(costs, full)), flops, {}};
        if (counted) formula.terms = terms_of(costs);
        return formula;
    });
}

// Of latent attention that is absorbed: what the same pass takes as the graph has it.
void anew_figure(Figures& figures) {
    const Costs& costs = figures.costs();
    if (!costs.run.anew) return;
    const std::int64_t flops = costs.run.anew->flops.counted();
    const std::string exact = grouped(flops), brief = flop_text(static_cast<double>(flops));
    const CostsFigure figure{.key = "anew",
                             .label = "Keys and values made anew",
                             .exact = exact,
                             .brief = brief,
                             .tooltip =
                                 "As the graph has it: from the cached bottleneck. The figures here absorb W_ukv "
                                 "into queries and outputs, as DeepSeek decodes, which is faster."};
    figures.column.row(figure, [&] {
        FigureFormula formula{std::nullopt, 0, {{"operations", exact + " = " + brief}}};
        formula.words.emplace_back("moved", bytes_text(costs.run.anew->bytes));
        if (costs.run.roof)
            formula.words.emplace_back("at least", seconds_text(seconds_at(*costs.run.roof, costs.run.anew->least)));
        return formula;
    });
}

void rule_figure(Figures& figures) {
    const Costs& costs = figures.costs();
    const bool training = costs.of.place.phase == Phase::training;
    const About about(total_key);  // N is most of it
    const std::string brief = flop_text(costs.rule);
    constexpr const char* with_source =
        "N_S parameters that each source token is multiplied with, and N of each token of the decoder. "
        "It leaves scores out.";
    std::string tooltip =
        costs.run.source > 0 ? with_source : "N parameters that are multiplied for each token. It leaves scores out.";
    if (costs.held.parameters.shared_by_layers > 0)
        tooltip += " What layers share it counts once, though each of them multiplies by it.";
    const CostsFigure figure{.key = "rule",
                             .label = training ? "By the rule 6·N a token" : "By the rule 2·N a token",
                             .brief = brief,
                             .tooltip = tooltip};
    figures.column.row(figure, [&] {
        const Multiplied multiplied = costs.held.parameters.multiplied();
        std::string symbols = "N·T·B", numbers = grouped(multiplied.token) + "·" + grouped(costs.run.tokens);
        if (costs.run.source > 0) {
            symbols = "(N_S·S + N·T)·B";
            numbers = "(" + grouped(multiplied.source) + "·" + grouped(costs.run.source) + " + " + numbers + ")";
        }
        const std::string times = training ? "6·" : "2·";
        return FigureFormula{
            std::nullopt, 0, {{"symbols", times + symbols}, {"numbers", times + numbers}, {"result", brief}}};
    });
}

void bytes_figure(Figures& figures) {
    const Costs& costs = figures.costs();
    const std::string exact = grouped(costs.run.work.bytes), brief = bytes_text(costs.run.work.bytes);
    const CostsFigure figure{.key = "bytes",
                             .label = "Bytes moved",
                             .exact = exact,
                             .brief = brief,
                             .tooltip =
                                 "What each operation reads and writes: inputs, weights and output once each. "
                                 "Attention is fused: scores stay on the chip."};
    figures.column.row(figure, [&] {
        FigureFormula formula{factored(costs.bytes_formula), costs.run.work.bytes, {{"is", brief}}};
        formula.terms = terms_of(costs);
        return formula;
    });
}

void intensity_figure(Figures& figures) {
    const PassWork& work = figures.costs().run.work;
    const std::string brief = real_text(intensity_of(work.flops, work.bytes));
    const CostsFigure figure{.key = "intensity",
                             .label = "Operations a byte",
                             .brief = brief,
                             .tooltip = "Arithmetic intensity: where it is below the device's ridge, memory decides."};
    figures.column.row(figure, [&] {
        FigureFormula formula{
            std::nullopt, 0, {{"is", grouped(work.flops.counted()) + " / " + grouped(work.bytes)}, {"result", brief}}};
        if (const std::optional<Roof>& roof = figures.costs().run.roof; roof && roof->has_peak())
            formula.words.emplace_back("ridge", peak_text(*roof) + " / " + factor_text(roof->bandwidth / 1e9) +
                                                    " GB/s = " + factor_text(ridge_of(*roof)));
        return formula;
    });
}

std::optional<double> link_of(const Costs& costs) { return options_of(costs.of.place, &costs.device).link; }

// What each device of a group sends to the others in the pass.
void sent_figures(Figures& figures) {
    const Costs& costs = figures.costs();
    for (const LinkUse& each : costs.run.links) {
        const std::string key = "sent." + std::string(each.key), label = "Each sends, " + std::string(each.key);
        const std::string exact = grouped(each.sent.bytes), brief = bytes_text(each.sent.bytes);
        figures.column.row({.key = key,
                            .label = label,
                            .exact = exact,
                            .brief = brief,
                            .tooltip = "Bytes that each device of such a group sends in this pass, at least."},
                           [&] {
                               FigureFormula formula{each.sent.formula, each.sent.bytes, {{"is", brief}}};
                               if (const auto link = link_of(costs))
                                   formula.words.emplace_back(
                                       "at " + bandwidth_text(*link),
                                       seconds_text(static_cast<double>(each.sent.bytes) / *link));
                               return formula;
                           });
    }
}

// Beside the bound, and never in its place.
void likely_figure(Figures& figures, const Likely& likely) {
    const std::string time = seconds_text(likely.seconds());
    const std::string rate = real_text(tokens_per_second(likely.tokens, likely.seconds()));
    figures.column.row({.key = "likely",
                        .label = "Time, likely",
                        .brief = time,
                        .strong = true,
                        .tooltip = "The bound, at the part of its speed that passes most like this one reached."},
                       [&] {
                           return FigureFormula{
                               std::nullopt,
                               0,
                               {{"reached", range_text(likely.efficiency)},
                                {"by", concluded_text(likely)},
                                {"is", seconds_text(likely.bound) + " / " + factor_text(likely.efficiency.likely) +
                                           (likely.follows_part() ? std::string() : " < " + time)},
                                {"result", time + ", " + rate + " tokens a second"}}};
                       });
}

// What those wait for who send the batch: the bound, and beside it what is likely.
void served_figures(Figures& figures) {
    const Costs& costs = figures.costs();
    if (!costs.served || costs.of.place.phase == Phase::training) return;
    const Served& bound = *costs.served;
    for (const MetricInfo& each : metrics) {
        const std::optional<double> best = value_of(bound, each.metric),
                                    is = value_of(costs.likely_served, each.metric);
        if (!best) continue;
        const bool time = each.unit == Unit::seconds;
        const std::string at_roof = (time ? "≥ " : "≤ ") + figure_text(each.metric, *best);
        const std::string likely = is ? figure_text(each.metric, *is) : "";
        figures.column.row(
            {.key = each.key,
             .label = each.label,
             .exact = likely.empty() ? std::string_view() : at_roof,
             .brief = likely.empty() ? at_roof : likely,
             .strong = true,
             .tooltip =
                 "Of the sequences of each copy's batch, a user each: all prompts are read at once, then each step "
                 "writes a token of each. Likely where passes like these were measured."},
            [&] {
                FigureFormula formula{std::nullopt, 0, {{"users", grouped(bound.users)}, {"at the roof", at_roof}}};
                if (!likely.empty()) formula.words.emplace_back("likely", likely);
                return formula;
            });
    }
}

// Hours of the devices, and their price where an hour has one.
void hire_figures(Figures& figures) {
    const Costs& costs = figures.costs();
    if (!costs.hire) return;
    const Hire& hire = *costs.hire;
    const HireTerms terms = hire_terms(costs.of.place);
    const auto row = [&](std::string_view key, std::string_view label, double times, std::string_view unit) {
        const std::string least = real_text(hire.least * times), bound = "≥ " + least;
        const std::string likely = hire.likely ? real_text(*hire.likely * times) : "";
        figures.column.row(
            {.key = key,
             .label = label,
             .exact = likely.empty() ? std::string_view() : bound,
             .brief = likely.empty() ? bound : likely,
             .tooltip = "Time of all devices that share it, added up; likely where passes like it were measured."},
            [&] {
                FigureFormula formula{std::nullopt, 0, {{"of", hire_words(hire)}}};
                formula.words.emplace_back("at least", least + std::string(unit));
                if (!likely.empty()) formula.words.emplace_back("likely", likely + std::string(unit));
                return formula;
            });
    };
    const bool trains = hire.phase == Phase::training;
    row("hours", trains ? "Device hours, training" : "Hours for a million tokens", 1, " hours of a device");
    if (terms.price) row("price", trains ? "Price, training" : "Price of a million tokens", *terms.price, "");
}

void time_figures(Figures& figures) {
    const Costs& costs = figures.costs();
    const std::optional<Roof>& roof = costs.run.roof;
    if (!roof) return;
    const double seconds = costs.run.seconds.value_or(0);
    const std::string time = seconds_text(seconds);
    const std::string tokens = real_text(tokens_per_second(costs.run.tokens, seconds));
    figures.column.row(
        {.key = "seconds",
         .label = "Time, no faster than",
         .brief = time,
         .strong = true,
         .tooltip =
             "A bound: all products at the peak of the devices that share them, or weights, cache "
             "and states once at full bandwidth, or what is sent, whichever takes longer. Real runs take longer."},
        [&] {
            const LeastWork& least = costs.run.work.least;
            const std::string computes = flop_text(static_cast<double>(least.flops)) + " / " + peak_text(*roof);
            const std::string reads = bytes_text(least.bytes) + " / " + bandwidth_text(roof->bandwidth);
            FigureFormula formula{std::nullopt, 0, {}};
            if (roof->has_peak())
                formula.words = {{"larger of", computes}, {"and", reads}};
            else
                formula.words = {{"is", reads}};
            if (costs.run.sending)
                formula.words.emplace_back(
                    "and", bytes_text(sent_by_each(costs.run.links)) + " sent / " + bandwidth_text(*link_of(costs)));
            formula.words.emplace_back("result", time);
            return formula;
        });
    figures.column.row({.key = "rate",
                        .label = "Tokens a second, no more than",
                        .brief = tokens,
                        .strong = true,
                        .tooltip = "The tokens of all sequences by that time."},
                       [&] {
                           return FigureFormula{
                               std::nullopt, 0, {{"is", grouped(costs.run.tokens) + " / " + time}, {"result", tokens}}};
                       });
    if (costs.likely) likely_figure(figures, *costs.likely);
    hire_figures(figures);
}

Figures figures_of(Inspector& inspector, const CostsRows& rows) {
    return {inspector, rows, {inspector, "costs.open.compute", rows.of->run.bindings}};
}

// To a class what the roof is drawn for: how long it takes.
void draw_bounds(Inspector& inspector, const CostsRows& rows) {
    Figures figures = figures_of(inspector, rows);
    time_figures(figures);
}

void draw_arithmetic_figures(Inspector& inspector, const CostsRows& rows, const CostsPage& page) {
    Figures figures = figures_of(inspector, rows);
    operations_figure(figures, rows.of->of.place.full);
    operations_figure(figures, !rows.of->of.place.full);
    anew_figure(figures);
    rule_figure(figures);
    bytes_figure(figures);
    intensity_figure(figures);
    sent_figures(figures);
    time_figures(figures);
    served_figures(figures);
    if (!rows.of->unlikely.empty()) {
        paragraph(inspector.ui, inspector.ui.fonts.table, inspector.ui.theme.text_mid, rows.of->unlikely);
        inspector.ui.recorder.record("costs.unlikely", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    if (page.unmeasured)
        paragraph(inspector.ui, inspector.ui.fonts.table, inspector.ui.theme.text_mid,
                  "How long it likely takes is not said: " + sentence(*page.unmeasured));
    if (page.unread)
        paragraph(inspector.ui, inspector.ui.fonts.table, inspector.ui.theme.text_mid,
                  "Your own devices are left out: " + sentence(*page.unread));
}

void draw_roof(Inspector& inspector, const CostsRows& rows, bool presents) {
    const Ui& ui = inspector.ui;
    const Costs& costs = *rows.of;
    constexpr float part = 0.36F, least = 210, most = 420, least_presented = 120;
    separator(ui, 12, 10);
    const std::optional<Roof>& roof = costs.run.roof;
    section_title(ui, "Roofline", roof ? roof_text(*roof) : "");
    if (!roof || !roof->has_peak()) {
        gap(ui, 4);
        paragraph(ui, ui.fonts.table, ui.theme.text_mid,
                  unpublished_speed(costs.device) + ". There is no roof to draw: choose another device.");
        ui.recorder.record("costs.no_roof", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
        return;
    }
    gap(ui, 4);
    const float height = presents ? std::max(ImGui::GetContentRegionAvail().y / ui.scale, least_presented)
                                  : std::clamp(ImGui::GetWindowSize().y / ui.scale * part, least, most);
    draw_costs_roofline(inspector, rows, height);
}

}  // namespace

Intents draw_costs_arithmetic(const Ui& ui, const Shown& model, const CostsPage& page, const Show& show) {
    const CostsRows& rows = costs_rows(ui, model, page);
    Inspector to{ui, model, {}};
    if (!rows.of) {
        draw_costs_title(ui, page, "Arithmetic", "");
        return std::move(to.intents);
    }
    draw_costs_title(ui, page, "Arithmetic", pass_remark(*rows.of));
    if (show.presenting)
        draw_bounds(to, rows);
    else
        draw_arithmetic_figures(to, rows, page);
    draw_roof(to, rows, show.presenting);
    if (show.presenting) return std::move(to.intents);
    separator(ui, 12, 8);
    draw_costs_operations(to, rows, true);
    return std::move(to.intents);
}

}  // namespace headcount
