// What every format's readers say, bound and do alike: with files that were not written as they should have been.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace headcount {

// What to do about a file that breaks its format's rules.
inline constexpr const char* check_writer = "check who wrote the file";
// Files in use have a handful of entries beside their tensors. Each takes many times the memory that it takes in the
// file.
inline constexpr std::size_t most_metadata = 10'000;

// The order in which things would stand if they were sorted, without moving them: their indices, so that what `key`
// gives of them rises; those that are alike stay in their order.
template <class Thing, class Key>
std::vector<std::size_t> order_by(const std::vector<Thing>& things, Key key) {
    std::vector<std::size_t> order(things.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&](std::size_t a, std::size_t b) { return key(things[a]) < key(things[b]); };
    // Most files have been written in order.
    if (!std::ranges::is_sorted(order, before)) std::ranges::stable_sort(order, before);
    return order;
}

}  // namespace headcount
