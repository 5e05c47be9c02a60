// Mixtures of experts: to which experts each token is sent, their work on the tokens that they get, and what comes of
// it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/runtime/kernels.hpp"
#include "core/runtime/routing.hpp"
#include "core/runtime/run.hpp"

namespace headcount {
namespace {

// What is no number comes last, so that all can be put in an order.
float comparable(float value) { return std::isnan(value) ? -INFINITY : value; }

// A copy of scores, each column a softmax over the rows; `cells` are its memory.
Value softened_columns(const Value& scores, std::vector<float>& cells) {
    cells.resize(static_cast<std::size_t>(scores.rows * scores.columns));
    std::vector<float> column(static_cast<std::size_t>(scores.rows));
    const Value made{cells.data(), scores.rows, scores.columns, scores.columns};
    for (std::int64_t i = 0; i < scores.columns; ++i) {
        for (std::int64_t row = 0; row < scores.rows; ++row) column[static_cast<std::size_t>(row)] = scores.row(row)[i];
        kernels::softmax(column.data(), column.data(), scores.rows, nullptr);
        for (std::int64_t row = 0; row < scores.rows; ++row) made.row(row)[i] = column[static_cast<std::size_t>(row)];
    }
    return made;
}

// The experts of all but the best groups are out (DeepSeek-V2 and V3).
void leave_best_groups(const Routing& routing, std::vector<float>& choices) {
    const auto groups = static_cast<std::size_t>(routing.groups);
    const std::size_t size = choices.size() / groups;
    if (groups <= 1 || size == 0) return;
    std::vector<float> worth(groups);
    for (std::size_t group = 0; group < groups; ++group) {
        float first = -INFINITY, second = -INFINITY;
        for (std::size_t i = group * size; i < (group + 1) * size; ++i) {
            second = std::max(second, std::min(first, choices[i]));
            first = std::max(first, choices[i]);
        }
        worth[group] = routing.group_by_best_two && size > 1 ? comparable(first + second) : first;
    }
    std::vector<std::size_t> order(groups);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return worth[a] > worth[b]; });
    for (std::size_t i = static_cast<std::size_t>(routing.groups_used); i < groups; ++i)
        std::fill_n(choices.begin() + static_cast<std::ptrdiff_t>(order[i] * size), size, -INFINITY);
}

}  // namespace

void RouterRow::choose(const Routing& routing, const float* raw, const float* correction,
                       std::span<std::int32_t> experts, float* weights) {
    const auto all = static_cast<std::int64_t>(scores_.size()), chosen = static_cast<std::int64_t>(experts.size());
    std::copy_n(raw, all, scores_.begin());
    if (routing.scores == RouterScores::softmax && !routing.over_tokens)
        kernels::softmax(scores_.data(), scores_.data(), all, nullptr);
    const bool chosen_first = routing.scores == RouterScores::sigmoid_of_chosen;
    if (by_themselves(routing.scores) && !chosen_first)
        for (float& each : scores_) each = by_itself(routing.scores, each);
    for (std::size_t i = 0; i < choices_.size(); ++i)
        choices_[i] = comparable(correction ? scores_[i] + correction[i] : scores_[i]);
    leave_best_groups(routing, choices_);
    std::iota(order_.begin(), order_.end(), 0);
    std::partial_sort(order_.begin(), order_.begin() + chosen, order_.end(), [&](std::int32_t a, std::int32_t b) {
        const float x = choices_[static_cast<std::size_t>(a)], y = choices_[static_cast<std::size_t>(b)];
        return x != y ? (x > y) != routing.worst : a < b;
    });
    for (std::int64_t i = 0; i < chosen; ++i) {
        experts[static_cast<std::size_t>(i)] = order_[static_cast<std::size_t>(i)];
        weights[i] = scores_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
    }
    if (chosen_first)
        for (std::int64_t i = 0; i < chosen; ++i) weights[i] = by_itself(routing.scores, weights[i]);
    if (routing.scores == RouterScores::softmax_of_chosen) kernels::softmax(weights, weights, chosen, nullptr);
    if (routing.scores == RouterScores::softmax_of_close)
        for (std::int64_t i = 0; i < chosen; ++i) {
            const float best = weights[i];
            float sum = 0;
            for (std::int64_t j = i; j < all; ++j)
                if (const float score = scores_[static_cast<std::size_t>(order_[static_cast<std::size_t>(j)])];
                    is_close(routing, best, score))
                    sum += std::exp(score - best);
            weights[i] = 1 / sum;
        }
    if (routing.normalized) {
        const float sum = std::accumulate(weights, weights + chosen, 0.0f) + 1e-20f;
        for (std::int64_t i = 0; i < chosen; ++i) weights[i] /= sum;
    }
    if (routing.alike) std::fill_n(weights, chosen, 1 / static_cast<float>(chosen));
    for (std::int64_t i = 0; i < chosen; ++i) weights[i] *= static_cast<float>(routing.scaling);
}

