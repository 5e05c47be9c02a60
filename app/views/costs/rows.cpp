// Makes the texts of the Costs view from its figures; see the header.
#include "app/views/costs/rows.hpp"

#include <algorithm>

#include "core/analysis/rates.hpp"
#include "core/base/text.hpp"
#include "core/files/open.hpp"
#include "core/report/costs_report.hpp"

namespace headcount {
namespace {

struct Making {
    const Costs& costs;
    const ModelGraph& shown;  // that Explore has
    std::vector<HeldRow>& rows;
};

// `row`: all but its texts of numbers and its part of the total.
HeldRow& add(const Making& making, HeldRow row, const MemoryFigure& whole, const MemoryFigure& each = {},
             bool of_weights = false) {
    row.whole = whole;
    row.each = each;
    const std::string sign(of_weights ? doubt_sign(making.costs.weights_doubt) : "");
    row.bytes = grouped(whole.bytes);
    row.gib = sign + bytes_text(whole.bytes);
    row.share = percent(whole.bytes, making.costs.memory.total);
    row.formula = in_symbols(whole.formula);
    if (each.bytes > 0) row.on_device = sign + bytes_text(each.bytes);
    return making.rows.emplace_back(std::move(row));
}

Subject tensor_subject(const ModelGraph& graph, std::string_view id) {
    return graph.find(id) ? Subject(TensorSubject{std::string(id)}) : Subject();
}

Subject first_of(const ModelGraph& graph, Role role) {
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == role) return TensorSubject{tensor.id};
    return {};
}

// What a recurrence keeps of a sequence, where there is one.
void add_states(const Making& making) {
    const Memory& memory = making.costs.memory;
    if (memory.states.bytes == 0) return;
    Subject subject;
    for (const Node& node : making.shown.nodes)
        if (node.op == Op::update_state && nothing(subject))
            subject = TensorSubject{making.shown.tensors[node.output].id};
    add(making,
        {.key = "states",
         .label = std::string(states_title(memory)),
         .subject = subject,
         .explained = "What layers with a state remember of each sequence: as much after any number of tokens. States "
                      "are kept in 32 bits, whatever weights are in; what a convolution keeps of the tokens before is "
                      "in the format of the cache.",
         .swatch = SwatchLook::cached,
         .colour = &Theme::state_rate},
        memory.states, memory.device.states);
}

void add_weights(const Making& making) {
    const Memory& memory = making.costs.memory;
    add(making,
        {.key = "weights",
         .label = "Weights",
         .subject = TotalSubject{},
         .explained = "Every parameter in the number format that is chosen.",
         .terms = "of the components below",
         .strong = true},
        memory.weights, memory.device.weights, true);
    for (std::size_t i = 0; i < components.size(); ++i) {
        const MemoryFigure& figure = memory.weights_by_component[i];
        if (figure.bytes == 0) continue;
        add(making,
            {.key = component_key(components[i]),
             .label = std::string(component_name(components[i])),
             .component = components[i],
             .subject = components[i],
             .swatch = SwatchLook::parameter,
             .inside = true},
            figure, {}, true);
    }
}

// What is part of no total: what the cache grows by, what is there for a moment.
void add_besides(const Making& making, HeldRow row, const MemoryFigure& figure, Role of) {
    row.subject = first_of(making.shown, of);
    row.colour = &Theme::kv_edge;
    row.inside = row.besides = true;
    add(making, std::move(row), figure).share.clear();
}

void add_cache(const Making& making) {
    const Memory& memory = making.costs.memory;
    if (memory.cache.bytes > 0)
        add(making,
            {.key = "cache",
             .label = "KV cache",
             .subject = first_of(making.shown, Role::cache),
             .explained = "Keys and values of all tokens, for every layer and sequence.",
             .swatch = SwatchLook::cached,
             .colour = &Theme::kv_edge},
            memory.cache, memory.device.cache);
    const bool windows = memory.cache_next_token.has_value();
    if (memory.cache_per_token.bytes > 0)
        add_besides(making,
                    {.key = "token",
                     .label = windows ? "One more token, inside the window" : "One more token",
                     .explained = "What the cache grows by with each further token of one sequence."},
                    memory.cache_per_token, Role::cache);
    if (windows)
        add_besides(
            making,
            {.key = "next",
             .label = "One more token, after " + grouped(all_at_once(making.costs.of.input).tokens),
             .explained = "What the cache really grows by there: a layer whose window is full lets go of a token."},
            *memory.cache_next_token, Role::cache);
}

// Both are so many bytes a parameter.
void add_per_parameter(const Making& making) {
    const Memory& memory = making.costs.memory;
    HeldRow row{.key = "gradients",
                .label = "Gradients",
                .subject = TotalSubject{},
                .explained = "One number for each parameter, in the weights' format.",
                .swatch = SwatchLook::parameter,
                .colour = &Theme::text_low};
    add(making, row, memory.gradients, memory.device.gradients);
    row.key = "optimizer";
    row.label = "Optimizer";
    row.explained = "What it remembers of each parameter, and the copy of the weights in 32 bits.";
    row.colour = &Theme::edge;
    add(making, row, memory.optimizer, memory.device.optimizer);
}

void add_total(const Making& making) {
    const Memory& memory = making.costs.memory;
    // The weights are most of it.
    const HeldRow total{.key = "total", .label = "Total", .subject = TotalSubject{}, .sum = true, .strong = true};
    add(making, total, {.bytes = memory.total}, {.bytes = memory.device.total}, true).formula.clear();
}

// "feed_forward" as words.
std::string spaced(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

std::string place_name(const std::string& block) {
    if (block == "again") return "Computed again, a layer at a time";
    std::string text;
    for (const char letter : block) text += letter == '.' ? " · " : std::string(1, letter);
    return capitalized(spaced(std::move(text)));
}

// The same model trained with each way to recompute; those are few formulas.
std::vector<KeptRow> kept_of(const Costs& costs) {
    std::vector<KeptRow> rows;
    std::vector<std::string> blocks;
    for (std::size_t way = 0; way < recompute_words().size(); ++way) {
        MemoryOptions options = costs.options;
        options.training->recompute = static_cast<Recompute>(way);
        const bool chosen = options.training->recompute == costs.options.training->recompute;
        const Result<Memory> found = memory(costs.of.architecture, costs.held.graph, costs.held.bindings, options);
        if (!found) continue;
        for (const KeptActivations& kept : found->kept) {
            auto at = static_cast<std::size_t>(std::ranges::find(blocks, kept.block) - blocks.begin());
            if (at == blocks.size()) {
                blocks.push_back(kept.block);
                rows.push_back({place_name(kept.block), grouped(kept.layers), {}, {}});
            }
            rows[at].bytes[way] = bytes_text(kept.all.bytes);
            if (chosen) rows[at].formula = in_symbols(kept.one.formula);
        }
    }
    return rows;
}

std::string place_of_run(const ModelGraph& graph, const Node& node) {
    const Block& block = graph.blocks[node.block];
    if (block.id.empty()) return block.name;
    const LayerGroup* const group = group_of(graph, node.block);
    const bool told = group && graph.layers.size() > 1 && !group->label.empty();
    return told ? spaced(block.name) + ", " + group->label : spaced(block.name);
}

// `seconds`: of all operations, each by itself.
RunRow run_row(const Costs& costs, const OperationWork& work, double seconds) {
    const ModelGraph& graph = costs.run.graph;
    const Node& node = graph.nodes[work.node];
    RunRow row;
    row.label = label_of(graph, work);
    row.place = place_of_run(graph, node);
    row.copies = grouped(work.copies);
    row.bytes = bytes_text(work.bytes);
    row.id = id_of(graph, work);
    row.tensor = node.output;
    row.note = row.bytes + " moved";
    if (const std::int64_t flops = work.flops.counted(); flops > 0) {
        row.flops = flop_text(static_cast<double>(flops));
        row.intensity = real_text(intensity_of(work.flops, work.bytes));
        row.note = row.flops + ", " + percent(flops, costs.run.work.flops.counted()) + " of all\n" + row.note;
    }
    if (!costs.run.roof) return row;
    const double own = seconds_at(*costs.run.roof, work);
    row.of_time = seconds > 0 ? own / seconds : 0;
    row.bound = bound_by_memory(*costs.run.roof, work) ? "memory" : "arithmetic";
    constexpr double fine = 1e12;        // so that nothing that is there is 0 %
    constexpr double least_said = 1e-4;  // smaller ones would have no room in their column
    row.share = row.of_time > 0 && row.of_time < least_said
                    ? "< 0.01 %"
                    : percent(static_cast<std::int64_t>(row.of_time * fine), static_cast<std::int64_t>(fine));
    row.note += "\nno faster than " + seconds_text(own) + ": bound by " + row.bound;
    return row;
}

CostsRows rows_of(std::shared_ptr<const Costs> of, const Shown& model) {
    CostsRows rows;
    const Costs& costs = *of;
    const ModelGraph& shown = model.derived.shown.graph;
    rows.held = held_rows(costs, shown);
    if (costs.options.training)
        rows.kept = kept_of(costs);
    else if (const Tensor* made = costs.held.graph.find(costs.memory.where))
        rows.where = std::string(made->label);
    double seconds = 0;
    for (const OperationWork& work : costs.run.work.operations)
        if (costs.run.roof) seconds += seconds_at(*costs.run.roof, work);
    for (const OperationWork& work : costs.run.work.operations) rows.run.push_back(run_row(costs, work, seconds));
    rows.of = std::move(of);
    return rows;
}

}  // namespace

std::vector<HeldRow> held_rows(const Costs& costs, const ModelGraph& shown) {
    std::vector<HeldRow> rows;
    const Making to{costs, shown, rows};
    const Memory& memory = costs.memory;
    add_weights(to);
    HeldRow activations{.key = "activations",
                        .explained = "What operations read and make. In inference the most at once.",
                        .swatch = SwatchLook::parameter,
                        .colour = &Theme::activation_edge};
    if (costs.options.training) {
        activations.label = "Activations kept";
        activations.terms = "of what is kept in each place below; point at one";
        add(to, activations, memory.activations, memory.device.activations);
        add_per_parameter(to);
        add_total(to);
        add_besides(to, {.key = "backward", .label = "For a moment besides"}, memory.backward, Role::activation);
    } else {
        add_cache(to);
        add_states(to);
        activations.label = "Activations at most";
        activations.subject = tensor_subject(shown, memory.where);
        add(to, activations, memory.activations, memory.device.activations);
        add_total(to);
    }
    return rows;
}

const CostsRows& costs_rows(const Ui& ui, const Shown& model, const CostsPage& page) {
    CostsRows& rows = kept<CostsRows>(ui, "costs.rows");
    if (rows.of != page.shown) rows = page.shown ? rows_of(page.shown, model) : CostsRows{};
    return rows;
}

ImU32 held_colour(const Theme& theme, const HeldRow& row) {
    return row.component ? component_colour(theme, *row.component) : theme.*row.colour;
}

Swatch held_swatch(const Theme& theme, const HeldRow& row) {
    return row.swatch == SwatchLook::none ? Swatch{} : Swatch{row.swatch, held_colour(theme, row)};
}

Subject subject_of_run(const Shown& model, const RunRow& row) {
    return tensor_subject(model.derived.shown.graph, row.id);
}

void show_in_explore(const Shown& model, std::string_view tensor, Intents& intents) {
    const ModelGraph& graph = model.derived.shown.graph;
    const Tensor* const found = graph.find(tensor);
    if (!found) return;
    intents.push_back(ShowWorkspace{explore_view});
    intents.push_back(Select{TensorSubject{found->id}});
    intents.push_back(GoTo{Place{graph.blocks[found->block].id, 0, {}}});
}

}  // namespace headcount
