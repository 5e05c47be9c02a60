// Byte pair encoding (Sennrich et al. 2016): neighbours become one, the best pair of the whole word first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace headcount {

struct MergeSymbol {
    std::size_t begin = 0, length = 0;  // in the word, in bytes
    std::int32_t id = -1;               // -1: no token

    bool operator==(const MergeSymbol&) const = default;
};

// What a pair becomes, and when: the lowest order first, of equal ones the leftmost.
struct Merged {
    double order = 0;
    std::int32_t id = 0;
};

// `pair(left, right)` is an optional Merged. Takes time n log n for n symbols.
template <class Pair>
void merge(std::vector<MergeSymbol>& symbols, const Pair& pair) {
    struct Waiting {
        Merged merged;
        std::size_t left = 0, right = 0;  // indices of symbols
        std::size_t length = 0;           // of both, when it was found: changes when one of them is merged away

        bool operator>(const Waiting& other) const {
            return merged.order != other.merged.order ? merged.order > other.merged.order : left > other.left;
        }
    };
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> before(symbols.size()), after(symbols.size());
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
    const auto look_at = [&](std::size_t left, std::size_t right) {
        if (left == none || right == none) return;
        if (const auto found = pair(symbols[left], symbols[right]))
            waiting.push({*found, left, right, symbols[left].length + symbols[right].length});
    };
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        before[i] = i == 0 ? none : i - 1;
        after[i] = i + 1 == symbols.size() ? none : i + 1;
    }
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) look_at(i, i + 1);

    constexpr std::size_t gone = 0;  // the length of what was merged into its left neighbour
    while (!waiting.empty()) {
        const Waiting best = waiting.top();
        waiting.pop();
        MergeSymbol &left = symbols[best.left], &right = symbols[best.right];
        if (left.length == gone || right.length == gone || left.length + right.length != best.length) continue;
        left.length += right.length;
        left.id = best.merged.id;
        right.length = gone;
        after[best.left] = after[best.right];
        if (after[best.left] != none) before[after[best.left]] = best.left;
        look_at(before[best.left], best.left);
        look_at(best.left, after[best.left]);
    }
    std::erase_if(symbols, [](const MergeSymbol& symbol) { return symbol.length == gone; });
}

}  // namespace headcount
