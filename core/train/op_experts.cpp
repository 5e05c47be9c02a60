// Mixtures of experts: to which experts each token is sent, their work on the tokens that they get, and what comes of
// it. Which experts are chosen has no derivative; how much each counts has.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/runtime/routing.hpp"
#include "core/train/pass.hpp"

namespace headcount {
namespace {

constexpr float least_share = 1e-20F;  // where a share is too small for a float, and so is what it changes by

float sigmoid_of(float x) { return 1 / (1 + std::exp(-x)); }

// Of shares among those that are nearly as good: each one's slope is for itself, and against all that it was over.
void close_back(const Routing& routing, std::span<const float> scores, std::span<const std::int32_t> chosen,
                const float* slopes, float* out) {
    std::fill_n(out, scores.size(), 0.0f);
    std::vector<float> raised(scores.size());
    std::vector<bool> left(scores.size(), true);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const auto own = static_cast<std::size_t>(chosen[i]);
        float sum = 0;
        for (std::size_t j = 0; j < scores.size(); ++j) {
            raised[j] = left[j] && is_close(routing, scores[own], scores[j]) ? std::exp(scores[j] - scores[own]) : 0;
            sum += raised[j];
        }
        const float back = static_cast<float>(routing.scaling) * slopes[i] / sum;
        out[own] += back;
        for (std::size_t j = 0; j < scores.size(); ++j) out[j] -= back * raised[j] / sum;
        left[own] = false;
    }
}

}  // namespace

void BatchPass::route(const Node& node) {
    const Routing& routing = node.rule<Routing>();
    const std::int64_t chosen = number(Symbol::experts_per_token);
    const Value in = input(node, 0), out = output(node);
    const Weight correction = weight_of(node, Part::router_correction), scale = weight_of(node, Part::router_scale);
    std::vector<std::int32_t>& experts = stacks_[stack_].experts[static_cast<std::size_t>(layer_)];
    RouterRow row(in.columns);
    for (std::int64_t i = 0; i < in.rows; ++i) {
        const auto own =
            std::span(experts).subspan(static_cast<std::size_t>(i * chosen), static_cast<std::size_t>(chosen));
        row.choose(routing, in.row(i), correction.data, own, out.row(i));
        for (std::int64_t j = 0; scale.data && j < chosen; ++j)
            out.row(i)[j] *= scale.data[own[static_cast<std::size_t>(j)]];
    }
}

// By how much each expert counts without its scale, which the router says again.
void BatchPass::scale_experts_back(const Node& node, const Weight& scale) {
    const Value in = input(node, 0), slopes = slope(node.output);
    const Weight correction = weight_of(node, Part::router_correction);
    std::vector<std::int32_t> experts(static_cast<std::size_t>(slopes.columns));
    std::vector<float> weights(experts.size());
    RouterRow router(in.columns);
    for (std::int64_t row = 0; row < in.rows; ++row) {
        router.choose(node.rule<Routing>(), in.row(row), correction.data, experts, weights.data());
        for (std::size_t i = 0; i < experts.size(); ++i) scale.gradient[experts[i]] += slopes.row(row)[i] * weights[i];
    }
}

