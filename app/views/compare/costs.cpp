// Memory and arithmetic of both sides as tables.
#include <algorithm>
#include <cmath>

#include "app/parts/words.hpp"
#include "app/views/compare/panels.hpp"
#include "core/analysis/goal.hpp"
#include "core/analysis/links.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/sweep.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

std::string context_of(const Counted& side, const PassOptions& pass) {
    const std::string phase = pass.phase == Phase::prefill ? "" : " · " + std::string(word_of(phase_nouns, pass.phase));
    return tokens_text(side.input) + " · " + formats_said(side.input) + phase;
}

Result<Memory> memory_of(const Counted& side, const PassOptions& pass) {
    const MemoryOptions options = pass.held(side.input);
    const Result<CountedModel> held = held_model(side.architecture, side.input);
    return held ? memory(side.architecture, held->graph, held->bindings, options) : held.error();
}

std::string formula_text(const MemoryFigure& a, const MemoryFigure& b) {
    const std::string in_a = in_symbols(a.formula), in_b = in_symbols(b.formula);
    return in_a == in_b ? in_a : in_a + " → " + in_b;
}

CompareRow memory_row(std::string name, std::string label, const MemoryFigure& a, const MemoryFigure& b) {
    CompareRow row;
    row.change = b.bytes - a.bytes;
    row.name = std::move(name);
    row.cells = {std::move(label), bytes_text(a.bytes), bytes_text(b.bytes),    a.bytes,
                 b.bytes,          std::string(),       ChangeCell{row.change}, formula_text(a, b)};
    row.low = row.change == 0;
    return row;
}

// Before what is only about known of a side.
void add_signs(CompareRow& row, const BothSides& both) {
    for (const auto& [cell, side] : {std::pair(1, CompareSide::a), {2, CompareSide::b}}) {
        auto& text = std::get<std::string>(row.cells[static_cast<std::size_t>(cell)]);
        text.insert(0, sign_of(both.of(side).derived, Metric::memory));
    }
}

void add_weights(CompareTable& table, const Theme& theme, const BothSides& both, const Memory& a, const Memory& b) {
    table.rows.push_back(memory_row("weights", "Weights", a.weights, b.weights));
    table.rows.back().colour = theme.text_mid;
    table.rows.back().subject = TotalSubject{};
    for (const Component component : components) {
        const auto at = static_cast<std::size_t>(component);
        const MemoryFigure &in_a = a.weights_by_component[at], &in_b = b.weights_by_component[at];
        if (in_a.bytes == 0 && in_b.bytes == 0) continue;
        CompareRow row = memory_row("weights." + std::string(component_key(component)),
                                    std::string(component_name(component)), in_a, in_b);
        row.colour = component_colour(theme, component);
        row.swatch = {SwatchLook::parameter, row.colour};
        row.subject = component;
        row.inner = true;
        table.rows.push_back(std::move(row));
    }
    for (CompareRow& row : table.rows) add_signs(row, both);
}

void add_pass(CompareTable& table, const Theme& theme, const Memory& a, const Memory& b) {
    const bool windows = a.cache_next_token || b.cache_next_token;
    for (CompareRow row :
         {memory_row("cache", "KV cache", a.cache, b.cache),
          memory_row("cache.per_token", windows ? "Each token, inside the window" : "KV cache, each token",
                     a.cache_per_token, b.cache_per_token)}) {
        row.colour = theme.kv_edge;
        row.swatch = {SwatchLook::cached, theme.kv_edge};
        row.inner = row.name == "cache.per_token";
        table.rows.push_back(std::move(row));
    }
    if (a.states.bytes > 0 || b.states.bytes > 0) {
        CompareRow states = memory_row(
            "states", std::string(states_title(a.wide_states ? a : b)) + ", the same after any number of tokens",
            a.states, b.states);
        states.colour = theme.state_rate;
        states.swatch = {SwatchLook::cached, theme.state_rate};
        table.rows.push_back(std::move(states));
    }
    CompareRow row = memory_row("activations", "Activations, most at once", a.activations, b.activations);
    row.colour = theme.activation_edge;
    row.swatch = {SwatchLook::activation, theme.activation_edge};
    table.rows.push_back(std::move(row));
}

const Tensor& output(const Pass& pass, const OperationWork& operation) {
    return pass.graph.tensors[pass.graph.nodes[operation.node].output];
}

const OperationWork* find(const Pass& pass, std::string_view id) {
    for (const OperationWork& each : pass.work.operations)
        if (output(pass, each).id == id) return &each;
    return nullptr;
}

CompareRow work_row(const Theme& theme, const Tensor& tensor, const OperationWork* a, const OperationWork* b) {
    CompareRow row;
    const std::int64_t in_a = a ? a->flops.counted() : 0, in_b = b ? b->flops.counted() : 0;
    const std::int64_t read_a = a ? a->bytes : 0, read_b = b ? b->bytes : 0;
    row.change = in_b - in_a;
    row.name = tensor.id;
    row.cells = {std::string(tensor.label), std::string(tensor.symbol), in_a, in_b, read_a, read_b, std::string(),
                 ChangeCell{row.change}};
    row.swatch = swatch_of(theme, tensor);
    row.colour = part_colour(theme, tensor.part);
    row.subject = TensorSubject{tensor.id};
    row.low = row.change == 0 && read_a == read_b;
    return row;
}

