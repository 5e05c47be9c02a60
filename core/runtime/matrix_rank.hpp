// How many directions a matrix has: its stable and its effective rank, by its singular values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/runtime/pool.hpp"

namespace headcount {

struct Ranks {
    // The sum of the squares of all singular values over that of the largest (Rudelson & Vershynin 2007): at least 1,
    // and at most the rank.
    double stable = 0;
    // e to the entropy of those squares as shares of their sum (Roy & Vetterli 2007, of squares): as many directions
    // that are alike would have it. At most the rank, and hardly moved by what rounding adds to all directions.
    double effective = 0;
    bool exact = true;  // else of the largest values, found along random directions
    double unseen = 0;  // the share of the squares that these leave out: the effective rank is then the least it is
};

// "3.92"; where more than a thousandth of the squares is unseen "≤ 345.38" of the stable rank, since the largest value
// is the least it is, and "≥ 57.10" of the effective.
std::string stable_text(const Ranks& ranks);
std::string effective_text(const Ranks& ranks);

// A matrix, row by row: its floats of one row.
struct RowsOf {
    std::int64_t rows = 0, columns = 0;
    std::function<void(std::int64_t row, std::span<float> into)> read;
};

// Nothing of a matrix of one row or column, of one that is all 0 or not finite, and where it is stopped. Exact where
// the products of its smaller side's vectors are few; else of the 64 largest singular values or so, by a random sketch
// that is turned once towards them (Halko et al. 2011, algorithm 4.4), the same for the same matrix.
std::optional<Ranks> ranks_of(const RowsOf& matrix, const Watch& watch = {});

// Of a symmetric matrix, row by row, in no order.
std::vector<double> eigenvalues(std::vector<double> matrix, std::size_t side);

}  // namespace headcount
