// Rotary positions as hands: a pair of columns is one, and position turns it. And what a number would be if its token
// stood elsewhere.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/runtime/explain.hpp"

namespace headcount {

struct Hand {
    std::int64_t pair = 0;
    double step = 0;  // radians from one position to the next
    std::array<double, 2> before{}, after{};
};

// Of a number that is turned its own hand; of a sum of products of such numbers, a score, all hands of its own token
// and those of the other one, pair by pair.
struct TurnedHands {
    CellAt cell;                // a number of the own token's row, where that is turned
    std::int64_t position = 0;  // by which it is
    std::vector<Hand> own, other;
};
std::optional<TurnedHands> turned_hands(const RunNumbers& numbers, const Explanation& said);

// The same numbers, but the row of `turned` as if its token stood at this position. What is made of it is not made
// anew; an explanation of it says what it would be.
RunNumbers standing_at(const RunNumbers& numbers, const CellAt& turned, std::int64_t position);

}  // namespace headcount
