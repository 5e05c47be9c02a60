// Turns a few directions towards those of most variance.
#include "core/runtime/row_map.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/runtime/sampler.hpp"
#include "core/runtime/token_rows.hpp"

namespace headcount {
namespace {

constexpr int most_passes = 120;
constexpr double settled = 1e-7;  // of a component's variance, from one pass to the next
constexpr std::int64_t rows_at_once = 256;

template <std::size_t size>
using Square = std::array<std::array<double, size>, size>;

// Jacobi's rotations of a symmetric matrix: afterwards its values stand on the diagonal; returns the vectors, as
// columns.
template <std::size_t size>
Square<size> diagonalize(Square<size>& matrix) {
    Square<size> vectors{};
    for (std::size_t i = 0; i < size; ++i) vectors[i][i] = 1;
    for (int sweep = 0; sweep < 30; ++sweep)
        for (std::size_t p = 0; p < size; ++p)
            for (std::size_t q = p + 1; q < size; ++q) {
                if (std::abs(matrix[p][q]) <= 1e-18 * std::sqrt(std::abs(matrix[p][p] * matrix[q][q]))) continue;
                const double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (std::size_t i = 0; i < size; ++i) {
                    const double left = matrix[i][p], right = matrix[i][q];
                    matrix[i][p] = c * left - s * right;
                    matrix[i][q] = s * left + c * right;
                }
                for (std::size_t i = 0; i < size; ++i) {
                    const double above = matrix[p][i], below = matrix[q][i];
                    matrix[p][i] = c * above - s * below;
                    matrix[q][i] = s * above + c * below;
                    const double left = vectors[i][p], right = vectors[i][q];
                    vectors[i][p] = c * left - s * right;
                    vectors[i][q] = s * left + c * right;
                }
            }
    return vectors;
}

// Each direction less its parts along those before it, and of length 1; of zeros where nothing is left.
template <std::size_t size>
void make_orthonormal(std::vector<std::array<double, size>>& axes) {
    const auto along = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (const auto& each : axes) sum += each[a] * each[b];
        return sum;
    };
    for (std::size_t k = 0; k < size; ++k) {
        const double before = std::sqrt(along(k, k));
        for (int again = 0; again < 2; ++again)
            for (std::size_t earlier = 0; earlier < k; ++earlier) {
                const double part = along(k, earlier);
                for (auto& each : axes) each[k] -= part * each[earlier];
            }
        const double length = std::sqrt(along(k, k));
        const double factor = length > 1e-10 * before && length > 0 ? 1 / length : 0;
        for (auto& each : axes) each[k] *= factor;
    }
}

}  // namespace

PrincipalAxes::PrincipalAxes(MatrixView matrix, std::vector<std::int64_t> rows) : matrix_(matrix) {
    map_.rows = std::move(rows);
    const auto columns = static_cast<std::size_t>(matrix.columns);
    mean_.resize(columns);
    // Directions by chance, the same every time.
    std::vector<std::array<double, block>> axes(columns);
    std::int64_t at = 0;
    for (auto& each : axes)
        for (double& number : each) number = chance_at(1, at++) - 0.5;
    make_orthonormal(axes);
    for (const auto& each : axes) {
        Lanes& lanes = axes_.emplace_back();
        std::ranges::transform(each, lanes.begin(), [](double number) { return static_cast<float>(number); });
    }
}

// each(row's place among those taken, its numbers less the mean). Returns whether it came to the end.
template <class Each>
bool PrincipalAxes::each_row(const Watch& watch, const Each& each) const {
    std::vector<float> row(mean_.size());
    for (std::size_t i = 0; i < map_.rows.size(); ++i) {
        if (i % rows_at_once == 0 && watch.stopped()) return false;
        copy_row(matrix_, map_.rows[i], row);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] -= mean_[j];
        each(i, std::span<const float>(row));
    }
    return true;
}

