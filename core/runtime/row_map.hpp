// A map of a matrix's rows: their first two principal components (Pearson 1901, Hotelling 1933), the directions along
// which the rows differ most.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/runtime/float_memory.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {

struct RowMap {
    std::vector<std::int64_t> rows;            // that were taken
    std::vector<std::array<float, 2>> points;  // of each, along both components, from the mean on
    std::array<double, 2> shares{};            // of the rows' variance that each component has, 0 to 1
};

// Finds it pass after pass over the matrix, so that whoever waits may do something else in between: subspace iteration
// with the Rayleigh-Ritz procedure (Saad 2011, chapter 5). The matrix must live as long. A component points so that its
// greatest number is above 0.
class PrincipalAxes {
  public:
    PrincipalAxes(MatrixView matrix, std::vector<std::int64_t> rows);

    // One pass over the rows: so many multiplications as the matrix has numbers, times 16. Returns whether that was the
    // last; one that was stopped counts as not begun.
    bool pass(const Watch& watch = {});
    int passes() const { return passes_; }

    RowMap map() const { return map_; }  // after the last

  private:
    static constexpr std::size_t block = 8;  // directions that are followed
    using Lanes = std::array<float, block>;

    template <class Each>
    bool each_row(const Watch& watch, const Each& each) const;
    bool find_mean(const Watch& watch);
    bool turn(const Watch& watch);
    bool project(const Watch& watch);

    enum class Stage { mean, turning, projecting } stage_ = Stage::mean;
    MatrixView matrix_;
    std::vector<float> mean_;        // (columns)
    std::vector<Lanes> axes_;        // (columns, block), orthonormal
    double variance_ = 0;            // of all rows, added up
    std::array<double, 2> found_{};  // of the first two axes, in the pass before
    int passes_ = 0;
    RowMap map_;
};

}  // namespace headcount
