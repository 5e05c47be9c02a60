// What a norm's rule asks of the kernel: the same where a model runs, where it trains, and behind its layers.
#pragma once

#include "core/graph/attributes.hpp"
#include "core/runtime/kernels.hpp"

namespace headcount {

// Of so many columns by themselves, without weights.
inline kernels::NormRow row_of(const NormRule& rule, std::int64_t columns) {
    return {.columns = columns,
            .epsilon = static_cast<float>(rule.epsilon),
            .offset = static_cast<float>(rule.offset),
            .centred = rule.kind == NormKind::layer,
            .of_sum = rule.kind == NormKind::l2,
            .epsilon_outside = rule.epsilon_outside,
            .less_one = rule.less_one,
            .unrooted = rule.unrooted,
            .multiplied = rule.multiplied,
            .mean_kept = rule.mean_kept,
            .epsilon_least = rule.epsilon_least};
}

}  // namespace headcount
