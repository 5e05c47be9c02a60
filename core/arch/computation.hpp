// What a model computes that changes no shape. Made by the family from the fields of the model's own file; `expand`
// puts it on the graph's nodes, where all others read it. No arithmetic here but the angles of rotary positions (Su et
// al. 2021).
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/base/result.hpp"

namespace headcount {

enum class Part;  // core/arch/family.hpp

// Which of the turned columns are pairs.
enum class RopePairs {
    halves,      // i and i + half: GPT-NeoX, LLaMA as Hugging Face stores it
    neighbours,  // 2·i and 2·i + 1: GPT-J, GLM, Command R, DeepSeek, Llama 4
};

enum class RopeScaling {
    none,
    linear,        // all angles divided by the factor (Chen et al. 2023)
    dynamic,       // a larger base for sequences longer than the context (NTK-aware)
    llama3,        // long waves divided, short ones kept, those between in between (Llama 3.1)
    yarn,          // the same by the number of turns in the original context (Peng et al. 2023)
    longrope,      // each angle divided by a number of its own, another for long sequences (Ding et al. 2024)
    proportional,  // the first pairs alone turn, by the angles of all, divided by the factor (Gemma 4)
};

struct Rope {
    double base = 10000;  // theta
    RopePairs pairs = RopePairs::halves;
    bool backwards = false;  // turned by less the angle (nanochat)
    RopeScaling scaling = RopeScaling::none;
    double factor = 1;
    double original_context = 0;                        // tokens, before it was scaled; of dynamic the model's context
    double low_factor = 1, high_factor = 4;             // llama3
    double beta_fast = 32, beta_slow = 1;               // yarn: turns in the original context
    bool truncate = true;                               // yarn: the bounds are made whole
    std::vector<double> short_divisors, long_divisors;  // longrope, one a pair
    double share = 1;                                   // proportional: of the columns
    double attention_factor = 1;                        // what sines and cosines are multiplied by

    bool operator==(const Rope&) const = default;
};

// Radians from one position to the next, one for each of columns / 2 pairs, in a sequence of so many tokens (only
// dynamic and longrope ask). Formulas: transformers, modeling_rope_utils.py. With longrope the divisors must be as
// many.
std::vector<double> rope_angles(const Rope& rope, std::int64_t columns, std::int64_t tokens);

// What the routers' scores R, (T, E), become.
enum class RouterScores {
    softmax,            // over all experts, before the best are chosen
    softmax_of_chosen,  // over the chosen ones
    sigmoid,            // each by itself
    sigmoid_of_chosen,  // the same of those that are chosen by the scores as they are
    root_softplus,      // √softplus, each by itself (DeepSeek V4)
    softmax_of_close,   // over those that were not chosen before and are nearly as good (SparseMixer, Liu et al. 2024)
    none,               // as they are: a mistake
};

// Whether a score says by itself how much its expert counts.
constexpr bool by_themselves(RouterScores scores) {
    return scores == RouterScores::sigmoid || scores == RouterScores::sigmoid_of_chosen ||
           scores == RouterScores::root_softplus;
}

// How a router's scores choose experts, and how much each of these counts.
struct Routing {
    RouterScores scores = RouterScores::softmax_of_chosen;
    bool normalized = false;   // the chosen weights divided by their sum (which softmax_of_chosen makes 1)
    double scaling = 1;        // what the weights are multiplied by at last
    double score_factor = 1;   // what the router's scores are multiplied by
    double closeness = 0.02;   // of softmax_of_close: at most so far from the chosen one's, as a share of the larger
    double combined = 1;       // what experts and shared ones together are multiplied by
    bool on_input = false;     // the weight multiplies what the expert reads, not what it makes (Llama 4)
    bool worst = false;        // the experts with the smallest scores: no model's, but what a sort in rising order does
    bool alike = false;        // the chosen ones count alike
    bool over_tokens = false;  // the softmax is each expert's over the tokens: along the wrong axis
    // Whose outputs a token gets: others than all are what is left where one takes the place of the one before it.
    enum class Counted { all, last_chosen, last_expert };
    Counted counted = Counted::all;
    bool shared_gate_raw = false;  // the shared experts' gate passes no sigmoid: a mistake, too

    bool tabled = false;  // a table says which experts a token has, whatever its scores (Roller et al. 2021)

    // Experts in groups of equal size, of which only the best may give any (DeepSeek). A group is as good as its best
    // expert, or as the sum of its best two, in V3 with the correction added.
    std::int64_t groups = 1, groups_used = 1;
    bool group_by_best_two = false;

    bool operator==(const Routing&) const = default;
};

// G clamped from above and U on both sides, then G · sigmoid(alpha · G) ⊙ (U + added): gpt-oss's gate, and DeepSeek
// V4's, where alpha is 1 and nothing is added.
struct ClampedGate {
    double alpha = 1.702, limit = 7, added = 1;

    bool operator==(const ClampedGate&) const = default;
};

// Scores lowered by distance (Press et al. 2022): slope of the head · (key's position - query's), added to what the
// scores are after they are scaled.
struct Alibi {
    std::vector<double> slopes;  // (h)
    // Falcon's code adds slope · key's position, both slope and product rounded to bfloat16, before the scores are
    // scaled. A constant a row changes no softmax; the rounding does.
    bool rounded_before_scale = false;

    bool operator==(const Alibi&) const = default;
};

// Queries grow with their position: 1 + scale · log(1 + floor((position + first) / floor)).
struct QueryTemperature {
    double scale = 0.1, floor = 8192;
    std::int64_t first = 1;
    bool everywhere = false;  // not in layers without positions alone (Llama 4)

