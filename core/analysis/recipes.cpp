// llama-quantize's rules: more bits for what errors in hurt most.
#include "core/analysis/recipes.hpp"

#include <algorithm>
#include <optional>

#include "core/arch/layers.hpp"

namespace headcount {
namespace {

using P = Precision;
using R = Recipe;

bool is_one_of(R recipe, std::initializer_list<R> recipes) {
    return std::find(recipes.begin(), recipes.end(), recipe) != recipes.end();
}

// The first eighth of the layers, the last, and every third between.
bool takes_more_bits(std::int64_t layer, std::int64_t layers) {
    const std::int64_t first = layers / 8;
    return layer < first || layer >= 7 * layers / 8 || (layer - first) % 3 == 2;
}

// Among the tensors that the rules tell apart.
enum class TensorUse { value, key, query, attention_output, up_or_gate, down, output, embedding, other };

TensorUse use_of(const Tensor& tensor, bool fused_attention) {
    switch (tensor.part) {
        case Part::query:
        case Part::key:
        case Part::value:
            if (fused_attention || tensor.part == Part::value) return TensorUse::value;
            return tensor.part == Part::key ? TensorUse::key : TensorUse::query;
        case Part::latent_up:
            return TensorUse::value;
        case Part::attention_output:
            return TensorUse::attention_output;
        case Part::gate:
        case Part::up:
        case Part::expert_gate:
        case Part::expert_up:
        case Part::shared_gate:
        case Part::shared_up:
            return TensorUse::up_or_gate;
        case Part::down:
        case Part::expert_down:
        case Part::shared_down:
            return TensorUse::down;
        case Part::output_head:
            return TensorUse::output;
        case Part::token_embedding:
        case Part::layer_embedding:
            return TensorUse::embedding;
        default:
            return TensorUse::other;
    }
}

// What holds for the whole model.
struct Rules {
    R recipe;
    std::int64_t layers;
    std::int64_t queries_each;  // query heads that share a key
    std::int64_t experts;       // 1 of none
    bool tied;

    bool few_keys() const { return queries_each >= 4; }
    // Mixtral's, for which the rules know more.
    bool eight_experts() const { return experts == 8; }
    // With 80 layers whose heads share values: these are so few that more bits cost next to nothing.
    bool seventy_billion() const { return layers == 80 && queries_each > 1 && experts == 1; }
    bool smallest() const { return is_one_of(recipe, {R::iq2_xxs, R::iq2_xs, R::iq2_s, R::iq2_m, R::iq1_s, R::iq1_m}); }

    P output(P base, bool whole_blocks) const {
        if (recipe == R::mxfp4_moe || !whole_blocks) return P::q8_0;
        if (smallest() || recipe == R::iq3_xxs) return P::q5_k;
        return base == P::q8_0 ? P::q8_0 : P::q6_k;
    }

    P embedding(P base) const {
        if (is_one_of(recipe, {R::iq2_xxs, R::iq2_xs, R::iq1_s, R::iq1_m})) return P::q2_k;
        if (is_one_of(recipe, {R::iq2_s, R::iq2_m, R::iq3_xxs})) return P::iq3_s;
        if (is_one_of(recipe, {R::tq1_0, R::tq2_0})) return P::q4_k;
        return base;
    }

    P of_smallest(P base, TensorUse use, std::int64_t layer) const {
        const bool larger = is_one_of(recipe, {R::iq2_s, R::iq2_m});
        const P more = larger ? P::iq3_s : P::q2_k;
        if (use == TensorUse::value) return few_keys() || experts >= 4 ? P::q4_k : more;
        if (use == TensorUse::key && eight_experts()) return P::q4_k;
        if (use == TensorUse::down && layer < layers / 8) return more;
        if (use != TensorUse::attention_output) return base;
        if (eight_experts()) return P::q5_k;
        if (is_one_of(recipe, {R::iq1_s, R::iq1_m})) return P::iq2_xxs;
        return larger ? P::iq3_s : base;
    }