void Run::route(const Node& node) {
    const std::int64_t chosen = model_->architecture.layer.mixture->experts_per_token;
    const Value in = input(node, 0);
    const Value out = output(node, in.rows, chosen);
    if (error_) return;
    std::vector<float> softened;
    const Value scores = node.rule<Routing>().over_tokens ? softened_columns(in, softened) : in;
    const MatrixView correction = weight_of(node, Part::router_correction), scale = weight_of(node, Part::router_scale);
    const std::span<std::int32_t> experts = stacks_[stack_].experts[static_cast<std::size_t>(layer_)];
    RouterRow router(in.columns);
    for (std::int64_t row = 0; row < in.rows; ++row) {
        const auto own =
            experts.subspan(static_cast<std::size_t>((cached_ + row) * chosen), static_cast<std::size_t>(chosen));
        router.choose(node.rule<Routing>(), scores.row(row), correction.data, own, out.row(row));
        for (std::int64_t i = 0; scale.data && i < chosen; ++i)
            out.row(row)[i] *= scale.data[own[static_cast<std::size_t>(i)]];
    }
}

// The rows that go to one expert stand together in `gathered`, one expert's behind the other's: where each begins.
std::vector<std::int64_t> Run::gather_by_expert(const Step& step, const Value& gathered) {
    const Mixture& mixture = *model_->architecture.layer.mixture;
    const std::int64_t chosen = mixture.experts_per_token;
    const std::int32_t* experts =
        &stacks_[stack_].experts[static_cast<std::size_t>(layer_)][static_cast<std::size_t>(cached_ * chosen)];
    const Value in = input(*step.nodes.front(), 0);
    // Which row of the sorted ones each token's i-th expert has.
    std::vector<std::int64_t> begins(static_cast<std::size_t>(mixture.experts) + 1, 0);
    for (std::int64_t i = 0; i < rows_ * chosen; ++i) ++begins[static_cast<std::size_t>(experts[i]) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::int64_t> next(begins.begin(), begins.end() - 1);
    for (std::int64_t i = 0; i < rows_ * chosen; ++i) {
        const std::int64_t row = next[static_cast<std::size_t>(experts[i])]++;
        row_of_[static_cast<std::size_t>(i)] = row;
        token_of_[static_cast<std::size_t>(row)] = i;
    }
    const std::optional<TensorIndex> weighed_by = step.nodes.front()->rule<LinearRule>().weighed_by;
    for (std::int64_t row = 0; row < gathered.rows; ++row) {
        const std::int64_t from = token_of_[static_cast<std::size_t>(row)];
        std::copy_n(in.row(from / chosen), in.columns, gathered.row(row));
        if (weighed_by)
            kernels::scale(gathered.row(row), in.columns, values_[*weighed_by].row(from / chosen)[from % chosen]);
    }
    return begins;
}

// Gathered, multiplied, and where they are kept sorted back.
void Run::run_experts(const Step& step) {
    const ModelGraph& graph = model_->graph;
    const Mixture& mixture = *model_->architecture.layer.mixture;
    const std::int64_t chosen = mixture.experts_per_token, columns = input(*step.nodes.front(), 0).columns;
    const Value gathered{scratch_.data() + plan_.gathered.offset, rows_ * chosen, columns, columns};
    const std::vector<std::int64_t> begins = gather_by_expert(step, gathered);
    const auto all_rows = [&](const Node& node) {
        return at(node.output, plan_.places[node.output], gathered.rows, 0);
    };
    for (std::int64_t expert = 0; expert < mixture.experts; ++expert) {
        const std::int64_t begin = begins[static_cast<std::size_t>(expert)];
        const std::int64_t rows = begins[static_cast<std::size_t>(expert) + 1] - begin;
        if (rows == 0) continue;
        for (const Node* node : step.nodes) {
            Value& out = values_[node->output] = all_rows(*node);
            out.data = out.row(begin);
            out.rows = rows;
            if (node->op == Op::linear) {
                const bool outside = graph.tensors[node->inputs.front()].block != node->block;
                const Value left =
                    outside ? Value{gathered.row(begin), rows, gathered.columns, gathered.row_step} : input(*node, 0);
                multiply(left, *node, out, expert);
            } else {
                feed_forward(*node);
            }
            if (!changes_.empty()) change(out, node->output, {.copy = expert, .first_row = begin, .sorted = true});
        }
    }
    for (const Node* node : step.nodes) {
        const Value all = values_[node->output] = all_rows(*node);
        check(node->output, all.rows / chosen, all.columns);
        const PlaceOf& kept = plan_.kept_experts[node->output];
        if (kept.memory == PlaceIn::none) continue;
        for (std::int64_t row = 0; row < all.rows; ++row) {
            const std::int64_t from = token_of_[static_cast<std::size_t>(row)];
            std::copy_n(all.row(row), all.columns, at(node->output, kept, rows_, from % chosen).row(from / chosen));
        }
    }
}

// Which of its experts a token gets the outputs of: from this one of them on, and up to that.
std::pair<std::int64_t, std::int64_t> counted_of(Routing::Counted counted, std::span<const std::int32_t> experts) {
    const std::int64_t last = counted == Routing::Counted::last_expert
                                  ? std::ranges::max_element(experts) - experts.begin()
                                  : std::ssize(experts) - 1;
    if (counted == Routing::Counted::all) return {0, std::ssize(experts)};
    return {last, last + 1};
}

void Run::combine(const Node& node) {
    const auto& rule = node.rule<Routing>();
    const bool on_input = rule.on_input;
    const auto together = static_cast<float>(rule.combined);
    const std::int64_t chosen = model_->architecture.layer.mixture->experts_per_token;
    const Value made = input(node, 0), routing = input(node, 1);
    const bool shared = node.inputs.size() > 2, gated = node.inputs.size() > 3;
    const Value common = shared ? input(node, 2) : Value{}, gate = gated ? input(node, 3) : Value{};
    const Value out = output(node, made.rows / chosen, made.columns);
    if (error_) return;
    const std::span<const std::int32_t> experts = stacks_[stack_].experts[static_cast<std::size_t>(layer_)];
    for (std::int64_t row = 0; row < out.rows; ++row) {
        float* sum = out.row(row);
        std::fill_n(sum, out.columns, 0.0f);
        const auto [first, end] = counted_of(
            rule.counted,
            experts.subspan(static_cast<std::size_t>((cached_ + row) * chosen), static_cast<std::size_t>(chosen)));
        for (std::int64_t i = first; i < end; ++i) {
            const float* from = made.row(row_of_[static_cast<std::size_t>(row * chosen + i)]);
            kernels::add(sum, from, on_input ? 1.0f : routing.row(row)[i], sum, out.columns);
        }
        const float raw = gated ? gate.row(row)[0] : 1.0f;
        const float share = gated && !rule.shared_gate_raw ? 1 / (1 + std::exp(-raw)) : raw;
        if (shared) kernels::add(sum, common.row(row), share, sum, out.columns);
        if (together != 1) kernels::scale(sum, out.columns, together);
    }
}

}  // namespace headcount
