// Of one row: its blocks of columns mixed, its magnitude, and the threshold above most of it. What runs, what trains
// and what looks behind the layers compute these alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headcount {

// So many blocks become so many others, each of `width` columns.
struct RowBlocks {
    std::int64_t in = 1, out = 1, width = 1;
};

// Block j is Σ_i shares[j · in + i] · block i.
inline void mix_blocks(const RowBlocks& blocks, const float* from, const float* shares, float* to) {
    std::fill_n(to, blocks.out * blocks.width, 0.0f);
    for (std::int64_t j = 0; j < blocks.out; ++j)
        for (std::int64_t i = 0; i < blocks.in; ++i) {
            const float share = shares[j * blocks.in + i];
            for (std::int64_t k = 0; k < blocks.width; ++k)
                to[j * blocks.width + k] += share * from[i * blocks.width + k];
        }
}

// The root of the mean of squares.
inline double magnitude(const float* row, std::int64_t columns) {
    double squares = 0;
    for (std::int64_t i = 0; i < columns; ++i) squares += static_cast<double>(row[i]) * static_cast<double>(row[i]);
    return std::sqrt(squares / static_cast<double>(columns));
}

struct Spread {
    double mean = 0, deviation = 0;  // the latter of all that there are, not of one less

    double above(double deviations) const { return mean + deviations * deviation; }
};

inline Spread spread_of(const float* row, std::int64_t columns) {
    const auto count = static_cast<double>(columns);
    Spread found;
    for (std::int64_t i = 0; i < columns; ++i) found.mean += static_cast<double>(row[i]) / count;
    for (std::int64_t i = 0; i < columns; ++i) {
        const double apart = static_cast<double>(row[i]) - found.mean;
        found.deviation += apart * apart / count;
    }
    found.deviation = std::sqrt(found.deviation);
    return found;
}

}  // namespace headcount
