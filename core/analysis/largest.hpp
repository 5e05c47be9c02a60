// The largest number that fits, by search.
#pragma once

#include <cstdint>

namespace headcount {

// 0 where 1 does not fit. What fits must fit for all smaller numbers as well.
template <class Fits>
std::int64_t largest(const Fits& fits) {
    if (!fits(1)) return 0;
    constexpr std::int64_t most = std::int64_t{1} << 61;
    std::int64_t low = 1, high = 2;
    while (high < most && fits(high)) {
        low = high;
        high *= 2;
    }
    while (low + 1 < high) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace headcount
