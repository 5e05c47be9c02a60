// One function a use; see the header.
#include "core/analysis/recipe_rules.hpp"

#include <initializer_list>

#include "core/base/find.hpp"

namespace headcount {
namespace {

using P = NumberFormat;
using R = Recipe;

bool is_one_of(R recipe, std::initializer_list<R> recipes) { return contains(recipes, recipe); }

// The first eighth of the layers, the last, and every third between.
bool takes_more_bits(std::int64_t layer, std::int64_t layers) {
    const std::int64_t first = layers / 8;
    return layer < first || layer >= 7 * layers / 8 || (layer - first) % 3 == 2;
}

struct Rules : RecipeModel {
    bool few_keys() const { return queries_each >= 4; }
    // Mixtral's, for which the rules know more.
    bool eight_experts() const { return experts == 8; }
    // Heads share values, which are so few that more bits cost next to nothing.
    bool seventy_billion() const {
        const bool by_layers = known.eighty_is_70b || (known.shared_eighty_is_70b && queries_each > 1);
        return by_layers && layers == 80 && experts == 1;
    }
    bool smallest() const { return is_one_of(recipe, {R::iq2_xxs, R::iq2_xs, R::iq2_s, R::iq2_m, R::iq1_s, R::iq1_m}); }

    P output(P base, bool whole_blocks) const {
        if (recipe == R::mxfp4_moe || known.falcon || !whole_blocks) return P::q8_0;
        if (smallest() || recipe == R::iq3_xxs) return P::q5_k;
        return base == P::q8_0 ? P::q8_0 : P::q6_k;
    }

    P embedding(P base) const {
        if (is_one_of(recipe, {R::iq2_xxs, R::iq2_xs, R::iq1_s, R::iq1_m})) return P::q2_k;
        if (is_one_of(recipe, {R::iq2_s, R::iq2_m, R::iq3_xxs})) return P::iq3_s;
        if (is_one_of(recipe, {R::tq1_0, R::tq2_0})) return P::q4_k;
        return base;
    }

    P of_smallest(P base, TensorUse use, std::int64_t number) const {
        const bool larger = is_one_of(recipe, {R::iq2_s, R::iq2_m});
        const P more = larger ? P::iq3_s : P::q2_k;
        if (use == TensorUse::value) return few_keys() || experts >= 4 ? P::q4_k : more;
        if (use == TensorUse::key && eight_experts()) return P::q4_k;
        if (use == TensorUse::down && number < layers / 8) return more;
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

    P down_of_falcon(P base, std::int64_t layer) const {
        const bool first = layer < layers / 16, more = takes_more_bits(layer, layers);
        if (recipe == R::q3_k_m) return first ? P::q5_k : more ? P::q4_k : P::q3_k;
        if (recipe == R::q4_k_m) return first ? P::q6_k : more ? P::q5_k : P::q4_k;
        if (recipe == R::q3_k_l) return P::q4_k;
        return recipe == R::q4_k_s ? base : usual_down(base, layer);
    }

    P down(P base, std::int64_t layer) const {
        return known.falcon ? down_of_falcon(base, layer) : usual_down(base, layer);
    }

    P usual_down(P base, std::int64_t layer) const {
        const bool first = layer < layers / 8;
        switch (recipe) {
            case R::q2_k: return P::q3_k;
            case R::q2_k_s: return first ? P::q4_k : base;
            case R::q3_k_m: return layer < layers / 16 ? P::q5_k : P::q4_k;
            case R::q3_k_l: return P::q5_k;
            case R::q4_k_m:
            case R::q5_k_m: return takes_more_bits(layer, layers) ? P::q6_k : base;
            case R::q4_k_s: return first ? P::q5_k : base;
            case R::iq4_nl:
            case R::iq4_xs: return first && !importance ? P::q5_k : base;
            case R::q4_0: return first && importance ? P::q4_1 : base;
            case R::q5_0: return first && importance ? P::q5_1 : base;
            case R::iq3_m: return first || (eight_experts() && takes_more_bits(layer, layers)) ? P::q4_k : base;
            default: return base;
        }
    }

    P attention_output(P base) const {
        if (known.falcon) return recipe == R::q3_k_l ? P::q4_k : base;
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
    if (row % info(format).layout.block == 0) return format;
    P other = P::fp16;
    switch (format) {
        case P::q6_k: other = P::q8_0; break;
        case P::q5_k: other = P::q5_1; break;
        case P::q4_k: other = P::q5_0; break;
        case P::q3_k:
        case P::q2_k:
        case P::tq1_0:
        case P::tq2_0: other = P::q4_0; break;
        default:
            if (info(format).layout.block == 256) other = P::iq4_nl;
    }
    return row % info(other).layout.block == 0 ? other : P::fp16;
}

}  // namespace

NumberFormat in_layer(const RecipeModel& model, TensorUse use, const RecipePlace& place, std::int64_t row) {
    const Rules rules{model};
    const P base = info(model.recipe).base;
    // Where there are experts the layer counts, in most rules.
    const std::int64_t number = model.experts > 1 ? place.layer : place.before;
    const auto chosen = [&] {
        if (model.recipe == R::mxfp4_moe) return place.expert ? P::mxfp4 : P::q8_0;
        if (rules.smallest()) return rules.of_smallest(base, use, place.before);
        switch (use) {
            case TensorUse::value: return rules.value(base, place.before, place.values);
            case TensorUse::key:
            case TensorUse::query: return rules.key_or_query(base, use == TensorUse::key);
            case TensorUse::attention_output: return rules.attention_output(base);
            case TensorUse::down: return rules.down(base, number);
            case TensorUse::up_or_gate: return rules.up_or_gate(base, place.layer);
            default: return base;
        }
    };
    return fitting(chosen(), row);
}

NumberFormat outside_of_layers(const RecipeModel& model, TensorUse use, std::int64_t row) {
    const Rules rules{model};
    const P base = info(model.recipe).base;
    const bool table = use == TensorUse::embedding, mxfp4 = model.recipe == R::mxfp4_moe;
    if (use == TensorUse::output || (table && model.tied))
        return fitting(rules.output(base, row % info(base).layout.block == 0), row);
    return fitting(mxfp4 ? P::q8_0 : table ? rules.embedding(base) : base, row);
}

NumberFormat of_latent(const RecipeModel& model, std::int64_t row) { return fitting(info(model.recipe).base, row); }

}  // namespace headcount
