// A long sum written shortly: multiplied out, like products collected, and what they share put before a bracket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expr.hpp"

namespace headcount {

// B·L·2·T·d·d + B·L·2·T·d·d_ff gives 2·B·T·L·d·(d + d_ff): the same value wherever both fit in 64 bits. What is no
// product or sum (a difference, a quotient, ceil_to, min, max) stays as it is. A sum with too many products to be read
// is given back unchanged.
Expr factored(const Expr& sum);

// The formula in symbols; one in which layers of several kinds stand beside each other with what they share before a
// bracket, where that is shorter.
std::string formula_text(const Expr& formula);

// 2 · L · d · h_kv: a number times symbols, or whole expressions that are not taken apart.
struct Summand {
    std::int64_t times = 1;
    std::vector<Expr> factors;
};
using Summands = std::vector<Summand>;

// What becomes of L - 3: two summands, or one factor.
enum class Differences { taken_apart, kept };

// In the order in which they stand there; a quotient, ceil_to, min and max stay factors. Nothing where there are too
// many to be read, or a number does not fit in 64 bits.
std::optional<Summands> multiplied_out(const Expr& expr, Differences differences);

// Each product once, at the place of its first, and none that is 0. Nothing where a number does not fit in 64 bits.
std::optional<Summands> collected(Summands all);

Expr written(const Summand& summand);
Expr written(const Summands& sum);  // of none: 0

}  // namespace headcount
