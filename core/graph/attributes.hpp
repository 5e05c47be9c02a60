// What a node computes besides what its op says: a small value for each op that has any. Counting, pictures, equations,
// explanations and runs read it here; families say it (core/arch/computation.hpp), and `expand` puts it on the nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <variant>

#include "core/arch/computation.hpp"
#include "core/base/expr.hpp"

namespace headcount {

using TensorIndex = std::uint16_t;

// Of embed: what the looked-up rows are multiplied by. Of add: what all inputs but the first are, before they are added
// to the residual stream; sum has it as add does.
struct Scaling {
    double factor = 1;
    bool rooted = false;  // it is the root of the rows' width
    double whole = 1;     // of add: what the sum is multiplied by
};

// From this token on positions are so many times what they are, and so many more: no model's, but what a cache that is
// read at the wrong place leaves, or counting backwards.
struct PositionShift {
    std::int64_t from = 0, by = 0, times = 1;

    std::int64_t of(std::int64_t token) const { return token >= from ? (times - 1) * token + by : 0; }
};

// Of add_positions: the table's row of position 0, and the rule that its numbers follow where they are not trained.
struct PositionRows {
    std::int64_t first = 0;
    std::optional<Sinusoids> waves = {};
    PositionShift shift = {};

    std::int64_t row(std::int64_t token) const { return first + token + shift.of(token); }
};

// Of insert_rows: before which row.
struct InsertionRule {
    Expr before = 0;
};

// Of pool: which rows, and how many of them stand before those of patches.
struct PoolRule {
    PooledRows rows = PooledRows::mean;
    Expr before = 0;
};

// Of unfold: row r has rows r · stride - before ... of its input, `kernel` of them, zeros where there are none; the
// kernel's numbers of the first column, then those of the next.
struct UnfoldRule {
    std::int64_t kernel = 3, stride = 1, before = 0;
};

// A number of each layer l, from 0: it goes from `first` towards `last`.
struct ByLayer {
    double first = 0.2, last = 0.8, rate = 0.3;

    double of(std::int64_t layer) const { return last - (last - first) * std::exp(-rate * static_cast<double>(layer)); }
};

// Of norm: x / √(mean of x² + epsilon), of `layer` less the mean before; then times offset + weight, plus the bias.
struct NormRule {
    NormKind kind = NormKind::rms;
    double epsilon = 1e-6;
    double offset = 0;
    std::optional<Expr> group = {};  // so many columns by themselves, each head's; absent: a whole row
    enum class Over { row, column, all };
    Over over = Over::row;              // of these numbers; a column's are of all rows
    std::optional<ByLayer> times = {};  // what all is multiplied by in the end
    bool epsilon_outside = false;       // added to the root, not under it
    bool less_one = false;              // the mean of squares is their sum over one less than there are (torch.std)
    bool unrooted = false;              // divided by the mean of squares itself
    bool mean_kept = false;             // of `layer`: the mean is taken from what is squared alone
    bool multiplied = false;            // multiplied by the root, not divided by it
    bool epsilon_least = false;         // the mean of squares is at least epsilon, and nothing is added to it
};

// Of subtract: e^(q1 · k1) − e^(q2 · k2), of its parameters, and this besides.
struct DifferenceRule {
    ByLayer added;

    struct Share {
        double first = 0, second = 0, all = 0;  // both exponentials, and what comes to be subtracted
    };
    Share share(const std::array<const float*, 4>& vectors, std::int64_t columns, std::int64_t layer) const {
        const auto of = [&](std::size_t query) {
            double sum = 0;
            for (std::int64_t i = 0; i < columns; ++i)
                sum += static_cast<double>(vectors[query][i]) * static_cast<double>(vectors[query + 1][i]);
            return std::exp(sum);
        };
        const double first = of(0), second = of(2);
        return {first, second, first - second + added.of(layer)};
    }
};

// Of linear, after the bias: clamped to ± clip, times scale, plus offset, soft_cap · tanh(x / soft_cap).
struct LinearRule {
    std::optional<double> clip = {};
    double scale = 1;
    double offset = 0;
    std::optional<double> soft_cap = {};
    bool transposed = false;                     // the weight is a table whose rows are the outputs
    std::optional<TensorIndex> weighed_by = {};  // routing (T, k) by which the rows are multiplied first (Llama 4)
    std::optional<Expr> head = {};  // so many columns at a time are multiplied by as many rows of the weight, alone

