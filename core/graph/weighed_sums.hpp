// The two sums of a mean whose weights are exponentials, so that none is too large: both are divided by e to the power
// of the largest exponent so far.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace headcount {

template <class Number>
struct WeighedSums {
    Number values = 0, weights = 0;
    Number largest = -std::numeric_limits<Number>::infinity();

    // All exponents fall by `fades`; then a value comes with the weight e^key.
    void add(Number key, Number value, Number fades) {
        const Number next = std::max(largest - fades, key);
        const Number before = std::exp(largest - fades - next), now = std::exp(key - next);
        values = before * values + now * value;
        weights = before * weights + now;
        largest = next;
    }
    // The mean with one value more, which is not added.
    Number mean_with(Number key, Number value) const {
        WeighedSums more = *this;
        more.add(key, value, 0);
        return more.values / more.weights;
    }
};

}  // namespace headcount
