// The equations of all operations, in the notation of the papers that the graph's builders name.
#include "core/graph/ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/text.hpp"

namespace headcount {
namespace {

using Kind = Formula::Kind;

Formula input(const Node& node, std::size_t index = 0) {
    return Formula::of(node.inputs[index]);
}

Formula parameter(const Node& node, std::size_t index = 0) {
    return Formula::of(node.parameters[index]);
}

Formula scaled(double factor, Formula by) {
    return factor == 1 ? by : Formula(factor) * std::move(by);
}

// cap · tanh(x / cap)
Formula capped(std::optional<double> cap, Formula x) {
    if (!cap) return x;
    return Formula(*cap) * Formula::of(
                               "tanh", [](double value) { return std::tanh(value); }, std::move(x) / *cap);
}

Formula embed(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<Scaling>();
    Formula rows(Kind::rows_of, {parameter(node), input(node)});
    if (!rule.rooted) return scaled(rule.factor, std::move(rows));
    const Shape& shape = graph.tensors[node.output].shape;
    return Formula(Kind::root, {Formula(shape[1])}) * std::move(rows);
}

Formula add_positions(const ModelGraph&, const Node& node) {
    return input(node) + Formula(Kind::positions_of, {parameter(node)}, node.rule<PositionRows>().first);
}

Formula norm(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<NormRule>();
    const Expr columns = rule.group.value_or(graph.tensors[node.inputs.front()].shape[1]);
    const Formula x = input(node);
    Formula rescaled = x;
    if (rule.kind == NormKind::layer) {
        rescaled = (x - Formula(Kind::mean, {x}, columns)) /
                   Formula(Kind::root, {Formula(Kind::variance, {x}, columns) + rule.epsilon});
    } else {
        const Formula squares(Kind::square, {x});
        rescaled = x / Formula(Kind::root, {Formula(Kind::mean, {squares}, columns) + rule.epsilon});
    }
    for (std::size_t i = 0; i < node.parameters.size(); ++i) {
        const Formula each = parameter(node, i);
        if (i > 0 || !rule.scales)
            rescaled = std::move(rescaled) + each;
        else
            rescaled = std::move(rescaled) * (rule.offset == 0 ? each : Formula(rule.offset) + each);
    }
    return rescaled;
}

Formula linear(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<LinearRule>();
    Formula rows = input(node), weight = parameter(node);
    if (rule.weighed_by) rows = Formula::of(*rule.weighed_by) * std::move(rows);
    if (rule.transposed) weight = Formula(Kind::transposed, {std::move(weight)});
    Formula made(Kind::product, {std::move(rows), std::move(weight)}, graph.tensors[node.inputs.front()].shape[1]);
    if (node.parameters.size() > 1) made = std::move(made) + parameter(node, 1);
    if (rule.clip) made = Formula(Kind::within, {std::move(made), *rule.clip});
    return capped(rule.soft_cap, scaled(rule.scale, std::move(made)));
}

Formula rotate(const ModelGraph&, const Node& node) {
    return {Kind::turned, {input(node)}};
}

Formula append_cache(const ModelGraph& graph, const Node& node) {
    const bool behind = uses(graph.tensors[node.output].shape, Symbol::cached);
    return behind ? Formula(Kind::behind_earlier, {input(node)}) : input(node);
}

Formula keep_window(const ModelGraph&, const Node& node) {
    return {Kind::last_rows, {input(node)}, Expr(Symbol::window)};
}

Formula take_columns(const ModelGraph&, const Node& node) {
    return {Kind::columns, {input(node)}, node.rule<ColumnRange>().first};
}

Formula take_head(const ModelGraph& graph, const Node& node) {
    Formula own(Kind::head_columns, {input(node)});
    if (node.inputs.size() == 1) return own;
    const auto columns = [&](TensorIndex tensor) { return graph.tensors[tensor].shape[1]; };
    return {Kind::beside, {std::move(own), input(node, 1)}, columns(node.output) - columns(node.inputs[1])};
}

// p - q tokens lie between; Falcon adds the rounded slope times the key's position before it scales.
Formula lowered(const Alibi& alibi, Formula scores) {
    const Formula slope(Kind::slope, {}), p(Kind::query_position, {}), q(Kind::key_position, {});
    if (!alibi.rounded_before_scale) return std::move(scores) + slope * (q - p);
    const auto rounded = [](double value) { return static_cast<double>(as_bfloat16(static_cast<float>(value))); };
    return std::move(scores) + Formula::of("bf16", rounded, Formula::of("bf16", rounded, slope) * q);
}

Formula warmed(const QueryTemperature& temperature, Formula scores) {
    const Formula position = Formula(Kind::query_position, {}) + 1;
    const auto down = [](double value) { return std::floor(value); };
    const auto log = [](double value) { return std::log(value); };
    return std::move(scores) *
           (Formula(1) +
            Formula(temperature.scale) *
                Formula::of("log", log, Formula(1) + Formula::of("floor", down, position / temperature.floor)));
}

Formula scores(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<ScoreRule>();
    const Expr columns = graph.tensors[node.inputs.front()].shape[1];
    Formula made(Kind::product, {input(node), Formula(Kind::transposed, {input(node, 1)})}, columns);
    if (rule.alibi && rule.alibi->rounded_before_scale) made = lowered(*rule.alibi, std::move(made));
    made = rule.rooted ? std::move(made) / Formula(Kind::root, {Formula(columns)})
                       : Formula(rule.factor) * std::move(made);
    if (rule.by_layer) made = std::move(made) / Formula(Kind::layer_number, {});
    if (rule.temperature) made = warmed(*rule.temperature, std::move(made));
    made = capped(rule.soft_cap, std::move(made));
    return rule.alibi && !rule.alibi->rounded_before_scale ? lowered(*rule.alibi, std::move(made)) : made;
}

Formula masked_softmax(const ModelGraph&, const Node& node) {
    std::vector<Formula> of{input(node)};
    if (!node.parameters.empty()) of.push_back(parameter(node));
    return {Kind::masked_softmax, std::move(of)};
}

Formula mix(const ModelGraph& graph, const Node& node) {
    return {Kind::product, {input(node), input(node, 1)}, graph.tensors[node.inputs.front()].shape[1]};
}

Formula join_heads(const ModelGraph& graph, const Node& node) {
    return {Kind::heads, {input(node)}, graph.tensors[node.inputs.front()].shape[1]};
}

Formula of_activation(Activation activation, Formula x) {
    constexpr std::array<double (*)(double), activation_functions.size()> functions{
        [](double value) { return activated(Activation::silu, value); },
        [](double value) { return activated(Activation::gelu, value); },
        [](double value) { return activated(Activation::gelu_tanh, value); },
        [](double value) { return activated(Activation::relu, value); },
        [](double value) { return activated(Activation::relu2, value); },
    };
    return Formula::of(info(activation).function, functions[static_cast<std::size_t>(activation)], std::move(x));
}

Formula activate(const ModelGraph&, const Node& node) {
    return of_activation(node.rule<GateRule>().activation, input(node));
}

Formula gate(const ModelGraph&, const Node& node) {
    const auto& rule = node.rule<GateRule>();
    if (!rule.clamped) return of_activation(rule.activation, input(node)) * input(node, 1);
    const Formula least(Kind::least, {input(node), rule.clamped->limit});
    return least * Formula::of("sigmoid", sigmoid, Formula(rule.clamped->alpha) * least) *
           (Formula(Kind::within, {input(node, 1), rule.clamped->limit}) + 1);
}

Formula route(const ModelGraph& graph, const Node& node) {
    std::vector<Formula> of{input(node)};
    if (!node.parameters.empty()) of.push_back(parameter(node));
    return {Kind::chosen, std::move(of), graph.tensors[node.output].shape[1]};
}

Formula combine(const ModelGraph&, const Node& node) {
    std::vector<Formula> experts{input(node)};
    if (!node.rule<Routing>().on_input) experts.push_back(input(node, 1));
    Formula made(Kind::over_experts, std::move(experts), Expr(Symbol::experts_per_token));
    if (node.inputs.size() < 3) return made;
    Formula shared = input(node, 2);
    if (node.inputs.size() > 3) shared = Formula::of("sigmoid", sigmoid, input(node, 3)) * std::move(shared);
    return std::move(made) + std::move(shared);
}

Formula add(const ModelGraph&, const Node& node) {
    Formula stream = input(node);
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
        stream = std::move(stream) + scaled(node.rule<Scaling>().factor, input(node, i));
    return stream;
}

constexpr auto no_kept = KeptForTraining::nothing;
constexpr std::array op_table{
    OpInfo{Op::embed, "embed", "Rows by token", false, Moves::rows, no_kept, "the row of the token in the embedding",
           embed},
    OpInfo{Op::add_positions, "add_positions", "Positions added", false, Moves::rows, no_kept,
           "the token's number plus its position's", add_positions},
    OpInfo{Op::norm, "norm", "Norm", false, Moves::all, KeptForTraining::first_input, "", norm},
    OpInfo{Op::linear, "linear", "Linear", true, Moves::all, KeptForTraining::first_input, "", linear},
    OpInfo{Op::rotate, "rotate", "Rotary positions", false, Moves::all, no_kept, "", rotate},
    OpInfo{Op::append_cache, "append_cache", "Behind the cache", false, Moves::cache, no_kept, "", append_cache},
    OpInfo{Op::keep_window, "keep_window", "The window's last rows", false, Moves::cache, no_kept, "", keep_window},
    OpInfo{Op::take_columns, "take_columns", "Some columns", false, Moves::nothing, no_kept, "", take_columns},
    OpInfo{Op::take_head, "take_head", "One head's columns", false, Moves::nothing, no_kept, "", take_head},
    OpInfo{Op::scores, "scores", "Scores", true, Moves::on_chip, KeptForTraining::inputs, "", scores},
    OpInfo{Op::masked_softmax, "masked_softmax", "Softmax under a mask", false, Moves::on_chip, KeptForTraining::output,
           "", masked_softmax},
    OpInfo{Op::mix, "mix", "Values mixed", true, Moves::all, KeptForTraining::inputs, "", mix},
    OpInfo{Op::join_heads, "join_heads", "Heads side by side", false, Moves::nothing, no_kept, "", join_heads},
    OpInfo{Op::activate, "activate", "Activation function", false, Moves::all, KeptForTraining::inputs, "", activate},
    OpInfo{Op::gate, "gate", "Gate", false, Moves::all, KeptForTraining::inputs, "the gate times what passes it", gate},
    OpInfo{Op::route, "route", "Router's choice", false, Moves::all, KeptForTraining::inputs, "", route},
    OpInfo{Op::combine, "combine", "Experts added up", false, Moves::all, KeptForTraining::inputs, "", combine},
    OpInfo{Op::add, "add", "Onto the stream", false, Moves::all, no_kept,
           "the residual stream, and what is added to it", add},
};
static_assert(in_order(op_table, &OpInfo::op), "info() looks operations up by their place in the table");

std::string sentence_of(const Rotation& rule) {
    const Rope& rope = rule.rope;
    const std::string turned = in_symbols(rule.columns), half = in_symbols(rule.columns / 2);
    std::string text = "RoPE turns ";
    if (rule.columns != rule.head)
        text += std::string(rule.first == Expr(0) ? "the first " : "the last ") + turned + " of each head's " +
                in_symbols(rule.head) + " columns: ";
    text += rope.pairs == RopePairs::halves ? "columns i and i + " + half : "columns 2i and 2i + 1";
    text += " of token p by the angle p · θ_i, θ_i = " + number_text(rope.base) + "^(−2i / " + turned + ")";
    constexpr std::array<std::string_view, 6> scalings{"",
                                                       "divided by the factor",
                                                       "of a larger base behind the context",
                                                       "scaled as Llama 3.1 does",
                                                       "scaled by YaRN",
                                                       "each divided by a number of its own"};
    if (rope.scaling != RopeScaling::none)
        text += ", " + std::string(scalings[static_cast<std::size_t>(rope.scaling)]) +
                (rope.factor != 1 ? ", factor " + factor_text(rope.factor) : "");
    if (rope.attention_factor != 1) text += "; and multiplies them by " + factor_text(rope.attention_factor);
    return text;
}

std::string sentence_of(const Mask& mask) {
    const std::string size = std::to_string(mask.size);
    const std::string seen = mask.kind == Mask::Kind::causal   ? "q ≤ p"
                             : mask.kind == Mask::Kind::window ? "p − " + size + " < q ≤ p"
                                                               : "⌊p / " + size + "⌋ · " + size + " ≤ q ≤ p";
    return "M is 0 where token p looks at token q: " + seen + "; else −∞";
}

std::string sentence_of(const ModelGraph& graph, const Node& norm) {
    std::string text =
        "Each head's " + in_symbols(*norm.rule<NormRule>().group) + " columns are rescaled by themselves";
    if (norm.parameters.empty()) return text;
    const bool own = graph.tensors[norm.parameters.front()].shape.rank() > 1;
    return text + (own ? ", with weights of its own" : ", all with the same weights");
}

std::vector<std::string> sentences(const ModelGraph& graph, const Node& node) {
    if (node.op == Op::norm && node.rule<NormRule>().group) return {sentence_of(graph, node)};
    if (node.op == Op::rotate) return {sentence_of(node.rule<Rotation>())};
    if (node.op == Op::masked_softmax) {
        std::vector<std::string> said{sentence_of(node.rule<Mask>())};
        if (!node.parameters.empty())
            said.emplace_back("The sink's column takes its share of every row and is then dropped");
        return said;
    }
    if (node.op == Op::take_head && node.rule<HeadRule>().share != Expr(1) &&
        graph.tensors[node.output].shape[1] == node.rule<HeadRule>().step)
        return {"j = ⌊i / (" + in_symbols(node.rule<HeadRule>().share) + ")⌋: so many query heads i share one head j"};
    if (node.op == Op::route && node.rule<Routing>().normalized)
        return {"normalized(w) = w / Σ w, over the experts that a token is sent to"};
    if ((node.op == Op::activate || node.op == Op::gate) && node.rule<GateRule>().activation == Activation::gelu_tanh)
        return {"GELU by its approximation with tanh"};
    if (node.op == Op::scores && node.rule<ScoreRule>().alibi)
        return {"m_i is the slope of head i, from 2^(−8 / h) down; p and q are the places of query and key"};
    if (node.op == Op::scores && node.rule<ScoreRule>().temperature) return {"p is the place of the query's token"};
    return {};
}

}  // namespace

Equation equation_of(const ModelGraph& graph, const Node& node) {
    return {node.output, info(node.op).formula(graph, node), sentences(graph, node)};
}

const OpInfo& info(Op op) {
    return op_table[static_cast<std::size_t>(op)];
}

}  // namespace headcount