void BatchPass::route_back(const Node& node) {
    const Routing& routing = node.rule<Routing>();
    const std::int64_t chosen = number(Symbol::experts_per_token);
    const Value in = input(node, 0), slopes = slope(node.output);
    const Weight scale = weight_of(node, Part::router_scale);
    if (scale.gradient) scale_experts_back(node, scale);
    const std::vector<std::int32_t>& experts = stacks_[stack_].experts[static_cast<std::size_t>(layer_)];
    each_row_into(into(node.inputs.front()), [&](std::int64_t row, float* out) {
        const std::int32_t* const own = &experts[static_cast<std::size_t>(row * chosen)];
        const float* const scores = in.row(row);
        std::vector<float> above(slopes.row(row), slopes.row(row) + chosen);
        for (std::size_t i = 0; scale && i < above.size(); ++i) above[i] *= scale.data[own[i]];
        if (routing.scores == RouterScores::softmax_of_close)
            return close_back(routing, {scores, static_cast<std::size_t>(in.columns)},
                              {own, static_cast<std::size_t>(chosen)}, above.data(), out);
        std::vector<float> shares(static_cast<std::size_t>(chosen)), back(shares.size()), all;
        if (routing.scores == RouterScores::softmax) {
            all.resize(static_cast<std::size_t>(in.columns));
            kernels::softmax(scores, all.data(), in.columns, nullptr);
        }
        for (std::size_t i = 0; i < shares.size(); ++i) {
            shares[i] = all.empty() ? scores[own[i]] : all[static_cast<std::size_t>(own[i])];
            if (by_themselves(routing.scores)) shares[i] = by_itself(routing.scores, shares[i]);
            back[i] = static_cast<float>(routing.scaling) * above[i];
        }
        if (routing.scores == RouterScores::softmax_of_chosen)
            kernels::softmax(shares.data(), shares.data(), chosen, nullptr);
        const auto less_mean = [&](const std::vector<float>& by) {
            float together = 0;
            for (std::size_t i = 0; i < back.size(); ++i) together += back[i] * by[i];
            for (float& each : back) each -= together;
        };
        if (routing.normalized) {
            const float sum = std::accumulate(shares.begin(), shares.end(), 0.0f) + 1e-20f;
            std::vector<float> normed(shares);
            for (float& each : normed) each /= sum;
            less_mean(normed);
            for (float& each : back) each /= sum;
        }
        std::fill_n(out, in.columns, 0.0f);
        if (!all.empty()) {
            float together = 0;
            for (std::size_t i = 0; i < back.size(); ++i) together += back[i] * shares[i], out[own[i]] = back[i];
            for (std::int64_t i = 0; i < in.columns; ++i)
                out[i] = all[static_cast<std::size_t>(i)] * (out[i] - together);
            return;
        }
        if (routing.scores == RouterScores::softmax_of_chosen) less_mean(shares);
        for (std::size_t i = 0; i < back.size(); ++i)
            out[own[i]] = back[i] * (routing.scores == RouterScores::root_softplus
                                         ? sigmoid_of(scores[own[i]]) / (2 * std::max(shares[i], least_share))
                                         : shares[i] * (by_themselves(routing.scores) ? 1 - shares[i] : 1));
    });
}