bool PrincipalAxes::find_mean(const Watch& watch) {
    std::vector<double> sums(mean_.size());
    double squares = 0;
    const auto add = [&](std::size_t, std::span<const float> row) {
        for (std::size_t j = 0; j < row.size(); ++j) {
            sums[j] += static_cast<double>(row[j]);
            squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
        }
    };
    if (!each_row(watch, add)) return false;
    const auto count = static_cast<double>(std::max<std::size_t>(map_.rows.size(), 1));
    for (std::size_t j = 0; j < sums.size(); ++j) {
        mean_[j] = static_cast<float>(sums[j] / count);
        squares -= sums[j] * sums[j] / count;
    }
    variance_ = std::max(0.0, squares);
    stage_ = Stage::turning;
    return true;
}

// The covariance times the axes, without the covariance; then the axes are turned within what they span.
bool PrincipalAxes::turn(const Watch& watch) {
    std::vector<std::array<double, block>> next(mean_.size());
    std::vector<Lanes> part(mean_.size());
    Square<block> within{};
    const auto add_part = [&] {
        for (std::size_t j = 0; j < part.size(); ++j)
            for (std::size_t k = 0; k < block; ++k) next[j][k] += static_cast<double>(std::exchange(part[j][k], 0.0F));
    };
    const auto add = [&](std::size_t index, std::span<const float> row) {
        Lanes along{};
        for (std::size_t j = 0; j < row.size(); ++j)
            for (std::size_t k = 0; k < block; ++k) along[k] += row[j] * axes_[j][k];
        for (std::size_t j = 0; j < row.size(); ++j)
            for (std::size_t k = 0; k < block; ++k) part[j][k] += row[j] * along[k];
        for (std::size_t a = 0; a < block; ++a)
            for (std::size_t b = 0; b < block; ++b)
                within[a][b] += static_cast<double>(along[a]) * static_cast<double>(along[b]);
        if (index % rows_at_once == rows_at_once - 1) add_part();
    };
    if (!each_row(watch, add)) return false;
    add_part();
    const Square<block> turned = diagonalize(within);
    std::array<std::size_t, block> order{};
    for (std::size_t k = 0; k < block; ++k) order[k] = k;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return within[a][a] > within[b][b]; });
    for (auto& each : next) {
        std::array<double, block> now{};
        for (std::size_t k = 0; k < block; ++k)
            for (std::size_t i = 0; i < block; ++i) now[k] += each[i] * turned[i][order[k]];
        each = now;
    }
    make_orthonormal(next);
    bool rests = true;
    for (std::size_t k = 0; k < found_.size(); ++k) {
        const double value = within[order[k]][order[k]];
        rests = rests && std::abs(value - found_[k]) <= settled * value;
        found_[k] = value;
        map_.shares[k] = variance_ > 0 ? std::clamp(value / variance_, 0.0, 1.0) : 0;
    }
    for (std::size_t k = 0; k < block; ++k) {
        double greatest = 0;
        for (const auto& each : next)
            if (std::abs(each[k]) > std::abs(greatest)) greatest = each[k];
        for (std::size_t j = 0; j < next.size(); ++j)
            axes_[j][k] = static_cast<float>(greatest < 0 ? -next[j][k] : next[j][k]);
    }
    if (rests || passes_ + 1 >= most_passes) stage_ = Stage::projecting;
    return true;
}

bool PrincipalAxes::project(const Watch& watch) {
    map_.points.assign(map_.rows.size(), {});
    return each_row(watch, [&](std::size_t index, std::span<const float> row) {
        for (std::size_t j = 0; j < row.size(); ++j)
            for (std::size_t k = 0; k < 2; ++k) map_.points[index][k] += row[j] * axes_[j][k];
    });
}

bool PrincipalAxes::pass(const Watch& watch) {
    const Stage stage = stage_;
    const bool whole = stage == Stage::mean ? find_mean(watch) : stage == Stage::turning ? turn(watch) : project(watch);
    if (whole) ++passes_;
    return whole && stage == Stage::projecting;
}

}  // namespace headcount