    // The number counts among the tensors of its kind.
    P value(P base, std::int64_t number, std::int64_t all) const {
        P chosen = base;
        if (recipe == R::q2_k)
            chosen = few_keys() ? P::q4_k : P::q3_k;
        else if (recipe == R::iq3_m || (few_keys() && is_one_of(recipe, {R::q2_k_s, R::iq3_xxs, R::iq3_xs, R::iq3_s})))
            chosen = P::q4_k;
        else if (recipe == R::q3_k_m)
            chosen = number < 2 ? P::q5_k : P::q4_k;
        else if (recipe == R::q3_k_l || (few_keys() && is_one_of(recipe, {R::iq4_nl, R::iq4_xs})))
            chosen = P::q5_k;
        else if (is_one_of(recipe, {R::q4_k_m, R::q5_k_m}) && takes_more_bits(number, all))
            chosen = P::q6_k;
        else if (recipe == R::q4_k_s && number < 4)
            chosen = P::q5_k;
        if (seventy_billion() && (chosen == P::q3_k || chosen == P::q4_k)) chosen = P::q5_k;
        return eight_experts() ? P::q8_0 : chosen;
    }

    P key_or_query(P base, bool key) const {
        if (key && eight_experts()) return P::q8_0;
        if (recipe == R::iq3_xs) return P::iq3_xxs;
        return recipe == R::iq3_xxs ? P::iq2_s : base;
    }

    P down(P base, std::int64_t layer) const {
        const bool first = layer < layers / 8;
        switch (recipe) {
            case R::q2_k:
                return P::q3_k;
            case R::q2_k_s:
                return first ? P::q4_k : base;
            case R::q3_k_m:
                return layer < layers / 16 ? P::q5_k : P::q4_k;
            case R::q3_k_l:
                return P::q5_k;
            case R::q4_k_m:
            case R::q5_k_m:
                return takes_more_bits(layer, layers) ? P::q6_k : base;
            case R::q4_k_s:
            case R::iq4_nl:
            case R::iq4_xs:
                return first ? P::q5_k : base;
            case R::iq3_m:
                return first || (eight_experts() && takes_more_bits(layer, layers)) ? P::q4_k : base;
            default:
                return base;
        }
    }

    P attention_output(P base) const {
        if (eight_experts())
            return is_one_of(recipe, {R::q2_k, R::iq3_xs, R::iq3_xxs, R::q3_k_s, R::q3_k_m, R::iq4_nl, R::q4_k_s,
                                      R::q4_k_m, R::iq3_s, R::iq3_m, R::iq4_xs})
                       ? P::q5_k
                       : base;
        if (recipe == R::q2_k) return P::q3_k;
        if (recipe == R::iq3_xxs) return P::iq3_s;
        if (recipe == R::q3_k_l) return P::q5_k;
        return is_one_of(recipe, {R::q3_k_m, R::iq3_m}) ? P::q4_k : base;
    }

    P up_or_gate(P base, std::int64_t layer) const {
        return recipe == R::iq3_xs && layer >= layers / 8 && layer < 7 * layers / 8 ? P::iq3_xxs : base;
    }
};

// What takes the place of a format whose blocks do not fill the row: in blocks of 32, else 16 bits.
P fitting(P format, std::int64_t row) {
    if (row % info(format).block == 0) return format;
    P other = P::fp16;
    switch (format) {
        case P::q6_k:
            other = P::q8_0;
            break;
        case P::q5_k:
            other = P::q5_1;
            break;
        case P::q4_k:
            other = P::q5_0;
            break;
        case P::q3_k:
        case P::q2_k:
        case P::tq1_0:
        case P::tq2_0:
            other = P::q4_0;
            break;
        default:
            if (info(format).block == 256) other = P::iq4_nl;
    }
    return row % info(other).block == 0 ? other : P::fp16;
}

// Queries, keys and values side by side in one tensor.
bool is_fused(const ModelGraph& graph, TensorIndex parameter) {
    return std::any_of(graph.stored.begin(), graph.stored.end(), [&](const StoredTensor& stored) {
        return stored.parts.size() > 1 &&
               std::find(stored.parts.begin(), stored.parts.end(), parameter) != stored.parts.end();
    });
}

class Choosing {
  public:
    Choosing(const Architecture& arch, const ModelGraph& graph, R recipe)
        : arch_(arch), graph_(graph), base_(info(recipe).base), numbers_(bindings(arch, Input{})) {
        const std::int64_t keys = arch.layer.attention.latent ? arch.layer.attention.heads : kv_heads(arch);
        rules_ = {.recipe = recipe,
                  .layers = arch.layers,
                  .queries_each = keys > 0 ? arch.layer.attention.heads / keys : 1,
                  .experts = arch.layer.mixture ? arch.layer.mixture->experts : 1,
                  .tied = graph.tied_head.has_value()};
    }