// What those wait for who use either, at the roof of the device of Costs.
void add_served(CompareTable& table, const BothSides& both) {
    const auto served = [&](const Counted& side) {
        return served_of(side.architecture, side.input, both.pass).value_or(Served{});
    };
    const Served a = served(both.a()), b = served(both.b());
    for (const MetricInfo& each : metrics) {
        const std::optional<double> in_a = value_of(a, each.metric), in_b = value_of(b, each.metric);
        if (!in_a && !in_b) continue;
        const auto text = [&](std::optional<double> value, std::string_view sign = {}) {
            return value ? std::string(sign) + figure_text(each.metric, *value) : std::string();
        };
        const auto of = [&](const Shown& side, std::optional<double> value) {
            return text(value, sign_of(side.derived, each.metric));
        };
        CompareRow& row = table.rows.emplace_back();
        row.name = each.key;
        row.cells = {std::string(each.label), std::string(), of(both.own, in_a), of(both.other, in_b),
                     std::string(),           std::string(), std::string(),      std::string()};
        if (in_a && in_b && *in_a != *in_b)
            row.cells.back() = (*in_b < *in_a ? "-" : "+") + text(std::abs(*in_b - *in_a));
        row.low = in_a == in_b;
    }
    if (a.next_token || b.next_token) table.remark += " · times and rates at the roof of " + both.pass.device->name;
}

}  // namespace

CompareTable compare_memory_table(const Theme& theme, const BothSides& both) {
    CompareTable table = with_columns({{"What", 240, 180, Align::left, false},
                                       {"A", 96, 84, Align::right, true},
                                       {"B", 96, 84, Align::right, true},
                                       {"Bytes in A", 140, 116, Align::right, true},
                                       {"Bytes in B", 140, 116, Align::right, true},
                                       {"Change", 168, 64, Align::centre},
                                       {"Change in bytes", 150, 120, Align::right, true},
                                       {"In symbols", 260, 120, Align::left, true, true, true}},
                                      5);
    const Result<Memory> a = memory_of(both.a(), both.pass), b = memory_of(both.b(), both.pass);
    if (!a || !b) {
        table.failure = (a ? "B: " : "A: ") + sentence(a ? b.error() : a.error());
        return table;
    }
    add_weights(table, theme, both, *a, *b);
    add_pass(table, theme, *a, *b);
    CompareRow sum = memory_row("sum", "Together", {.bytes = a->total}, {.bytes = b->total});
    sum.cells.back() = std::string();
    sum.low = false;
    sum.strong = true;
    sum.subject = TotalSubject{};
    add_signs(sum, both);
    table.rows.push_back(std::move(sum));
    table.remark = "inference on one device, attention fused · " + context_of(both.a(), both.pass);
    return table;
}

CompareTable compare_compute_table(const Theme& theme, const BothSides& both) {
    CompareTable table = with_columns({{"Operation", 220, 150, Align::left, false, false, true},
                                       {"Makes", 70, 60, Align::left, true, true},
                                       {"FLOP in A", 160, 128, Align::right, true},
                                       {"FLOP in B", 160, 128, Align::right, true},
                                       {"Bytes moved in A", 140, 112, Align::right, true},
                                       {"Bytes moved in B", 140, 112, Align::right, true},
                                       {"Change", 168, 64, Align::centre},
                                       {"Change in FLOP", 170, 132, Align::right, true}},
                                      6);
    const PassOptions options = both.pass;
    const auto pass = [&](const Counted& side) {
        return device_pass_of(side.architecture, side.input, options.phase, options);
    };
    const Result<Pass> a = pass(both.a()), b = pass(both.b());
    if (!a || !b) {
        table.failure = (a ? "B: " : "A: ") + sentence(a ? b.error() : a.error());
        return table;
    }
    for (const OperationWork& each : a->work.operations)
        table.rows.push_back(work_row(theme, output(*a, each), &each, find(*b, output(*a, each).id)));
    for (const OperationWork& each : b->work.operations)
        if (!find(*a, output(*b, each).id)) table.rows.push_back(work_row(theme, output(*b, each), nullptr, &each));
    const std::int64_t in_a = a->work.flops.counted(), in_b = b->work.flops.counted();
    CompareRow sum = sum_row(table, ChangeCell{in_b - in_a});
    sum.cells[2] = in_a;
    sum.cells[3] = in_b;
    sum.cells[4] = a->work.bytes;
    sum.cells[5] = b->work.bytes;
    table.rows.push_back(std::move(sum));
    table.remark =
        std::string("one pass over all layers, ") +
        (options.pairs == Pairs::full ? "every query against every key · " : "of scores what is not masked · ") +
        context_of(both.a(), both.pass);
    add_served(table, both);
    return table;
}

}  // namespace headcount
