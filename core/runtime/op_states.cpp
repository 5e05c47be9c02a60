// Recurrences: convolutions over the last tokens, how far states fade, and each head's state written and read.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/weighed_sums.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/run.hpp"

namespace headcount {

bool Run::has_states() const {
    return std::ranges::any_of(plan_.places, [](const PlaceOf& place) { return place.memory == PlaceIn::state; });
}

// Before the first token all are 0.
void Run::clear_states() {
    const ModelGraph& graph = model_->graph;
    for (std::size_t i = 0; i < plan_.places.size(); ++i) {
        const PlaceOf& place = plan_.places[i];
        if (place.memory != PlaceIn::state) continue;
        const std::optional<std::size_t> group = graph.layer_of(graph.tensors[i].block);
        const std::int64_t layers = group ? graph.layers[*group].group.count : 1;
        std::fill_n(memory(place.memory) + place.offset, layers * place.layer_step, 0.0f);
    }
}

// What each token sees begins in the tail that earlier passes have left.
void Run::convolve(const Node& node) {
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, in.columns);
    if (error_) return;
    const MatrixView weights = weight(node.parameters.front());
    const MatrixView bias = node.parameters.size() > 1 ? weight(node.parameters[1]) : MatrixView{};
    const TensorIndex tail = facts_[node.output].tail;
    const Value before = at(tail, plan_.places[tail], plan_.places[tail].rows, 0);
    each_row(in.rows, in.columns * weights.rows, [&](std::int64_t row) {
        std::vector<const float*> seen;
        for (std::int64_t token = row - before.rows; token <= row; ++token)
            seen.push_back(token < 0 ? before.row(before.rows + token) : in.row(token));
        kernels::convolve({.rows = seen.data(),
                           .weights = weights.data,
                           .tokens = weights.rows,
                           .weight_step = weights.row_step,
                           .columns = in.columns,
                           .bias = bias.data},
                          out.row(row));
    });
}

// The last rows for the next pass's convolution: of its own tail, where this pass has fewer.
void Run::keep_tail(const Node& node) {
    const Value in = input(node, 0);
    const Value tail = output(node, plan_.places[node.output].rows, in.columns);
    if (error_) return;
    for (std::int64_t row = 0; row < tail.rows; ++row) {
        const std::int64_t token = in.rows - tail.rows + row;
        std::copy_n(token < 0 ? tail.row(tail.rows + token) : in.row(token), in.columns, tail.row(row));
    }
}

void Run::time_steps(const Node& node) {
    const auto& rule = node.rule<StepRule>();
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, in.columns);
    if (error_) return;
    const MatrixView bias = node.parameters.empty() ? MatrixView{} : weight(node.parameters.front());
    const double most = rule.most.value_or(std::numeric_limits<double>::infinity());
    for (std::int64_t row = 0; row < in.rows; ++row)
        kernels::time_steps(in.row(row), bias.data, static_cast<float>(rule.least), static_cast<float>(most),
                            out.row(row), in.columns);
}

void Run::decay(const Node& node) {
    const Value in = input(node, 0);
    const MatrixView rates = weight(node.parameters.front());
    const bool by_row = model_->graph.tensors[node.parameters.front()].shape.rank() == 2;
    const std::int64_t each = by_row ? rates.columns : 1, steps = by_row ? 1 : in.columns / rates.columns;
    const Value out = output(node, in.rows, in.columns * each);
    if (error_) return;
    const auto& rule = node.rule<DecayRule>();
    if (rule.by_token || rule.of != DecayRule::Rate::exponential) {
        const auto rate = [&](float a) { return static_cast<float>(rule.rate(static_cast<double>(a))); };
        return each_row(in.rows, in.columns, [&](std::int64_t row) {
            for (std::int64_t i = 0; i < in.columns; ++i) {
                const float made = in.row(row)[i], own = rates.data[i];
                out.row(row)[i] = std::exp(-(rule.by_token ? rate(made + own) : rate(own) * made));
            }
        });
    }
    each_row(in.rows, out.columns, [&](std::int64_t row) {
        if (steps > 1) {  // rows have steps of their own, and one rate
            std::vector<float> rate(static_cast<std::size_t>(steps));
            for (std::int64_t head = 0; head < rates.columns; ++head) {
                std::ranges::fill(rate, rates.data[head]);
                kernels::decay(in.row(row) + head * steps, rate.data(), out.row(row) + head * steps, steps);
            }
            return;
        }
        if (!by_row) return kernels::decay(in.row(row), rates.data, out.row(row), in.columns);
        std::vector<float> step(static_cast<std::size_t>(each));
        for (std::int64_t head = 0; head < in.columns; ++head) {
            std::ranges::fill(step, in.row(row)[head]);
            kernels::decay(step.data(), rates.data + head * rates.row_step, out.row(row) + head * each, each);
        }
    });
}

