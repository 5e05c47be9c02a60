// The equations of all operations, in the notation of the papers that the graph's builders name.
#include "core/graph/op_formulas.hpp"

#include <algorithm>
#include <utility>

namespace headcount {
namespace {

using Kind = Formula::Kind;
using formulas::input, formulas::parameter, formulas::scaled;

// cap · tanh(x / cap)
Formula capped(std::optional<double> cap, Formula x) {
    if (!cap) return x;
    return Formula(*cap) * Formula::of(functions::tanh, std::move(x) / *cap);
}

Formula by_layer(const ByLayer& rule) {
    const Formula far = Formula(rule.rate) * (Formula(Kind::layer_number, {}) - 1);
    const bool falls = rule.first > rule.last;
    const Formula rest =
        Formula(falls ? rule.first - rule.last : rule.last - rule.first) / Formula::of(functions::exp, far);
    return falls ? Formula(rule.last) + rest : Formula(rule.last) - rest;
}

// p - q tokens lie between; Falcon adds the rounded slope times the key's position before it scales.
Formula lowered(const Alibi& alibi, Formula scores) {
    const Formula slope(Kind::slope, {}), p(Kind::query_position, {}), q(Kind::key_position, {});
    if (!alibi.rounded_before_scale) return std::move(scores) + slope * (q - p);
    const auto rounded = [](Formula x) { return Formula::of(functions::bfloat16, std::move(x)); };
    return std::move(scores) + rounded(rounded(slope) * q);
}

Formula warmed(const QueryTemperature& temperature, Formula scores) {
    Formula position(Kind::query_position, {});
    if (temperature.first != 0) position = std::move(position) + static_cast<double>(temperature.first);
    const Formula times = Formula(1) + Formula::of(functions::floor, position / temperature.floor);
    return std::move(scores) * (Formula(1) + Formula(temperature.scale) * Formula::of(functions::log, times));
}

// Huang & Schlag 2024: x² above 0 and e^x - 1 - x below, each times a trained number above a bound, and x / 2.
Formula xielu(const Node& node, const Formula& x) {
    const Formula above(Kind::most, {x, 0.0}), below(Kind::least, {x, 0.0});
    const auto trained = [&](std::size_t index) { return Formula::of(functions::softplus, parameter(node, index)); };
    return Formula(0.5) * x + trained(0) * Formula(Kind::square, {above}) +
           (Formula(0.5) + trained(1)) * (Formula::of(functions::expm1, below) - below);
}

Formula of_activation(const Node& node, Formula x) {
    const Activation activation = node.rule<GateRule>().activation;
    if (const Function* const function = function_of(activation)) return Formula::of(*function, std::move(x));
    return activation == Activation::xielu ? xielu(node, x) : x;
}

}  // namespace

namespace formulas {

Formula embed(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<Scaling>();
    Formula rows(Kind::rows_of, {parameter(node), input(node)});
    if (!rule.rooted) return scaled(rule.factor, std::move(rows));
    const Shape& shape = graph.tensors[node.output].shape;
    return Formula(Kind::root, {Formula(shape[1])}) * std::move(rows);
}

Formula add_positions(const ModelGraph& graph, const Node& node) {
    const bool behind = graph.cache == Cache::filled;
    const Expr first = node.rule<PositionRows>().first;
    return input(node) + Formula(Kind::positions_of, {parameter(node)}, behind ? Symbol::cached + first : first);
}

Formula add_types(const ModelGraph&, const Node& node) {
    return input(node) + Formula(Kind::rows_of, {parameter(node), input(node, 1)});
}

Formula norm(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<NormRule>();
    const Expr columns = rule.group.value_or(graph.tensors[node.inputs.front()].shape[1]);
    const Formula x = input(node);
    Formula rescaled = x;
    if (rule.over != NormRule::Over::row) {
        const auto mean_of = [&](Formula each) {
            Formula mean(Kind::row_mean, {std::move(each)});
            return rule.over == NormRule::Over::column ? mean : Formula(Kind::mean, {std::move(mean)}, columns);
        };
        const Formula less = x - mean_of(x);
        rescaled = less / Formula(Kind::root, {mean_of(Formula(Kind::square, {less})) + rule.epsilon});
    } else if (rule.kind == NormKind::layer) {
        rescaled = (x - Formula(Kind::mean, {x}, columns)) /
                   Formula(Kind::root, {Formula(Kind::variance, {x}, columns) + rule.epsilon});
    } else {
        Formula squares(Kind::mean, {Formula(Kind::square, {x})}, columns);
        if (rule.kind == NormKind::l2) squares = Formula(columns) * std::move(squares);
        squares = rule.epsilon_least ? Formula(Kind::most, {std::move(squares), rule.epsilon})
                                     : std::move(squares) + rule.epsilon;
        rescaled = x / Formula(Kind::root, {std::move(squares)});
    }
    for (const TensorIndex index : node.parameters) {
        const Formula each = Formula::of(index);
        if (graph.tensors[index].bias)
            rescaled = std::move(rescaled) + each;
        else
            rescaled = std::move(rescaled) * (rule.offset == 0 ? each : Formula(rule.offset) + each);
    }
    if (rule.times) rescaled = by_layer(*rule.times) * std::move(rescaled);
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
    made = scaled(rule.scale, std::move(made));
    if (rule.offset != 0) made = std::move(made) + rule.offset;
    return capped(rule.soft_cap, std::move(made));
}

Formula rotate(const ModelGraph&, const Node& node) { return {Kind::turned, {input(node)}}; }

Formula append_cache(const ModelGraph& graph, const Node& node) {
    const bool behind = uses(graph.tensors[node.output].shape, Symbol::cached);
    return behind ? Formula(Kind::behind_earlier, {input(node)}) : input(node);
}

// A state's rows are as many at any time.
Formula keep_window(const ModelGraph& graph, const Node& node) {
    const Tensor& kept = graph.tensors[node.output];
    return {Kind::last_rows, {input(node)}, kept.role == Role::state ? kept.shape[0] : Expr(Symbol::window)};
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

Formula scores(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<ScoreRule>();
    const Expr columns = graph.tensors[node.inputs.front()].shape[1];
    Formula made(Kind::product, {input(node), Formula(Kind::transposed, {input(node, 1)})}, columns);
    const std::vector<TensorIndex> sides = graph.distance_sides(node);
    for (const TensorIndex each : sides) {
        const bool keys = graph.tensors[each].part == Part::relative_key;
        const Formula side(Kind::distance, {Formula::of(each)});
        made = std::move(made) +
               Formula(Kind::product,
                       {keys ? input(node) : side, Formula(Kind::transposed, {keys ? side : input(node, 1)})}, columns);
    }
    if (rule.alibi && rule.alibi->rounded_before_scale) made = lowered(*rule.alibi, std::move(made));
    if (rule.rooted)
        made = std::move(made) /
               Formula(Kind::root, {rule.terms > 1 ? Formula(Expr(rule.terms) * columns) : Formula(columns)});
    else if (rule.factor != 1)
        made = Formula(rule.factor) * std::move(made);
    if (rule.by_layer) made = std::move(made) / Formula(Kind::layer_number, {});
    if (rule.temperature) made = warmed(*rule.temperature, std::move(made));
    made = capped(rule.soft_cap, std::move(made));
    if (!node.parameters.empty()) {
        const Formula added(Kind::distance, {parameter(node)});
        const bool gated = node.inputs.size() > 2 && sides.empty();
        made = std::move(made) + (gated ? input(node, 2) * added : added);
    }
    return rule.alibi && !rule.alibi->rounded_before_scale ? lowered(*rule.alibi, std::move(made)) : made;
}

// Σ_j w_j · ReLU(Q_j · Kᵀ) / √(h_x · d_x) (DeepSeek-AI 2025, DeepSeek-V3.2, section 2.1).
Formula index_scores(const ModelGraph& graph, const Node& node) {
    const Expr width = graph.tensors[node.inputs[1]].shape[1], heads = graph.tensors[node.inputs[2]].shape[1];
    const Formula key(Kind::transposed, {input(node, 1)}), query(Kind::one_of_heads, {input(node)}, width);
    const Formula met = Formula::of(*function_of(Activation::relu), Formula(Kind::product, {query, key}, width));
    const Formula counts(Kind::one_of_heads, {input(node, 2)}, 1);
    return Formula(Kind::over_heads, {counts, met}, heads) / Formula(Kind::root, {Formula(heads * width)});
}

Formula choose(const ModelGraph&, const Node& node) { return {Kind::best, {input(node)}, Symbol::index_chosen}; }

// a · (b · s − 1) + 2, of sigmoids of the sums of either half of what was made of the query's row.
Formula gate_distances(const ModelGraph& graph, const Node& node) {
    const auto share = [&](std::size_t half) {
        const Expr columns = graph.tensors[node.inputs[half]].shape[1];
        return Formula::of(functions::sigmoid, Formula(columns) * Formula(Kind::mean, {input(node, half)}, columns));
    };
    return share(0) * (share(1) * Formula(Kind::head_columns, {parameter(node)}) - 1) + 2;
}

Formula masked_softmax(const ModelGraph&, const Node& node) {
    std::vector<Formula> of{node.inputs.size() > 1 ? Formula(Kind::where_chosen, {input(node), input(node, 1)})
                                                   : input(node)};
    if (!node.parameters.empty()) of.push_back(parameter(node));
    return {Kind::masked_softmax, std::move(of)};
}

Formula mix(const ModelGraph& graph, const Node& node) {
    return {Kind::product, {input(node), input(node, 1)}, graph.tensors[node.inputs.front()].shape[1]};
}

// As many heads as the input has, each twice as wide.
Formula pair_heads(const ModelGraph&, const Node& node) {
    return {Kind::paired, {input(node)}, node.rule<HeadRule>().step};
}

Formula subtract(const ModelGraph& graph, const Node& node) {
    const auto share = [&](std::size_t first) {
        const Expr columns = graph.tensors[node.parameters[first]].shape[0];
        const Formula key(Kind::transposed, {parameter(node, first + 1)});
        return Formula::of(functions::exp, Formula(Kind::product, {parameter(node, first), key}, columns));
    };
    const Formula taken = share(0) - share(2) + by_layer(node.rule<DifferenceRule>().added);
    return input(node) - taken * input(node, 1);
}

Formula join_heads(const ModelGraph& graph, const Node& node) {
    return {Kind::heads, {input(node)}, graph.tensors[node.inputs.front()].shape[1]};
}

Formula activate(const ModelGraph&, const Node& node) { return of_activation(node, input(node)); }

Formula gate(const ModelGraph&, const Node& node) {
    const auto& rule = node.rule<GateRule>();
    if (!rule.clamped) return of_activation(node, input(node)) * input(node, 1);
    const Formula least(Kind::least, {input(node), rule.clamped->limit});
    const Formula passed = rule.clamped->alpha == 1
                               ? Formula::of(*function_of(Activation::silu), least)
                               : least * Formula::of(functions::sigmoid, Formula(rule.clamped->alpha) * least);
    const Formula within(Kind::within, {input(node, 1), rule.clamped->limit});
    return passed * (rule.clamped->added != 0 ? within + rule.clamped->added : within);
}

Formula route(const ModelGraph& graph, const Node& node) {
    std::vector<Formula> of{input(node)};
    if (const auto correction = graph.parameter_of(node, Part::router_correction))
        of.push_back(Formula::of(*correction));
    Formula made(Kind::chosen, std::move(of), graph.tensors[node.output].shape[1]);
    const auto scale = graph.parameter_of(node, Part::router_scale);
    return scale ? std::move(made) * Formula(Kind::of_expert, {Formula::of(*scale)}) : made;
}

Formula combine(const ModelGraph&, const Node& node) {
    std::vector<Formula> experts{input(node)};
    if (!node.rule<Routing>().on_input) experts.push_back(input(node, 1));
    Formula made(Kind::over_experts, std::move(experts), Expr(Symbol::experts_per_token));
    const double together = node.rule<Routing>().combined;
    if (node.inputs.size() < 3) return scaled(together, std::move(made));
    Formula shared = input(node, 2);
    if (node.inputs.size() > 3) shared = Formula::of(functions::sigmoid, input(node, 3)) * std::move(shared);
    return scaled(together, std::move(shared) + std::move(made));
}

Formula add(const ModelGraph&, const Node& node) {
    Formula stream = input(node);
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
        stream = node.rule<Scaling>().factor == -1
                     ? std::move(stream) - input(node, i)
                     : std::move(stream) + scaled(node.rule<Scaling>().factor, input(node, i));
    stream = scaled(node.rule<Scaling>().whole, std::move(stream));
    return node.parameters.empty() ? stream : std::move(stream) * parameter(node);
}

Formula beside(const ModelGraph& graph, const Node& node) {
    Formula all = input(node);
    Expr columns = graph.tensors[node.inputs.front()].shape[1];
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
        all = Formula(Kind::beside, {std::move(all), input(node, i)}, columns);
        columns = columns + graph.tensors[node.inputs[i]].shape[1];
    }
    return all;
}

// Where a row is one block, by one number: cell by cell.
Formula mix_blocks(const ModelGraph&, const Node& node) {
    const auto& rule = node.rule<BlockRule>();
    if (rule.in == Expr(1) && rule.out == Expr(1)) return input(node) * input(node, 1);
    return {Kind::mixed_blocks, {input(node), input(node, 1)}, rule.in};
}

Formula magnitude(const ModelGraph& graph, const Node& node) {
    const Formula square(Kind::square, {input(node)});
    return {Kind::root, {Formula(Kind::mean, {square}, graph.tensors[node.inputs.front()].shape[1])}};
}

Formula threshold(const ModelGraph& graph, const Node& node) {
    const Expr columns = graph.tensors[node.inputs.front()].shape[1];
    const Formula x = input(node), spread(Kind::root, {Formula(Kind::variance, {x}, columns)});
    const Formula bound = Formula(Kind::mean, {x}, columns) + Formula(node.rule<ThresholdRule>().deviations) * spread;
    return {Kind::most, {x - bound, 0.0}};
}

Formula table(const ModelGraph&, const Node& node) { return parameter(node); }

Formula first_row(const ModelGraph&, const Node& node) { return {Kind::first_row, {input(node)}}; }

Formula insert_rows(const ModelGraph&, const Node& node) {
    std::vector<Formula> of{input(node)};
    for (const TensorIndex each : node.parameters) of.push_back(Formula::of(each));
    return {Kind::inserted, std::move(of), node.rule<InsertionRule>().before};
}

Formula pool(const ModelGraph& graph, const Node& node) {
    const auto& rule = node.rule<PoolRule>();
    Formula mean(Kind::row_mean, {input(node)});
    if (rule.rows == PooledRows::mean) return mean;
    if (rule.rows == PooledRows::class_mean) {
        mean.value = 2;
        return mean;
    }
    mean.size = rule.before;
    if (rule.rows == PooledRows::patch_mean) return mean;
    const Expr width = graph.tensors[node.inputs.front()].shape[1];
    return {Kind::beside, {Formula(Kind::first_row, {input(node)}), std::move(mean)}, width};
}

Formula unfold(const ModelGraph&, const Node& node) { return {Kind::unfolded, {input(node)}}; }

Formula scale_columns(const ModelGraph&, const Node& node) { return input(node) * parameter(node); }

}  // namespace formulas
}  // namespace headcount