    bool finishes() const { return clip || scale != 1 || offset != 0 || soft_cap; }
};

// Of rotate: of every `head` columns `columns` from `first` on are turned by position.
struct Rotation {
    Rope rope;
    Expr head, first, columns;
    std::int64_t position = 0;  // of the first token
    PositionShift shift = {};
    // The others are no model's, but common mistakes.
    enum class Turn {
        usual,
        crossed,    // a column has the angle that the other pairing gives it
        added,      // both of a pair get the other's part added, where one is to have it subtracted
        exchanged,  // the sine stands where the cosine belongs, and the cosine where the sine does
    };
    Turn turn = Turn::usual;
    bool by_head = false;  // by the head's number in the place of the token's position

    std::int64_t of(std::int64_t token) const { return position + token + shift.of(token); }
    std::int64_t furthest() const { return position + std::max<std::int64_t>(0, shift.by); }  // before its own
};

// Of take_columns: from this column on, as many as its output has.
struct ColumnRange {
    Expr first;
    bool by_layer = false;  // each layer takes the next ones
};

// Of mix_blocks: of how many blocks of columns its input is, and its output.
struct BlockRule {
    Expr in = 1, out = 1;
};

// Of threshold: so many standard deviations above a row's mean, or below where it is negative.
struct ThresholdRule {
    double deviations = 0;
};
// Above which a number of a normal distribution is with a chance of 1 - share, of a share between 0 and 1.
double deviations_above(double share);

// Of take_head: head i has the columns from i / share · step + first on.
struct HeadRule {
    Expr step;
    Expr first = 0;
    Expr share = 1;                    // so many query heads have the same
    std::optional<Expr> columns = {};  // as many as these of the head's own; absent: all
    bool in_turn = false;              // of n key/value heads it has the one i mod n
};

// What is added to a score by how far the key's token lies from the query's: a row of a table a range of distances
// (Raffel et al. 2020). Half of the ranges hold one distance each, the others grow up to `farthest`.
struct RelativeRule {
    std::int64_t buckets = 32, farthest = 128;
    bool both_ways = false;  // half of them are for tokens behind
    // Row n of 2·n is that of no distance, and the one before it that of the next token: each distance has one up to
    // n / 2, and ranges up to `farthest` share the others; where that is 0 each has one up to n (DeBERTa).
    bool centred = false;
    bool backwards = false;  // from the key to the query: a mistake

    // Of a key so many tokens behind the query; negative: before it.
    std::int64_t bucket(std::int64_t distance) const {
        if (backwards) distance = -distance;
        if (centred) return centred_row(-distance);
        const std::int64_t all = both_ways ? buckets / 2 : buckets, exact = all / 2;
        const std::int64_t first = both_ways && distance > 0 ? all : 0;
        const std::int64_t far = both_ways ? std::abs(distance) : std::max<std::int64_t>(0, -distance);
        if (far < exact) return first + far;
        if (exact < 1 || farthest <= exact) return first + all - 1;  // nothing grows: they share the last
        const auto grown = std::log(static_cast<float>(far) / static_cast<float>(exact)) /
                           static_cast<float>(std::log(static_cast<double>(farthest) / static_cast<double>(exact))) *
                           static_cast<float>(all - exact);
        return first + std::min(all - 1, exact + static_cast<std::int64_t>(grown));
    }