// What each token leaves of the row before it, which of the first of them an earlier pass has left.
void Run::fade(const Node& node) {
    const Value decays = input(node, 0), added = input(node, 1);
    const Value out = output(node, added.rows, added.columns);
    if (error_) return;
    const TensorIndex tail = facts_[node.output].tail;
    const float* before = at(tail, plan_.places[tail], 1, 0).data;
    for (std::int64_t row = 0; row < added.rows; ++row) {
        const bool first = cached_ + row == 0;
        for (std::int64_t i = 0; i < added.columns; ++i) {
            const float left = first ? 0 : decays.row(row)[i];
            out.row(row)[i] = left * before[i] + std::sqrt(1 - left * left) * added.row(row)[i];
        }
        if (!changes_.empty())  // what comes later is made of it
            change({out.row(row), 1, out.columns, out.row_step}, node.output, {.first_row = row});
        before = out.row(row);
    }
}

void Run::blend(const Node& node) {
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, in.columns);
    if (error_) return;
    const MatrixView shares = weight(node.parameters.front());
    const TensorIndex tail = facts_[node.output].tail;
    const float* const earlier = at(tail, plan_.places[tail], 1, 0).data;
    const std::optional<Value> more = node.inputs.size() > 1 ? std::optional(input(node, 1)) : std::nullopt;
    const bool of_before = node.rule<BlendRule>().of_before;
    each_row(in.rows, in.columns, [&](std::int64_t row) {
        const float* const before = row == 0 ? earlier : in.row(row - 1);
        for (std::int64_t i = 0; i < in.columns; ++i) {
            const float share = shares.data[i] + (more ? more->row(row)[i] : 0.0f), x = in.row(row)[i];
            out.row(row)[i] = of_before ? x + (before[i] - x) * share : x * share + before[i] * (1 - share);
        }
    });
}

void Run::bonus(const Node& node) {
    const Value queries = input(node, 0), keys = input(node, 1), values = input(node, 2);
    const Value out = output(node, values.rows, values.columns);
    if (error_) return;
    const MatrixView weights = weight(node.parameters.front());
    each_row(values.rows, values.columns, [&](std::int64_t row) {
        for (std::int64_t head = 0; head < weights.rows; ++head) {
            const std::int64_t first = head * weights.columns;
            float agree = 0;
            for (std::int64_t i = first; i < first + weights.columns; ++i)
                agree += queries.row(row)[i] * keys.row(row)[i] * weights.data[head * weights.row_step + i - first];
            for (std::int64_t i = first; i < first + weights.columns; ++i) out.row(row)[i] = agree * values.row(row)[i];
        }
    });
}

namespace {

// The sums of one column, as rows of a state have them.
WeighedSums<float> sums_in(const Value& state, std::int64_t column, bool any) {
    if (!any) return {};
    return {.values = state.row(2)[column], .weights = state.row(1)[column], .largest = state.row(0)[column]};
}

}  // namespace

void Run::weighted_mean(const Node& node) {
    const Value keys = input(node, 0), values = input(node, 1);
    const Value out = output(node, keys.rows, keys.columns);
    if (error_) return;
    const MatrixView rates = weight(node.parameters[0]), more = weight(node.parameters[1]);
    const TensorIndex kept = facts_[node.output].tail;
    const Value state = at(kept, plan_.places[kept], 3, 0);
    for (std::int64_t i = 0; i < keys.columns; ++i) {
        WeighedSums<float> sums = sums_in(state, i, cached_ > 0);
        const float fades = std::exp(rates.data[i]);
        for (std::int64_t row = 0; row < keys.rows; ++row) {
            const float key = keys.row(row)[i], value = values.row(row)[i];
            out.row(row)[i] = sums.mean_with(key + more.data[i], value);
            sums.add(key, value, fades);
        }
    }
}