    // In the order of its layers.
    std::vector<FormatRun> runs(TensorIndex parameter) const {
        const Tensor& tensor = graph_.tensors[parameter];
        const std::optional<std::size_t> group = graph_.layer_of(tensor.block);
        const WeightKind kind = weight_kind(graph_, parameter);
        const bool whole = kind == WeightKind::norm || kind == WeightKind::router ||
                           tensor.part == Part::position_embedding || tensor.part == Part::token_type_embedding;
        if (whole || !group)
            return {{whole ? P::fp32 : outside(tensor), group ? graph_.layers[*group].group.count : 1}};
        const TensorUse use = use_of(tensor, is_fused(graph_, parameter));
        const bool expert = kind == WeightKind::experts;
        std::vector<FormatRun> found;
        std::int64_t before = 0;
        const LayerKind& own = graph_.layers[*group].group.kind;
        const std::int64_t layers = stack_layers(arch_, own), all = layers_with_attention(layers);
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const LayerKind kind_here = own.encoder ? own : layer_kind(arch_, layer);
            if (kind_here == own) {
                const P chosen = fitting(in_layer(use, expert, layer, before, all), row_of(tensor));
                if (found.empty() || found.back().precision != chosen) found.push_back({chosen, 0});
                ++found.back().layers;
            }
            before += kind_here.attention ? 1 : 0;
        }
        return found;
    }

    // Each format once, with all layers that have it.
    static std::vector<FormatRun> merged(const std::vector<FormatRun>& runs) {
        std::vector<FormatRun> once;
        for (const FormatRun& run : runs) {
            const auto same = std::find_if(once.begin(), once.end(),
                                           [&](const FormatRun& each) { return each.precision == run.precision; });
            if (same == once.end())
                once.push_back(run);
            else
                same->layers += run.layers;
        }
        return once;
    }

  private:
    std::int64_t row_of(const Tensor& tensor, bool table = false) const {
        const Result<std::int64_t> row = evaluate(tensor.shape[table ? 1 : 0], numbers_);
        return row ? *row : 1;
    }

    std::int64_t layers_with_attention(std::int64_t layers) const {
        std::int64_t count = 0;
        for (std::int64_t layer = 0; layer < layers; ++layer) count += layer_kind(arch_, layer).attention ? 1 : 0;
        return count;
    }

    P outside(const Tensor& tensor) const {
        const TensorUse use = use_of(tensor, false);
        const bool table = use == TensorUse::embedding;
        const std::int64_t row = row_of(tensor, table);
        P chosen = rules_.recipe == R::mxfp4_moe ? P::q8_0 : base_;
        if (use == TensorUse::output || (table && rules_.tied))
            chosen = rules_.output(base_, row % info(base_).block == 0);
        else if (table && rules_.recipe != R::mxfp4_moe)
            chosen = rules_.embedding(base_);
        return fitting(chosen, row);
    }

    P in_layer(TensorUse use, bool expert, std::int64_t layer, std::int64_t before, std::int64_t all) const {
        if (rules_.recipe == R::mxfp4_moe) return expert ? P::mxfp4 : P::q8_0;
        if (rules_.smallest()) return rules_.of_smallest(base_, use, layer);
        switch (use) {
            case TensorUse::value:
                return rules_.value(base_, before, all);
            case TensorUse::key:
            case TensorUse::query:
                return rules_.key_or_query(base_, use == TensorUse::key);
            case TensorUse::attention_output:
                return rules_.attention_output(base_);
            case TensorUse::down:
                return rules_.down(base_, layer);
            case TensorUse::up_or_gate:
                return rules_.up_or_gate(base_, layer);
            default:
                return base_;
        }
    }

    const Architecture& arch_;
    const ModelGraph& graph_;
    P base_;
    Bindings numbers_;
    Rules rules_{};
};

}  // namespace

std::vector<std::vector<FormatRun>> recipe_runs(const Architecture& arch, const ModelGraph& graph, Recipe recipe,
                                                RunOrder order) {
    const Choosing choosing(arch, graph, recipe);
    std::vector<std::vector<FormatRun>> runs(graph.tensors.size());
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        if (graph.tensors[i].role == Role::parameter) {
            runs[i] = choosing.runs(static_cast<TensorIndex>(i));
            if (order == RunOrder::merged) runs[i] = Choosing::merged(runs[i]);
        }
    return runs;
}

}  // namespace headcount
