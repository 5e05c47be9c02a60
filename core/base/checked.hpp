// 64-bit arithmetic that notices when it does not fit, the largest number that does, and tables that are in their
// enumeration's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace headcount {

inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

// Whether the sum fits: then it is in `sum`, which else stays.
inline bool add_to(std::int64_t& sum, std::int64_t term) {
    const std::optional<std::int64_t> result = checked_add(sum, term);
    if (result) sum = *result;
    return result.has_value();
}

inline std::optional<std::int64_t> checked_subtract(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
    return difference;
}

inline std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

// Of all of them; 0 where one is 0, even where the others do not fit.
inline std::optional<std::int64_t> checked_product(std::span<const std::int64_t> factors) {
    bool fits = true;
    std::int64_t product = 1;
    for (const std::int64_t factor : factors) {
        if (factor == 0) return 0;
        fits = fits && !__builtin_mul_overflow(product, factor, &product);
    }
    return fits ? std::optional(product) : std::nullopt;
}

// `x` rounded up to a multiple of `multiple`; nothing where `multiple` is not positive, x is negative or it does not
// fit.
inline std::optional<std::int64_t> checked_ceil_to(std::int64_t x, std::int64_t multiple) {
    if (multiple <= 0 || x < 0) return std::nullopt;
    std::int64_t rest = x % multiple;
    return rest == 0 ? x : checked_add(x, multiple - rest);
}

// Whether each row of a table stands where its value is in the enumeration, so that it is looked up by its place.
template <class Table, class Row, class Value>
constexpr bool in_order(const Table& table, Value Row::*member) {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].*member != static_cast<Value>(i)) return false;
    return true;
}

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
