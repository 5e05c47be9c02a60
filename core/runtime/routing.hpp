// To which experts one token is sent, and how much each of them counts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/arch/computation.hpp"

namespace headcount {

// Whether a score is in the sum that one of the chosen experts' is divided by, whose score is `best`
// (softmax_of_close).
template <class Number>
bool is_close(const Routing& routing, Number best, Number score) {
    return !((best - score) / std::max(std::abs(score), best) > static_cast<Number>(routing.closeness));
}

// What a score that is by itself says of how much its expert counts.
template <class Number>
Number by_itself(RouterScores scores, Number score) {
    if (scores != RouterScores::root_softplus) return 1 / (1 + std::exp(-score));
    return std::sqrt(std::max(score, Number{0}) + std::log1p(std::exp(-std::abs(score))));
}

// Room for the scores of so many experts, so that no token allocates.
class RouterRow {
  public:
    explicit RouterRow(std::int64_t experts)
        : scores_(static_cast<std::size_t>(experts)), choices_(scores_.size()), order_(scores_.size()) {}

    // `raw` are the router's scores, (experts); `correction` may be null. The best, best first, go into `experts`, and
    // into `weights` how much each counts: both (k).
    void choose(const Routing& routing, const float* raw, const float* correction, std::span<std::int32_t> experts,
                float* weights);

  private:
    std::vector<float> scores_, choices_;
    std::vector<std::int32_t> order_;
};

}  // namespace headcount