  private:
    std::int64_t centred_row(std::int64_t behind) const {
        const std::int64_t middle = buckets / 2, exact = middle / 2, far = std::abs(behind);
        if (farthest > 0 && far > exact) {
            const float grown =
                std::log(static_cast<float>(far) / static_cast<float>(exact)) /
                static_cast<float>(std::log(static_cast<double>(farthest - 1) / static_cast<double>(exact))) *
                static_cast<float>(exact - 1);
            const std::int64_t range = exact + static_cast<std::int64_t>(std::ceil(grown));
            behind = behind < 0 ? -range : range;
        }
        return std::clamp<std::int64_t>(middle + behind, 0, buckets - 1);
    }
};

// Of scores: Q · Kᵀ · factor, capped, lowered by distance; where keys or queries of distances are among the inputs,
// theirs with the token's queries or keys are added before the factor.
struct ScoreRule {
    double factor = 1;
    bool rooted = true;      // the factor is 1/√(terms · d_h), and none of the model's own
    std::int64_t terms = 1;  // Computation::score_terms
    bool by_layer = false;   // and divided by the layer's index + 1 (GPT-2's scale_attn_by_inverse_layer_idx)
    std::optional<double> soft_cap = {};        // c · tanh(score / c), before the mask
    std::optional<Alibi> alibi = {};            // slope of the head · distance
    std::optional<RelativeRule> relative = {};  // which number of the parameter a distance adds, or which row it has
    bool relative_once = false;                 // in the first layer alone: a mistake
    std::optional<QueryTemperature> temperature = {};  // queries grow with their position

    // Absent where it is 1/√(terms · d_h).
    std::optional<double> own_factor() const { return rooted ? std::nullopt : std::optional(factor); }
    // What the scores of the token's query are multiplied by in this layer, its temperature included.
    double factor_of(std::int64_t layer, std::int64_t token) const {
        const double scaled = by_layer ? factor / static_cast<double>(layer + 1) : factor;
        return temperature ? scaled * query_factor(*temperature, token) : scaled;
    }
};

// Of masked_softmax, of what chooses keys, and of what is kept for both: which keys a query looks at.
struct Mask {
    enum class Kind {
        full,    // all
        cross,   // all of another text
        causal,  // all before, and itself
        window,  // the last `size` of these
        chunk,   // those in its own chunk of `size` tokens (Llama 4)
        around,  // those at most `size` away, on either side (ModernBERT)
        later,   // itself, and all behind: no model's, but what a mask that was transposed leaves
    };
    // Over what weights sum to 1.
    enum class Sum {
        seen,     // the keys that the query looks at
        all,      // all keys, before those that it does not look at are made 0
        queries,  // the queries that look at the key
        heads,    // the heads
        masked,   // all keys, of which those that are not looked at have the score `masked_score`, or so much more
        nothing,  // nothing: the scores of the seen keys are the weights
    };
    Kind kind = Kind::causal;
    std::int64_t size = 0;   // tokens
    std::int64_t ahead = 0;  // so many keys more than `kind` says, or fewer; who sees none weighs all alike
    Sum sum = Sum::seen;
    double masked_score = 0;
    bool masked_adds = false;
    bool twice = false;   // the softmax of the weights, over all keys, are the weights
    bool turned = false;  // values are multiplied by Aᵀ
    // Of the keys that it may look at, a token looks at so many that the index heads score highest (Indexer::chosen);
    // 0: at all. Up to as many tokens that leaves none out.
    std::int64_t chosen = 0;
    // A token's heads look at each other, where tokens are to, each at itself and at those before it if `kind` is
    // causal: the axes of tokens and heads were not exchanged.
    bool between_heads = false;