    bool operator==(const QueryTemperature&) const = default;
};

// So many tokens are computed as the layers say; how a model computes more is not known here.
struct TokenLimit {
    std::int64_t tokens = 0;
    std::string why;  // "its keys are chosen": what happens beyond

    bool operator==(const TokenLimit&) const = default;
};

// Of the heads that choose keys: which pairs of their columns position turns, among the first or the last of each head,
// and the epsilon of their keys' norm; absent: the other norms'.
struct IndexHeads {
    RopePairs pairs = RopePairs::halves;
    bool turns_last = false;
    std::optional<double> norm_epsilon = 1e-6;

    bool operator==(const IndexHeads&) const = default;
};

// Positions as waves (Vaswani et al. 2017): half of a row's columns are sines, the others cosines, of wave i by
// 10000^(-i / half) more at each position.
struct Sinusoids {
    bool to_the_end = false;  // the last wave by 1/10000: i / (half - 1) (tensor2tensor)

    bool operator==(const Sinusoids&) const = default;
};
float sinusoid(const Sinusoids& waves, std::int64_t position, std::int64_t column, std::int64_t columns);

// A recurrence's steps: softplus(x + bias), kept between these (Mamba-2's time_step_limit).
struct StepRule {
    double least = 0;
    std::optional<double> most = {};

    bool operator==(const StepRule&) const = default;
};

struct Computation {
    double embedding_scale = 1;          // what embedded rows are multiplied by before anything else
    bool positions_behind_norm = false;  // of a decoder beside an encoder: added behind the norm of the embedding
    Sinusoids sinusoids;                 // of positions that are such
    double residual_scale =
        1;  // what attention's and the feed-forward's output are multiplied by before they are added
    // Each sub-block's output is added to what its norm has made, not to the stream; that is multiplied before, in
    // sub-blocks of attention, with a state and of a feed-forward by a number each, and so is what they make (MiniMax).
    struct NormedResidual {
        struct Factors {
            double stream = 1, output = 1;

            bool operator==(const Factors&) const = default;
        };
        Factors attention, recurrence, feed_forward;

        bool operator==(const NormedResidual&) const = default;
    };
    std::optional<NormedResidual> normed_residual = {};
    double logit_scale = 1;                // what logits are multiplied by
    std::optional<double> logit_soft_cap;  // c · tanh(logit / c), after logit_scale

    double norm_offset = 0;  // added to the weights of every norm that has any (Gemma's and Nemotron's 1 + w)
    std::optional<double> final_norm_epsilon;   // of the norm behind the layers, where it is not the other norms'
    std::optional<double> latent_norm_epsilon;  // of latent attention's bottlenecks, where it is not the other norms'

    std::optional<double> clip_qkv;     // queries, keys and values are clamped to ± this, as projected
    Rope rope;                          // of layers that turn queries and keys
    std::optional<Rope> windowed_rope;  // of those among them that have a window, where it is another (Gemma 3)
    std::optional<Alibi> alibi;         // with Positions::alibi, always
    IndexHeads index_heads;             // of latent attention that has them
    bool normed_after_turn = false;     // queries and keys are turned first, and rescaled then (HunYuan)
    bool turns_values = false;          // by position, as queries and keys are (RoFormer's rotary_value)
    bool value_norm = false;            // values are rescaled, without weights (Gemma 4)
    std::optional<QueryTemperature> query_temperature;
    // Where scores have distances: from here on all tokens are as far. 0: each distance has a row (see DistanceTable).
    std::int64_t relative_distance = 128;
    std::int64_t score_terms = 1;  // so many products a score is said to be the sum of: times d_h under its root
    double score_scale = 1;  // what Q · Kᵀ is multiplied by: 1/√d_h, a factor of the model's own, or their product
    bool score_scale_by_layer =
        false;  // and divided by the layer's index + 1 (GPT-2's scale_attn_by_inverse_layer_idx)
    std::optional<double> score_soft_cap;  // c · tanh(score / c), before the mask

    std::optional<Activation> head_activation;  // of a masked head, where it is not the feed-forward's (RoBERTa)
    std::optional<ClampedGate> clamped_gate;    // in the place of the activation function
    double gate_sparsity = 0.95;                // where a gate is sparse: about so much of a row becomes 0
    Routing routing;
    LayerSet tabled = LayerSet::none();  // the layers whose routing is

    StepRule step;                                    // of a recurrence
    std::optional<Activation> recurrence_activation;  // of its convolutions, where it is not the feed-forward's
    std::optional<double> inner_norm_epsilon;         // of its inner norms, where it is not the other norms'
    std::optional<double> read_norm_epsilon;          // of the norm of what was read, likewise
    bool writes_twice = false;                        // a delta rule writes twice as much as its sigmoid says
    bool normed_before_gate = false;                  // what was read is rescaled first, and gated then (Falcon-H1)
    // What a projection's output is multiplied by, where it is not 1 (Falcon-H1).
    std::vector<std::pair<Part, double>> projection_scales;

    std::optional<TokenLimit> limit;

    std::string guess;  // a sentence where the family is not verified: as what it computes; else empty
    // What its file, or its type, has that is not computed here, so that the model is counted alone; all else holds.
    std::optional<Error> refused = {};

    bool operator==(const Computation&) const = default;
};

// As the architecture's family computes; an error where something is refused.
Result<Computation> computation_of(const Architecture& arch);

// The turns of a layer of this kind.
inline const Rope& rope_of(const Computation& computation, bool windowed) {
    return windowed && computation.windowed_rope ? *computation.windowed_rope : computation.rope;
}

// What the scores of the token's query are multiplied by besides.
double query_factor(const QueryTemperature& temperature, std::int64_t token);

// What a number is after it was stored in bfloat16: the nearest of its upper 16 bits, ties to even.
inline float as_bfloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return std::bit_cast<float>((bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000);
}

}  // namespace headcount