void Run::sum_up(const Node& node) {
    const Value keys = input(node, 0), values = input(node, 1);
    const Value state = output(node, 3, keys.columns);
    if (error_) return;
    const MatrixView rates = weight(facts_[node.output].rates);
    for (std::int64_t i = 0; i < keys.columns; ++i) {
        WeighedSums<float> sums = sums_in(state, i, cached_ > 0);
        for (std::int64_t row = 0; row < keys.rows; ++row)
            sums.add(keys.row(row)[i], values.row(row)[i], std::exp(rates.data[i]));
        state.row(0)[i] = sums.largest, state.row(1)[i] = sums.weights, state.row(2)[i] = sums.values;
    }
}

// Token by token, the heads beside each other.
void Run::run_states(const Step& step) {
    const Node *update = nullptr, *read = nullptr;
    for (const Node* node : step.nodes) {
        if (node->op == Op::update_state) update = node;
        if (node->op == Op::read_state) read = node;
    }
    const auto& rule = update->rule<StateRule>();
    const MatrixView skip = read->parameters.empty() ? MatrixView{} : weight(read->parameters.front());
    const auto open = [&](TensorIndex tensor, std::int64_t rows, std::int64_t head) {
        return at(tensor, plan_.places[tensor], rows, head);
    };
    const auto rows_of = [](const Value& value) { return kernels::Rows{value.data, value.row_step}; };
    const std::int64_t inner = plan_.places[update->output].rows;
    for (const Node* node : step.nodes) {
        const Value first = open(node->output, node == update ? inner : rows_, 0);
        check(node->output, first.rows, first.columns);
    }
    if (error_) return;
    const bool told = !rule.fading;                                          // by the tokens how far it fades
    const bool measured = told && !rule.apart && update->inputs.size() > 3;  // and how much of them is written
    using Writing = kernels::StatePass::Writing;
    const Writing writing = rule.apart        ? Writing::apart
                            : rule.replaces   ? Writing::replaces
                            : rule.read_first ? Writing::adds_after
                                              : Writing::adds;
    float whole = 1;
    const auto run_one = [&](std::int64_t head) {
        const Value values = open(update->inputs[1], rows_, head);
        float left = told ? 0 : rule.fading->left(head, layer_);
        kernels::pass_state(
            {.state = rows_of(open(update->output, inner, head)),
             .queries = rows_of(open(read->inputs.front(), rows_, head)),
             .keys = rows_of(open(update->inputs[0], rows_, head)),
             .values = rows_of(values),
             .out = rows_of(open(read->output, rows_, head)),
             .decays = told ? rows_of(open(update->inputs[2], rows_, head)) : kernels::Rows{&left, 0},
             .writes = measured ? rows_of(open(update->inputs[3], rows_, head)) : kernels::Rows{&whole, 0},
             .decay_step = told && plan_.places[update->inputs[2]].columns > 1 ? 1 : 0,
             .tokens = rows_,
             .inner = inner,
             .columns = values.columns,
             .erased = rule.apart ? rows_of(open(update->inputs[3], rows_, head)) : kernels::Rows{},
             .taken = rule.apart ? rows_of(open(update->inputs[4], rows_, head)) : kernels::Rows{},
             .writing = writing,
             .factor = static_cast<float>(rule.query_factor),
             .skip = skip ? skip.data[head] : 0.0f});
    };
    const std::int64_t heads = plan_.places[update->output].copies;
    constexpr std::int64_t worth_sharing = 1 << 15;  // cells
    if (heads * rows_ * inner * plan_.places[update->output].columns < worth_sharing) {
        for (std::int64_t head = 0; head < heads; ++head) run_one(head);
        return;
    }
    pool_->run(heads, [&](std::int64_t head, int) { run_one(head); });
}

}  // namespace headcount