    // The first token that this one may look at, and the one behind the last, of so many in all.
    std::int64_t first_visible(std::int64_t token) const {
        if (kind == Kind::around) return std::max<std::int64_t>(0, token - size);
        if (kind == Kind::later) return token + ahead;
        if (size == 0) return 0;
        return kind == Kind::chunk ? token / size * size : std::max<std::int64_t>(0, token - size + 1);
    }
    std::int64_t end_visible(std::int64_t token, std::int64_t all) const {
        if (kind == Kind::around) return std::min(all, token + size + 1);
        if (kind == Kind::later && size > 0) return std::min(all, token + size);
        return sees_all() || kind == Kind::later ? all : std::min(all, token + 1 + ahead);
    }
    bool sees_all() const { return kind == Kind::full || kind == Kind::cross; }
    bool sees_later() const { return sees_all() || kind == Kind::around; }
    // Whether a row of weights follows from the same row of scores, of which some keys from one on are seen.
    bool by_row() const {
        return kind != Kind::later && ahead == 0 && sum == Sum::seen && !twice && !turned && !between_heads;
    }
    // How many of `cached` earlier tokens are remembered for the next one.
    std::int64_t remembered(std::int64_t cached) const {
        if (kind == Kind::cross) return 0;
        return size == 0 ? cached : std::min(cached, size - 1);
    }
};

// Of activate and gate: activation(G) ⊙ U, or a clamped gate in its place.
struct GateRule {
    Activation activation = Activation::silu;
    std::optional<ClampedGate> clamped = {};
};

// How fast states fade that nothing trained lets fade: head i of h by e^(-2^(-8 (i + 1) / h) · (1 - l / (L - 1))) in
// layer l of L, so that the last one forgets the least (MiniMax; its code adds 1e-5 here and there).
struct FixedFading {
    std::int64_t heads = 1, layers = 1;

    double rate(std::int64_t head, std::int64_t layer) const {
        constexpr double bit = 1e-5;
        const double slope = std::exp2(-8.0 * static_cast<double>(head + 1) / static_cast<double>(heads));
        return slope * (1 - static_cast<double>(layer) / (static_cast<double>(layers) - 1 + bit) + bit);
    }
    float left(std::int64_t head, std::int64_t layer) const { return static_cast<float>(std::exp(-rate(head, layer))); }
};

// Of decay: e^(-rate · step), where the rate is e^A, factor · softplus(A) or factor · sigmoid(A) of trained numbers; or
// e^(-rate) of a rate by token, whose A is what its row has and a trained number added.
struct DecayRule {
    enum class Rate { exponential, softplus, sigmoid };
    Rate of = Rate::exponential;
    double factor = 1;
    bool by_token = false;

    double rate(double a) const {
        if (of == Rate::exponential) return std::exp(a);
        if (of == Rate::sigmoid) return factor / (1 + std::exp(-a));
        return factor * (std::max(a, 0.0) + std::log1p(std::exp(-std::abs(a))));
    }
    double slope(double a) const {  // of the rate
        if (of == Rate::exponential) return std::exp(a);
        const double sigmoid = 1 / (1 + std::exp(-a));
        return factor * (of == Rate::sigmoid ? sigmoid * (1 - sigmoid) : sigmoid);
    }
};

// Of blend: how much of the row before a share says, not of this one; the share is a trained number of each column,
// and what a second input has there added.
struct BlendRule {
    bool of_before = false;
};

// Of update_state and of read_state: what a token writes replaces what its key had, or is added. Keys and values are
// read, then how much is left of the state, and how much of the token is written, or the whole token is where there is
// no such input; where it fades at fixed rates, only the first two are read.
struct StateRule {
    bool replaces = false;
    // What is taken away is what the key of the fourth input had before the state fades, as much of it in each row as
    // the fifth says; and the whole token is written.
    bool apart = false;
    bool read_first = false;  // a token's query reads the state before the token is written
    double query_factor = 1;  // or 1/√N
    std::optional<FixedFading> fading = {};
};

// `StepRule` is of step; `Routing` of route, and of combine, which has to know whether the weights were spent on the
// experts' input.
using Attributes = std::variant<std::monostate, Scaling, PositionRows, NormRule, LinearRule, Rotation, ColumnRange,
                                InsertionRule, PoolRule, UnfoldRule, HeadRule, ScoreRule, DifferenceRule, Mask,
                                GateRule, Routing, StepRule, DecayRule, BlendRule, StateRule, BlockRule, ThresholdRule>;

}  // namespace headcount
