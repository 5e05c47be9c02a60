// The order in which things would stand if they were sorted, without moving them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace headcount {

// The indices of `things`, so that what `key` gives of them rises.
template <class Thing, class Key>
std::vector<std::size_t> order_by(const std::vector<Thing>& things, Key key) {
    std::vector<std::size_t> order(things.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&](std::size_t a, std::size_t b) { return key(things[a]) < key(things[b]); };
    // Most files have been written in order.
    if (!std::is_sorted(order.begin(), order.end(), before)) std::sort(order.begin(), order.end(), before);
    return order;
}

}  // namespace headcount
