// The formula behind an amount that a sweep draws or a search holds.
#pragma once

#include <optional>

#include "core/analysis/metric.hpp"
#include "core/analysis/pass.hpp"

namespace headcount {

struct AmountFormula {
    Expr formula;
    Bindings bindings;
};

// Of parameters, memory and operations; nothing of other metrics, and where a number does not fit in 64 bits.
std::optional<AmountFormula> amount_formula(const Architecture& arch, const Input& input, Metric metric,
                                            const PassOptions& pass = {});

}  // namespace headcount
