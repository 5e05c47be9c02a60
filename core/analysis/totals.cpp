// The totals alone, from formulas that are made once.
#include "core/analysis/totals.hpp"

#include "core/base/checked.hpp"

namespace headcount {
namespace {

Error overflow() {
    return {"the sum of all tensors does not fit in 64 bits", "parameters", "make a dimension smaller"};
}

// Where all layers are alike, their number is only a factor.
bool layers_alike(const Architecture& arch) {
    const auto uniform = [](const LayerSet& layers) { return layers.first() == 0 && layers.cycle() == 1; };
    const Layer& layer = arch.layer;
    return uniform(layer.attention.rotated) && (!layer.attention.window || uniform(layer.attention.window->layers)) &&
           (!layer.mixture || uniform(layer.mixture->layers));
}

// The architecture with every number that its graph has as a symbol set to 1.
Architecture shape_of(const Architecture& arch) {
    Architecture shape;
    shape.family = arch.family;
    shape.layers = layers_alike(arch) ? 1 : arch.layers;
    shape.dim = shape.vocab = shape.context = 1;
    shape.positions = arch.positions;
    shape.position_offset = arch.position_offset;
    if (arch.embedding_dim) shape.embedding_dim = 1;
    shape.embedding_norm = arch.embedding_norm;
    shape.tied = arch.tied;
    shape.head_bias = arch.head_bias;
    shape.norm = arch.norm;
    shape.norm.epsilon = 0;
    shape.layer = arch.layer;
    Attention& attention = shape.layer.attention;
    attention.heads = 1;
    attention.kv_heads = attention.head_dim = attention.rotary_dim = std::nullopt;
    if (attention.window) attention.window->size = 1;
    if (attention.latent)
        attention.latent =
            Latent{attention.latent->query_rank ? std::optional<std::int64_t>(1) : std::nullopt, 1, 1, 1, 1};
    shape.layer.feed_forward.width = std::int64_t{1};
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
        const BlockIndex block = graph.tensors[tensor.parts.front()].block;
        Expr there = graph.copies_in_layer(block), passed = graph.runs_in_layer(block);
        if (there == passed) there = passed = 1;
        terms_.push_back({tensor.shape, tensor.copies, std::move(there), std::move(passed)});
    }
}

Result<std::int64_t> TotalFormulas::total_of(const Term& term, const Bindings& bindings) {
    const Result<std::int64_t> one = element_count(term.shape, bindings);
    if (!one) return one.error();
    const Result<std::int64_t> copies = evaluate(term.copies, bindings);
    if (!copies) return copies.error();
    const std::optional<std::int64_t> all = checked_multiply(*one, *copies);
    if (!all) return overflow();
    return *all;
}

Result<std::int64_t> TotalFormulas::total_at(const Bindings& bindings) const {
    std::int64_t sum = 0;
    for (const Term& term : terms_) {
        const Result<std::int64_t> all = total_of(term, bindings);
        if (!all) return all.error();
        if (!add_to(sum, *all)) return overflow();
    }
    return sum;
}

Result<Totals> TotalFormulas::at(const Bindings& bindings) const {
    const Result<std::int64_t> total = total_at(bindings);
    if (!total) return total.error();
    Totals sums{*total, *total};
    for (const Term& term : terms_) {
        if (term.there == term.passed) continue;
        const std::int64_t all = *total_of(term, bindings);
        const Result<std::int64_t> there = evaluate(term.there, bindings), passed = evaluate(term.passed, bindings);
        if (!there) return there.error();
        if (!passed) return passed.error();
        const std::optional<std::int64_t> used = *there > 0 ? checked_multiply(all / *there, *passed) : 0;
        if (!used || !add_to(sums.active, *used - all)) return overflow();
    }
    return sums;
}

bool same_formulas(const Architecture& a, const Architecture& b) {
    return shape_of(a) == shape_of(b);
}

}  // namespace headcount