// The rows that go to one expert stand together, one expert's behind the other's.
void BatchPass::sort_by_expert() {
    const std::vector<std::int32_t>& experts = stacks_[stack_].experts[static_cast<std::size_t>(layer_)];
    std::ranges::fill(begins_, 0);
    for (const std::int32_t expert : experts) ++begins_[static_cast<std::size_t>(expert) + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    next_ = begins_;
    for (std::size_t i = 0; i < experts.size(); ++i) {
        row_of_[i] = next_[static_cast<std::size_t>(experts[i])]++;
        token_of_[static_cast<std::size_t>(row_of_[i])] = static_cast<std::int64_t>(i);
    }
}

void BatchPass::gather(const Step& step) {
    sort_by_expert();
    const std::int64_t chosen = number(Symbol::experts_per_token);
    const Value in = input(*step.nodes.front(), 0);
    const std::optional<TensorIndex> weighed_by = step.nodes.front()->rule<LinearRule>().weighed_by;
    const Value routing = weighed_by ? value(*weighed_by) : Value{};
    for (std::int64_t row = 0; row < begins_.back(); ++row) {
        const std::int64_t from = token_of_[static_cast<std::size_t>(row)];
        float* const to = working(gathered_) + row * in.columns;
        std::copy_n(in.row(from / chosen), in.columns, to);
        if (weighed_by) kernels::scale(to, in.columns, routing.row(from / chosen)[from % chosen]);
    }
}

template <class Act>
void BatchPass::each_expert(const Act& act) {
    for (expert_ = 0; expert_ + 1 < std::ssize(begins_); ++expert_) {
        expert_begin_ = begins_[static_cast<std::size_t>(expert_)];
        expert_rows_ = begins_[static_cast<std::size_t>(expert_) + 1] - expert_begin_;
        if (expert_rows_ > 0) act();
    }
    expert_ = expert_begin_ = 0;
    expert_rows_ = -1;
}

void BatchPass::run_experts(const Step& step) {
    gather(step);
    each_expert([&] {
        for (const Node* node : step.nodes) node->op == Op::linear ? linear(*node) : activate(*node);
    });
}

void BatchPass::run_experts_back(const Step& step) {
    gather(step);
    std::fill_n(working(gathered_slopes_), begins_.back() * places_[step.nodes.front()->inputs.front()].columns, 0.0f);
    for (const Node* node : step.nodes) slope(node->output);  // begun, where no token came by
    each_expert([&] {
        for (auto node = step.nodes.rbegin(); node != step.nodes.rend(); ++node)
            (*node)->op == Op::linear ? linear_back(**node) : activate_back(**node);
    });
    const std::int64_t chosen = number(Symbol::experts_per_token);
    const TensorIndex read = step.nodes.front()->inputs.front();
    const std::optional<TensorIndex> weighed_by = step.nodes.front()->rule<LinearRule>().weighed_by;
    const Value in = value(read), routing = weighed_by ? value(*weighed_by) : Value{};
    const Value to = slope(read), routing_slopes = weighed_by ? slope(*weighed_by) : Value{};
    for (std::int64_t row = 0; row < begins_.back(); ++row) {
        const std::int64_t from = token_of_[static_cast<std::size_t>(row)], token = from / chosen,
                           place = from % chosen;
        const float* const back = working(gathered_slopes_) + row * in.columns;
        kernels::add(to.row(token), back, weighed_by ? routing.row(token)[place] : 1.0f, to.row(token), in.columns);
        for (std::int64_t i = 0; weighed_by && i < in.columns; ++i)
            routing_slopes.row(token)[place] += back[i] * in.row(token)[i];
    }
}

void BatchPass::combine(const Node& node) {
    const bool on_input = node.rule<Routing>().on_input;
    const auto together = static_cast<float>(node.rule<Routing>().combined);
    const std::int64_t chosen = number(Symbol::experts_per_token);
    const Value made = input(node, 0), routing = input(node, 1), out = output(node);
    const bool shared = node.inputs.size() > 2, gated = node.inputs.size() > 3;
    const Value common = shared ? input(node, 2) : Value{}, gate = gated ? input(node, 3) : Value{};
    each_row(out.rows, out.columns, [&](std::int64_t row, float*) {
        float* const sum = out.row(row);
        std::fill_n(sum, out.columns, 0.0f);
        for (std::int64_t i = 0; i < chosen; ++i) {
            const float* const from = made.row(row_of_[static_cast<std::size_t>(row * chosen + i)]);
            kernels::add(sum, from, on_input ? 1.0f : routing.row(row)[i], sum, out.columns);
        }
        const float share = gated ? sigmoid_of(gate.row(row)[0]) : 1.0f;
        if (shared) kernels::add(sum, common.row(row), share, sum, out.columns);
        if (together != 1) kernels::scale(sum, out.columns, together);
    });
}

void BatchPass::combine_back(const Node& node) {
    sort_by_expert();
    const bool on_input = node.rule<Routing>().on_input;
    const auto together = static_cast<float>(node.rule<Routing>().combined);
    const std::int64_t chosen = number(Symbol::experts_per_token);
    const Value made = input(node, 0), routing = input(node, 1), slopes = slope(node.output);
    const auto dot = [&](const float* a, const float* b) {
        float sum = 0;
        for (std::int64_t i = 0; i < slopes.columns; ++i) sum += a[i] * b[i];
        return sum;
    };
    const Into to_made = into(node.inputs[0]);
    each_row_into(to_made, [&](std::int64_t row, float* out) {
        const std::int64_t from = token_of_[static_cast<std::size_t>(row)];
        std::copy_n(slopes.row(from / chosen), slopes.columns, out);
        kernels::scale(out, slopes.columns, together * (on_input ? 1.0f : routing.row(from / chosen)[from % chosen]));
    });
    if (!on_input)
        each_row_into(into(node.inputs[1]), [&](std::int64_t row, float* out) {
            for (std::int64_t i = 0; i < chosen; ++i)
                out[i] = together * dot(slopes.row(row), made.row(row_of_[static_cast<std::size_t>(row * chosen + i)]));
        });
    if (node.inputs.size() < 3) return;
    const bool gated = node.inputs.size() > 3;
    const Value common = input(node, 2), gate = gated ? input(node, 3) : Value{};
    each_row_into(into(node.inputs[2]), [&](std::int64_t row, float* out) {
        std::copy_n(slopes.row(row), slopes.columns, out);
        kernels::scale(out, slopes.columns, together * (gated ? sigmoid_of(gate.row(row)[0]) : 1.0f));
    });
    if (!gated) return;
    each_row_into(into(node.inputs[3]), [&](std::int64_t row, float* out) {
        const float share = sigmoid_of(gate.row(row)[0]);
        *out = together * dot(slopes.row(row), common.row(row)) * share * (1 - share);
    });
}

}  // namespace headcount
