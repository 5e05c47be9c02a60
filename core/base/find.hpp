// Whether something is in a list, and where: for what is written out a hundred times otherwise.
#pragma once

#include <algorithm>
#include <functional>
#include <ranges>

namespace headcount {

// Whether one of the range's elements, or what `of` makes of it, equals the value: std::ranges::contains of C++23.
template <class Range, class Value, class Of = std::identity>
constexpr bool contains(const Range& range, const Value& value, Of of = {}) {
    return std::ranges::find(range, value, of) != std::ranges::end(range);
}

// The first such element; null where there is none.
template <class Range, class Value, class Of = std::identity>
constexpr auto find_in(Range& range, const Value& value, Of of = {}) -> decltype(&*std::ranges::begin(range)) {
    const auto found = std::ranges::find(range, value, of);
    return found == std::ranges::end(range) ? nullptr : &*found;
}

// The first element of which the predicate holds; null where there is none.
template <class Range, class Predicate>
constexpr auto find_if_in(Range& range, Predicate predicate) -> decltype(&*std::ranges::begin(range)) {
    const auto found = std::ranges::find_if(range, predicate);
    return found == std::ranges::end(range) ? nullptr : &*found;
}

}  // namespace headcount
