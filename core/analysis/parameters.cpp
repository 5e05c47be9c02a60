// Exact parameter counts, read off a graph.
#include "core/analysis/parameters.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

#include "core/arch/layers.hpp"
#include "core/base/checked.hpp"
#include "core/graph/ops.hpp"

namespace headcount {

namespace {

// Tensors of every layer are summed within one layer and multiplied by L once, as people write it.
Expr formula_over(const ModelGraph& graph, const std::function<bool(const StoredTensor&)>& counts) {
    std::vector<Expr> terms;
    std::vector<std::pair<Expr, std::vector<Expr>>> towers;  // a tower's layers likewise
    std::vector<std::vector<Expr>> in_layers(graph.layers.size());
    for (const StoredTensor& tensor : graph.stored) {
        if (!counts(tensor)) continue;
        if (tensor.layer) {
            in_layers[*tensor.layer].push_back(tensor.in_layer * tensor_formula(tensor));
            continue;
        }
        if (tensor.copies == Expr(1)) {
            terms.push_back(tensor_formula(tensor));
            continue;
        }
        if (towers.empty() || towers.back().first != tensor.copies) towers.push_back({tensor.copies, {}});
        towers.back().second.push_back(tensor_formula(tensor));
    }
    for (const auto& [layers, one] : towers) terms.push_back(layers * sum_of(one));
    std::vector<Expr> inside;
    for (const std::vector<Expr>& each : in_layers) inside.push_back(sum_of(each));
    // Layers that differ in their window only hold the same.
    if (std::ranges::all_of(inside, [&](const Expr& each) { return each == inside.front(); })) {
        const Expr all = graph.has_encoder() ? Expr(Symbol::encoder_layers) + Symbol::layers : Expr(Symbol::layers);
        if (inside.front() != Expr(0)) terms.push_back(all * inside.front());
        return sum_of(terms);
    }
    for (std::size_t i = 0; i < inside.size(); ++i)
        if (inside[i] != Expr(0)) terms.push_back(graph.blocks[graph.layers[i].block].repeat * inside[i]);
    return sum_of(terms);
}

Error sum_overflow(std::string_view what) {
    return {"the sum of " + std::string(what) + " does not fit in 64 bits", "parameters", "make a dimension smaller"};
}

Result<ParameterRow> count_tensor(std::size_t index, const StoredTensor& tensor, const Bindings& bindings) {
    ParameterRow row{index, {}, 0, 0, 0, 0};
    row.shape.reserve(tensor.shape.rank());
    for (const Expr& dimension : tensor.shape.dimensions()) {
        Result<std::int64_t> size = evaluate(dimension, bindings);
        if (!size) return within(tensor.name, size.error());
        row.shape.push_back(*size);
    }
    Expr total = tensor.copies * element_count(tensor.shape);
    Result<std::int64_t> all = evaluate(total, bindings);
    if (!all) return within(tensor.name, all.error());
    row.total = *all;
    row.in_layer = *evaluate(tensor.in_layer, bindings);
    row.copies = *evaluate(tensor.copies, bindings);
    row.count = row.total / row.copies;
    return row;
}

}  // namespace

TensorCount count_of(const ModelGraph& graph, const Tensor& parameter, const Bindings& bindings) {
    Result<std::int64_t> one = element_count(parameter.shape, bindings);
    Result<std::int64_t> copies = evaluate(graph.copies(parameter.block), bindings);
    assert(one && copies && "a counted graph's parameters fit in 64 bits");
    return {*one, *copies, *one * *copies};
}

std::optional<Expr> head_share(const Tensor& parameter) {
    bool projects = parameter.part == Part::query || parameter.part == Part::key || parameter.part == Part::value;
    if (parameter.role != Role::parameter || parameter.shape.rank() != 2) return std::nullopt;
    if (projects) return parameter.shape[0] * Symbol::head_dim;
    // h·(d_n + d_v) columns, without the heads.
    if (parameter.part == Part::latent_up) return parameter.shape[0] * parameter.shape[1].right();
    // (h·d_h) × d: its rows without the heads.
    if (parameter.part == Part::attention_output) return parameter.shape[0].right() * parameter.shape[1];
    return std::nullopt;
}

Expr tensor_formula(const StoredTensor& tensor) {
    // (in) · (out) reads as the matrix is multiplied; fused tensors show their parts' sum.
    const Shape& shape = tensor.shape;
    bool out_first = shape.rank() == 2 && shape[1] == Expr(Symbol::dim);
    return out_first ? shape[1] * shape[0] : element_count(shape);
}

Expr component_formula(const ModelGraph& graph, Component component) {
    return formula_over(graph, [&](const StoredTensor& tensor) { return tensor.component == component; });
}

Expr layer_formula(const ModelGraph& graph, std::size_t group) {
    std::vector<Expr> terms;
    for (const StoredTensor& tensor : graph.stored)
        if (tensor.layer == group) terms.push_back(tensor.in_layer * tensor_formula(tensor));
    return sum_of(terms);
}

Expr layer_formula(const ModelGraph& graph) {
    return layer_formula(graph, graph.group_of(graph.main_layer().group.kind));
}

Expr shared_formula(const ModelGraph& graph) {
    return formula_over(graph, [&](const StoredTensor& tensor) { return graph.first_sharing(tensor).has_value(); });
}

Expr total_formula(const ModelGraph& graph) {
    return formula_over(graph, [](const StoredTensor&) { return true; });
}

namespace {

// What a layer has of the part's block against what a token of a text passes of it: E experts against k; of what sees
// or hears none.
std::pair<Expr, Expr> share_passed(const ModelGraph& graph, const StoredTensor& stored) {
    const BlockIndex block = graph.tensors[stored.parts.front()].block;
    if (is_sense(stored.component)) return {1, 0};
    return {graph.copies_in_layer(block), graph.runs_in_layer(block)};
}

// How the nodes read a parameter: rows of a table, which are looked up or added and not multiplied, or in another way,
// and there for each of an encoder's tokens.
struct Reading {
    bool rows = false, otherwise = false, of_source = false;
};
std::vector<Reading> readings(const ModelGraph& graph) {
    std::vector<Reading> found(graph.tensors.size());
    for (const Node& node : graph.nodes)
        for (const TensorIndex parameter : node.parameters) {
            Reading& reading = found[parameter];
            const bool rows = info(node.op).moves == Moves::rows;
            (rows ? reading.rows : reading.otherwise) = true;
            if (!rows && graph.of_source(node.output)) reading.of_source = true;
        }
    return found;
}

}  // namespace

std::int64_t active_of(const ModelGraph& graph, const ParameterRow& row, const Bindings& bindings) {
    const auto [there, passed] = share_passed(graph, graph.stored[row.stored]);
    if (there == passed) return row.total;
    return row.total / *evaluate(there, bindings) * *evaluate(passed, bindings);
}

Result<Parameters> count_parameters(const ModelGraph& graph, const Bindings& bindings) {
    Parameters result;
    result.tensors.reserve(graph.stored.size());
    result.by_layer.resize(graph.layers.size());
    std::int64_t looked_up = 0, idle = 0;
    const std::vector<Reading> read = readings(graph);
    for (std::size_t i = 0; i < graph.stored.size(); ++i) {
        Result<ParameterRow> row = count_tensor(i, graph.stored[i], bindings);
        if (!row) return row.error();
        const StoredTensor& tensor = graph.stored[i];
        std::int64_t& component = result.by_component[static_cast<std::size_t>(tensor.component)];
        bool fits = add_to(component, row->total) && add_to(result.total, row->total);
        const bool shared = graph.first_sharing(tensor).has_value();
        if (tensor.layer) fits = fits && add_to(result.by_layer[*tensor.layer], row->count * row->in_layer);
        if (shared) fits = fits && add_to(result.shared_by_layers, row->total);
        if (tensor.layer || shared) fits = fits && add_to(result.in_layers, row->total);
        if (!fits) return sum_overflow("all tensors up to " + tensor.name);
        const Reading& reading = read[tensor.parts.front()];
        if (reading.rows && !reading.otherwise) looked_up += row->total;
        idle += row->total - active_of(graph, *row, bindings);
        if (graph.has_encoder() && reading.of_source) result.source_multiplied += active_of(graph, *row, bindings);
        result.tensors.push_back(std::move(*row));
    }
    for (std::size_t i = 0; i < graph.buffers.size(); ++i) {
        Result<ParameterRow> row = count_tensor(i, graph.buffers[i], bindings);
        if (!row) return row.error();
        if (!add_to(result.buffers, row->total)) return sum_overflow("all buffers");
    }
    result.per_layer = result.by_layer[graph.group_of(graph.main_layer().group.kind)];
    result.active = result.total - idle;
    result.active_multiplied = result.active - looked_up;
    return result;
}

namespace {

Error overflow() {
    return {"the sum of all tensors does not fit in 64 bits", "parameters", "make a dimension smaller"};
}

// Of heads and groups only which of them are one, and whether they are as many, makes another graph.
void set_to_one(Recurrence& recurrence) {
    const bool shared = recurrence.groups < recurrence.heads;
    recurrence.groups = recurrence.groups > 1 ? 2 : 1;
    recurrence.heads = shared ? 2 * recurrence.groups : recurrence.groups;
    recurrence.state_dim = recurrence.head_dim = recurrence.conv_kernel = recurrence.step_rank = 1;
    recurrence.blend_rank = recurrence.write_rank = recurrence.value_rank = recurrence.gate_rank = 1;
}

// The same encoder with every number set to 1.
Encoder one_of(const Encoder& encoder) {
    const auto one = [](const std::optional<std::int64_t>& number) {
        return number ? std::optional<std::int64_t>(1) : std::nullopt;
    };
    const bool alike = encoder.windowed.cycle() == 1 && encoder.windowed.first() == 0 &&
                       encoder.mixtures.cycle() == 1 && encoder.mixtures.first() == 0;
    return {alike ? 1 : encoder.layers, one(encoder.ffn_dim), encoder.own_embedding, one(encoder.vocab),
            one(encoder.context),       encoder.windowed,     encoder.mixtures};
}

Architecture ones_of(const Architecture& arch) {
    Architecture shape = arch;
    shape.name.clear();
    shape.layers = pattern_length(arch) == 1 ? 1 : arch.layers;  // all alike: their number is only a factor
    shape.dim = shape.vocab = shape.context = shape.classes = 1;
    for (std::optional<std::int64_t>* width :
         {&shape.embedding_dim, &shape.transform_dim, &shape.classifier_dim, &shape.layer.laurel_rank})
        if (*width) *width = 1;
    shape.token_types = std::min<std::int64_t>(arch.token_types, 1);
    // How numbers are made of others, no formula says.
    shape.norm.epsilon = 0;
    shape.norm.kind = NormKind::rms;
    Activation& activation = shape.layer.feed_forward.activation;
    if (activation != Activation::xielu) activation = Activation::silu;  // that has weights
    if (arch.encoder) shape.encoder = one_of(*arch.encoder);
    if (!arch.family->besides) shape.carried = {};
    Attention& attention = shape.layer.attention;
    attention.heads = 1;
    attention.kv_heads = attention.head_dim = attention.rotary_dim = std::nullopt;
    attention.relative_buckets = 1;
    if (attention.window) attention.window->size = 1;
    if (attention.latent)
        attention.latent =
            Latent{attention.latent->query_rank ? std::optional<std::int64_t>(1) : std::nullopt, 1, 1, 1, 1};
    shape.layer.feed_forward.width = std::int64_t{1};
    if (shape.layer.recurrence) set_to_one(*shape.layer.recurrence);
    if (std::optional<Mixture>& mixture = shape.layer.mixture) {
        mixture->experts = mixture->experts_per_token = mixture->expert_dim = 1;
        if (mixture->shared_experts > 0) mixture->shared_experts = 1;
    }
    return shape;
}

}  // namespace

TotalFormulas::TotalFormulas(const ModelGraph& graph) {
    terms_.reserve(graph.stored.size());
    for (const StoredTensor& tensor : graph.stored) {
        auto [there, passed] = share_passed(graph, tensor);
        if (there == passed) there = passed = 1;
        const std::optional<std::size_t> shared = graph.first_sharing(tensor);
        terms_.push_back({.shape = tensor.shape,
                          .copies = tensor.copies,
                          .in_layer = tensor.in_layer,
                          .group = tensor.layer ? tensor.layer : shared,
                          .shared = shared.has_value(),
                          .there = std::move(there),
                          .passed = std::move(passed)});
    }
    for (const LayerBlock& layer : graph.layers) kinds_.push_back(layer.group.kind);
    tied_layers_ = graph.tied_layers;
}

std::optional<std::vector<std::int64_t>> TotalFormulas::depths_of(const Architecture& arch) const {
    if (tied_layers_) return std::nullopt;  // which have one set of weights, however many there are
    std::vector<std::int64_t> depths(kinds_.size());
    for (const LayerGroup& group : layer_groups(arch)) {
        const auto known = std::ranges::find(kinds_, group.kind);
        if (known == kinds_.end()) return std::nullopt;
        depths[static_cast<std::size_t>(known - kinds_.begin())] = group.count;
    }
    return depths;
}

Result<std::int64_t> TotalFormulas::total_of(const Term& term, const Bindings& bindings, Depths depths) {
    const bool counted = term.group && !depths.empty();
    const std::int64_t layers = counted ? depths[*term.group] : 1;
    if (layers == 0) return std::int64_t{0};
    const Result<std::int64_t> one = element_count(term.shape, bindings);
    if (!one) return one.error();
    const Result<std::int64_t> copies = evaluate(counted && !term.shared ? term.in_layer : term.copies, bindings);
    if (!copies) return copies.error();
    std::optional<std::int64_t> all = checked_multiply(*one, *copies);
    if (all && !term.shared) all = checked_multiply(*all, layers);
    if (!all) return overflow();
    return *all;
}

Result<std::int64_t> TotalFormulas::total_at(const Bindings& bindings, Depths depths) const {
    std::int64_t sum = 0;
    for (const Term& term : terms_) {
        const Result<std::int64_t> all = total_of(term, bindings, depths);
        if (!all) return all.error();
        if (!add_to(sum, *all)) return overflow();
    }
    return sum;
}

Result<Totals> TotalFormulas::at(const Bindings& bindings, Depths depths) const {
    const Result<std::int64_t> total = total_at(bindings, depths);
    if (!total) return total.error();
    Totals sums{*total, *total};
    for (const Term& term : terms_) {
        if (term.there == term.passed) continue;
        const std::int64_t all = *total_of(term, bindings, depths);
        const Result<std::int64_t> there = evaluate(term.there, bindings), passed = evaluate(term.passed, bindings);
        if (!there) return there.error();
        if (!passed) return passed.error();
        const std::optional<std::int64_t> used = *there > 0 ? checked_multiply(all / *there, *passed) : 0;
        if (!used || !add_to(sums.active, *used - all)) return overflow();
    }
    return sums;
}

FormulaShape formula_shape(const Architecture& arch) {
    FormulaShape shape{ones_of(arch), {}, {}, {}};
    if (arch.family->besides) shape.besides = arch.family->besides(arch);
    if (arch.family->shared) shape.shared = arch.family->shared(arch);
    if (!shape.shared) return shape;
    const std::int64_t columns = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
    const auto as_wide = [&](std::int64_t a, std::int64_t b) { return checked_multiply(a, b) == shape.shared->width; };
    shape.as_wide = {as_wide(2, arch.dim), as_wide(arch.layer.attention.heads, columns),
                     as_wide(kv_heads(arch), columns)};
    if (shape.as_wide[0]) shape.shared->width = 1;
    return shape;
}

namespace {

// Whether layers have of both lists, entry by entry, what others have or what all have in the same cases: then a kind
// of layers (LayerKind::besides) means the same in both, whichever layers these are.
bool are_shared_alike(const std::vector<Extra>& a, const std::vector<Extra>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].in_layers != b[i].in_layers) return false;
        if ((a[i].layers == LayerSet()) != (b[i].layers == LayerSet())) return false;
        for (std::size_t j = 0; j < i; ++j)
            if ((a[i].layers == a[j].layers) != (b[i].layers == b[j].layers)) return false;
    }
    return true;
}

}  // namespace

std::optional<std::vector<std::int64_t>> ShapedTotals::depths_in(const Architecture& arch,
                                                                 const FormulaShape& shape) const {
    if (shape == of) return std::vector<std::int64_t>{};
    if (shape.ones.layers == of.ones.layers) return std::nullopt;
    FormulaShape as_deep = shape;
    as_deep.ones.layers = of.ones.layers;
    // Which layers have what is said by their kinds.
    if (as_deep.shared && of.shared) {
        const std::int64_t uses = shape.shared->layers.count(arch.layers);
        const bool all_adapted = uses <= std::min(shape.shared->adapted, of.shared->adapted);
        as_deep.shared->layers = of.shared->layers;
        if (all_adapted) as_deep.shared->adapted = of.shared->adapted;
    }
    if (!are_shared_alike(as_deep.besides, of.besides)) return std::nullopt;
    for (std::size_t i = 0; i < of.besides.size(); ++i) as_deep.besides[i].layers = of.besides[i].layers;
    return as_deep == of ? formulas.depths_of(arch) : std::nullopt;
}

}  // namespace headcount
