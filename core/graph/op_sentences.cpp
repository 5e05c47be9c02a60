// The sentences beside an equation: what a name in it means.
#include <array>
#include <string>

#include "core/base/text.hpp"
#include "core/graph/ops.hpp"

namespace headcount {
namespace {

std::string sentence_of(const Rotation& rule) {
    const Rope& rope = rule.rope;
    const Result<std::int64_t> half_of = evaluate(rule.columns / 2, Bindings{});
    const std::string turned = in_symbols(rule.columns);
    const std::string half = half_of ? std::to_string(*half_of) : in_symbols(rule.columns / 2);
    std::string text = "RoPE turns ";
    if (rule.columns != rule.head)
        text += std::string(rule.first == Expr(0) ? "the first " : "the last ") + turned + " of each head's " +
                in_symbols(rule.head) + " columns: ";
    text += rope.pairs == RopePairs::halves ? "columns i and i + " + half : "columns 2i and 2i + 1";
    text += " of token p by the angle p · θ_i, θ_i = " + number_text(rope.base) + "^(−2i / " + turned + ")";
    constexpr std::array<std::string_view, 7> scalings{"",
                                                       "divided by the factor",
                                                       "of a larger base behind the context",
                                                       "scaled as Llama 3.1 does",
                                                       "scaled by YaRN",
                                                       "each divided by a number of its own",
                                                       "those of the first pairs alone, divided by the factor"};
    static_assert(scalings.size() == static_cast<std::size_t>(RopeScaling::proportional) + 1);
    if (rope.scaling != RopeScaling::none)
        text += ", " + std::string(scalings[static_cast<std::size_t>(rope.scaling)]) +
                (rope.factor != 1 ? ", factor " + factor_text(rope.factor) : "");
    if (rope.attention_factor != 1) text += "; and multiplies them by " + factor_text(rope.attention_factor);
    return text;
}

std::string sentence_of(const Mask& mask) {
    const std::string size = std::to_string(mask.size);
    if (mask.kind == Mask::Kind::full) return "No mask: every token looks at every token";
    if (mask.kind == Mask::Kind::cross) return "No mask: every token looks at all that the encoder has read";
    const std::string seen = mask.kind == Mask::Kind::causal   ? "q ≤ p"
                             : mask.kind == Mask::Kind::window ? "p − " + size + " < q ≤ p"
                             : mask.kind == Mask::Kind::around ? "|p − q| ≤ " + size
                                                               : "⌊p / " + size + "⌋ · " + size + " ≤ q ≤ p";
    return "mask is 0 where token p looks at token q: " + seen + "; else −∞";
}

std::string sentence_of(const ModelGraph& graph, const Node& norm) {
    const Expr& group = *norm.rule<NormRule>().group;
    const std::string of = uses({group}, Symbol::state_groups) ? "group" : group == Expr(Symbol::dim) ? "copy" : "head";
    std::string text = "Each " + of + "'s " + in_symbols(group) + " columns are rescaled by themselves";
    if (norm.parameters.empty()) return text;
    const Shape& weights = graph.tensors[norm.parameters.front()].shape;
    const bool own = weights.rank() > 1 || weights[0] != group;
    return text + (own ? ", with weights of its own" : ", all with the same weights");
}

std::string sentence_of(const Alibi& alibi) {
    const std::string slopes = "m_i is the slope of head i, " + number_text(alibi.slopes.front()) +
                               " of the first and " + number_text(alibi.slopes.back()) + " of the last";
    return slopes + (alibi.rounded_before_scale ? "; q is the place of the key; bf16 rounds to bfloat16"
                                                : "; p and q are the places of query and key");
}

std::string sentence_of(const RelativeRule& rule) {
    if (rule.centred) {
        const std::int64_t middle = rule.buckets / 2, exact = middle / 2;
        const std::string text = "β(q − p) is the row of the distance from the query's token p to the key's token q: " +
                                 std::to_string(middle) + " where there is none, one less for each token further on";
        if (rule.farthest == 0)
            return text + " and one more for each behind, from 0 to " + std::to_string(2 * middle - 1);
        return text + " up to " + std::to_string(exact) + ", then for ranges that grow up to " +
               std::to_string(rule.farthest) + "; and one more for each behind";
    }
    const std::int64_t all = rule.both_ways ? rule.buckets / 2 : rule.buckets;
    const std::string text =
        "β(q − p) is the range of the distance from the query's token p to the key's token q: below " +
        std::to_string(all / 2) + " each has its own, farther ones share " + std::to_string(all - all / 2) +
        " that grow up to " + std::to_string(rule.farthest);
    return text + (rule.both_ways ? ", before and behind apart" : "");
}

std::vector<std::string> sentences_of(const ScoreRule& rule) {
    std::vector<std::string> said;
    if (rule.by_layer) said.emplace_back("l is the number of the layer, from 1");
    if (rule.temperature) said.emplace_back("p is the place of the query's token");
    if (rule.alibi) said.push_back(sentence_of(*rule.alibi));
    if (rule.relative) said.push_back(sentence_of(*rule.relative));
    return said;
}

std::vector<std::string> sentences_of(const Routing& rule) {
    std::vector<std::string> said;
    if (rule.normalized) said.emplace_back("normalized(w) = w / Σ w, over the experts that a token is sent to");
    if (rule.scores == RouterScores::softmax_of_close)
        said.push_back(
            "share(r) = e^r / Σ e^s, over the scores s of the experts not chosen before with (r − s) / max(|s|, r) ≤ " +
            number_text(rule.closeness));
    if (rule.groups > 1)
        said.emplace_back(rule.group_by_best_two ? "A group is as good as its best two experts together"
                                                 : "A group is as good as its best expert");
    return said;
}

}  // namespace

std::vector<std::string> sentences_of(const ModelGraph& graph, const Node& node) {
    switch (node.op) {
        case Op::norm: {
            std::vector<std::string> said;
            if (node.rule<NormRule>().group) said.push_back(sentence_of(graph, node));
            if (node.rule<NormRule>().times) said.emplace_back("l is the number of the layer, from 1");
            return said;
        }
        case Op::pair_heads:
            return {"paired(x) has, of n heads, beside the columns of head i mod n/2 those of the head n/2 further on"};
        case Op::subtract: return {"l is the number of the layer, from 1"};
        case Op::rotate: return {sentence_of(node.rule<Rotation>())};
        case Op::linear:
            if (node.rule<LinearRule>().head)
                return {"Each " + in_symbols(*node.rule<LinearRule>().head) +
                        " columns are multiplied by as many rows of the matrix, alone: one block below the other"};
            if (!node.rule<LinearRule>().weighed_by) return {};
            return {"Each row is first multiplied by how much its expert counts, a column of G_k"};
        case Op::index_scores: return {"The sum is over the index heads j"};
        case Op::choose:
            return {"C_x is 1 where token p looks at token q, which is among the best of its row, and else 0",
                    sentence_of(node.rule<Mask>())};
        case Op::scores: return sentences_of(node.rule<ScoreRule>());
        case Op::masked_softmax: {
            std::vector<std::string> said;
            if (node.inputs.size() == 1) said.push_back(sentence_of(node.rule<Mask>()));
            if (!node.parameters.empty())
                said.emplace_back("The sink's column takes its share of every row and is then dropped");
            return said;
        }
        case Op::take_head:
            if (node.rule<HeadRule>().share == Expr(1)) return {};
            return {"j = ⌊i / (" + in_symbols(node.rule<HeadRule>().share) +
                    (graph.tensors[node.output].component == Component::recurrence
                         ? ")⌋: so many heads i share one group j"
                         : ")⌋: so many query heads i share one head j")};
        case Op::join_heads: return {"The heads, i from 0, stand side by side"};
        case Op::route: return sentences_of(node.rule<Routing>());
        case Op::convolve:
            return {
                "conv(x, w)[t, c] = Σ_j w[j, c] · x[t − K + 1 + j, c], j from 0 to K − 1; before the first token x is "
                "0"};
        case Op::decay:
            if (node.rule<DecayRule>().by_token) return {};
            if (graph.tensors[node.parameters.front()].shape.rank() < 2) {
                if (graph.tensors[node.output].shape[1] == graph.tensors[node.parameters.front()].shape[0]) return {};
                return {"A ⊗ 1 has each head's rate once for each row of its state"};
            }
            return {
                "flat(A) has the rows of A, one a head, behind one another; each head's step is there for each row of "
                "its state"};
        case Op::weigh:
            return {
                "mean(K, V, w, u)[t] = Σ_s e^(l_s) ⊙ V[s] / Σ_s e^(l_s), s up to t; l_s is K[t] + u of the token t "
                "itself, and K[s] − (t − 1 − s) · e^w of those before"};
        case Op::sum_up:
            return {
                "The rows are m, the largest l_s, Σ_s e^(l_s − m), and Σ_s e^(l_s − m) ⊙ V[s], where l_s is "
                "K[s] − (t − s) · e^w and t the last token"};
        case Op::fade: return {"t is the token of the row; the first one's is what is added alone"};
        case Op::step: return {"softplus(x) = log(1 + e^x)"};
        case Op::update_state: {
            std::vector<std::string> said{
                "t is the token, and S_t the state after it, S_(−1) is 0: what is kept is that after the last token"};
            if (const auto& fading = node.rule<StateRule>().fading)
                said.push_back("α = e^(−2^(−8 (i + 1) / " + std::to_string(fading->heads) + ") · (1 − l / " +
                               std::to_string(fading->layers - 1) + ")) of head i in layer l, both from 0");
            return said;
        }
        case Op::read_state:
            if (node.rule<StateRule>().read_first)
                return {"t is the token of the row, and S_(t−1) the state before it"};
            return {"t is the token of the row, and S_t the state after it"};
        case Op::bonus:
            return {"flat(W) has the rows of W, one a head, behind one another; mean is over a head's columns"};
        case Op::take_columns:
            if (!node.rule<ColumnRange>().by_layer) return {};
            return {"l is the number of the layer, from 1"};
        case Op::mix_blocks: {
            const std::string in = in_symbols(node.rule<BlockRule>().in);
            if (in == "1" && node.rule<BlockRule>().out == Expr(1)) return {};
            const std::string c(graph.tensors[node.inputs[1]].symbol);
            return {"Block j of the columns is Σ_i " + c + "[t, j·" + in + " + i] · block i, i below " + in};
        }
        case Op::combine: return {"The sum is over the experts e that each token was sent to"};
        case Op::activate:
        case Op::gate:
            if (node.rule<GateRule>().activation != Activation::gelu_tanh ||
                (node.op == Op::gate && node.rule<GateRule>().clamped))
                return {};
            return {"GELU by its approximation with tanh"};
        default: return {};
    }
}

}  // namespace headcount
