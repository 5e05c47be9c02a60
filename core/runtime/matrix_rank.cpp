// Singular values by the matrix of all products of rows or columns, of the matrix itself or of a sketch of it.
#include "core/runtime/matrix_rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/base/text.hpp"
#include "core/runtime/fill_weights.hpp"

namespace headcount {
namespace {

constexpr std::size_t sketched = 72;   // directions of a sketch, some more than are wanted
constexpr double most_products = 1e9;  // that an exact answer may take

std::size_t at(std::size_t row, std::size_t column, std::size_t side) { return row * side + column; }

// Householder's reflections: the diagonal and what is beside it of a matrix with the same eigenvalues.
void make_tridiagonal(std::vector<double>& a, std::size_t n, std::vector<double>& diagonal,
                      std::vector<double>& beside) {
    std::vector<double> v(n), p(n);
    for (std::size_t k = 0; k + 2 < n; ++k) {
        double norm = 0;
        for (std::size_t i = k + 1; i < n; ++i) norm += a[at(i, k, n)] * a[at(i, k, n)];
        norm = std::sqrt(norm);
        if (norm == 0) continue;
        const double head = a[at(k + 1, k, n)], turned = head > 0 ? -norm : norm;
        double length = 0;
        for (std::size_t i = k + 1; i < n; ++i) {
            v[i] = a[at(i, k, n)] - (i == k + 1 ? turned : 0);
            length += v[i] * v[i];
        }
        if (length == 0) continue;
        double along = 0;
        for (std::size_t i = k + 1; i < n; ++i) {
            p[i] = 0;
            for (std::size_t j = k + 1; j < n; ++j) p[i] += a[at(i, j, n)] * v[j];
            p[i] *= 2 / length;
            along += p[i] * v[i];
        }
        for (std::size_t i = k + 1; i < n; ++i) p[i] -= along / length * v[i];
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j) a[at(i, j, n)] -= v[i] * p[j] + p[i] * v[j];
        a[at(k + 1, k, n)] = turned;
        for (std::size_t i = k + 2; i < n; ++i) a[at(i, k, n)] = 0;
    }
    for (std::size_t i = 0; i < n; ++i) diagonal[i] = a[at(i, i, n)];
    for (std::size_t i = 0; i + 1 < n; ++i) beside[i] = a[at(i + 1, i, n)];
}

// How many eigenvalues of the tridiagonal matrix are below x (Sturm's sequence).
std::size_t below(const std::vector<double>& diagonal, const std::vector<double>& beside, double x) {
    std::size_t count = 0;
    double q = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        const double before = i == 0 ? 0 : beside[i - 1] * beside[i - 1] / q;
        q = diagonal[i] - x - before;
        if (q == 0) q = -std::numeric_limits<double>::min();
        if (q < 0) ++count;
    }
    return count;
}

// Of so many columns each is turned to be at right angles to those before it, with a length of 1, or of 0 where nothing
// is left of it (Gram and Schmidt, twice).
void straighten(std::vector<double>& matrix, std::size_t columns) {
    const std::size_t length = matrix.size() / columns;
    std::vector<double> turned(matrix.size());  // a column in one piece
    for (std::size_t k = 0; k < length; ++k)
        for (std::size_t i = 0; i < columns; ++i) turned[i * length + k] = matrix[k * columns + i];
    for (std::size_t i = 0; i < columns; ++i) {
        double* const column = &turned[i * length];
        double before = 0, after = 0;
        for (std::size_t k = 0; k < length; ++k) before += column[k] * column[k];
        for (int turn = 0; turn < 2; ++turn)
            for (std::size_t j = 0; j < i; ++j) {
                const double* const other = &turned[j * length];
                double along = 0;
                for (std::size_t k = 0; k < length; ++k) along += column[k] * other[k];
                for (std::size_t k = 0; k < length; ++k) column[k] -= along * other[k];
            }
        for (std::size_t k = 0; k < length; ++k) after += column[k] * column[k];
        // What is left of a column among the others' directions is rounding.
        constexpr double rounding = 1e-20;
        const double one = after > rounding * before && after > 0 ? 1 / std::sqrt(after) : 0;
        for (std::size_t k = 0; k < length; ++k) matrix[k * columns + i] = column[k] *= one;
    }
}

class Ranking {
  public:
    Ranking(const RowsOf& matrix, const Watch& watch)
        : matrix_(matrix),
          watch_(watch),
          rows_(static_cast<std::size_t>(matrix.rows)),
          columns_(static_cast<std::size_t>(matrix.columns)),
          row_(columns_) {}

    std::optional<Ranks> run() {
        const std::size_t side = std::min(rows_, columns_);
        if (side < 2) return std::nullopt;
        const double products = static_cast<double>(rows_) * static_cast<double>(columns_) * static_cast<double>(side);
        const bool exact = side <= sketched || products <= most_products;
        std::vector<double> gram = !exact ? of_sketch() : columns_ <= rows_ ? of_columns() : of_rows();
        if (gram.empty() || !(squares_ > 0) || !std::isfinite(squares_)) return std::nullopt;
        const std::size_t size = exact ? side : sketched;
        return ranks(eigenvalues(std::move(gram), size), exact);
    }

  private:
    // Each row in turn; false where it was stopped.
    template <class Use>
    bool each_row(const Use& use) {
        for (std::size_t row = 0; row < rows_; ++row) {
            if (watch_.stopped()) return false;
            matrix_.read(static_cast<std::int64_t>(row), row_);
            use(row);
        }
        return true;
    }

    std::vector<double> of_columns() {
        std::vector<double> gram(columns_ * columns_);
        const bool whole = each_row([&](std::size_t) {
            for (std::size_t i = 0; i < columns_; ++i) {
                const double number = row_[i];
                squares_ += number * number;
                for (std::size_t j = 0; j < columns_; ++j) gram[at(i, j, columns_)] += number * row_[j];
            }
        });
        return whole ? gram : std::vector<double>();
    }

    std::vector<double> of_rows() {
        std::vector<float> all(rows_ * columns_);
        if (!each_row([&](std::size_t row) {
                std::ranges::copy(row_, all.begin() + static_cast<std::ptrdiff_t>(row * columns_));
            }))
            return {};
        std::vector<double> gram(rows_ * rows_);
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < columns_; ++k)
                    sum += static_cast<double>(all[at(i, k, columns_)]) * all[at(j, k, columns_)];
                gram[at(i, j, rows_)] = gram[at(j, i, rows_)] = sum;
            }
            squares_ += gram[at(i, i, rows_)];
            if (watch_.stopped()) return {};
        }
        return gram;
    }

    // Each row times directions, a column each: (rows, sketched).
    bool along(const std::vector<double>& directions, std::vector<double>& made) {
        std::ranges::fill(made, 0);
        return each_row([&](std::size_t row) {
            double* const sums = &made[row * sketched];
            for (std::size_t k = 0; k < columns_; ++k) {
                const double number = row_[k];
                for (std::size_t each = 0; each < sketched; ++each)
                    sums[each] += number * directions[k * sketched + each];
            }
        });
    }

    std::vector<double> of_sketch() {
        std::vector<double> directions(columns_ * sketched), made(rows_ * sketched);
        const std::uint64_t stream = random_stream(1, "sketch");
        for (std::size_t i = 0; i < directions.size(); ++i) directions[i] = 2 * random_share(stream, i) - 1;
        if (!along(directions, made)) return {};
        straighten(made, sketched);
        std::ranges::fill(directions, 0);
        const bool whole = each_row([&](std::size_t row) {
            const double* const shares = &made[row * sketched];
            for (std::size_t k = 0; k < columns_; ++k) {
                const double number = row_[k];
                squares_ += number * number;
                for (std::size_t each = 0; each < sketched; ++each)
                    directions[k * sketched + each] += number * shares[each];
            }
        });
        if (!whole) return {};
        straighten(directions, sketched);
        if (!along(directions, made)) return {};
        std::vector<double> gram(sketched * sketched);
        for (std::size_t k = 0; k < rows_; ++k)
            for (std::size_t i = 0; i < sketched; ++i)
                for (std::size_t j = 0; j < sketched; ++j)
                    gram[at(i, j, sketched)] += made[k * sketched + i] * made[k * sketched + j];
        return gram;
    }

    Ranks ranks(std::vector<double> values, bool exact) const {
        double seen = 0, entropy = 0;
        for (double& value : values) {
            value = std::max(value, 0.0);
            seen += value;
        }
        for (const double value : values)
            if (const double share = value / seen; share > 0) entropy -= share * std::log(share);
        const double largest = *std::ranges::max_element(values);
        return {.stable = squares_ / largest,
                .effective = std::exp(entropy),
                .exact = exact,
                .unseen = exact ? 0 : std::max(0.0, 1 - seen / squares_)};
    }

    const RowsOf& matrix_;
    const Watch& watch_;
    std::size_t rows_, columns_;
    std::vector<float> row_;
    double squares_ = 0;
};

}  // namespace

namespace {

std::string rank_text(const Ranks& ranks, double rank, std::string_view sign) {
    constexpr double hardly = 1e-3;
    return std::string(ranks.unseen > hardly ? sign : "") + decimal_text(rank, 2);
}

}  // namespace

std::string stable_text(const Ranks& ranks) { return rank_text(ranks, ranks.stable, "≤ "); }

std::string effective_text(const Ranks& ranks) { return rank_text(ranks, ranks.effective, "≥ "); }

std::vector<double> eigenvalues(std::vector<double> matrix, std::size_t side) {
    std::vector<double> diagonal(side), beside(side > 0 ? side - 1 : 0), values(side);
    make_tridiagonal(matrix, side, diagonal, beside);
    double most = 0;  // none is larger (Gershgorin)
    for (std::size_t i = 0; i < side; ++i)
        most = std::max(most, std::abs(diagonal[i]) + (i > 0 ? std::abs(beside[i - 1]) : 0) +
                                  (i + 1 < side ? std::abs(beside[i]) : 0));
    for (std::size_t i = 0; i < side; ++i) {
        double low = i > 0 ? values[i - 1] : -most, high = most;
        constexpr int halvings = 60;
        for (int step = 0; step < halvings && low < high; ++step) {
            const double middle = low + (high - low) / 2;
            (below(diagonal, beside, middle) > i ? high : low) = middle;
        }
        values[i] = high;
    }
    return values;
}

std::optional<Ranks> ranks_of(const RowsOf& matrix, const Watch& watch) { return Ranking(matrix, watch).run(); }

}  // namespace headcount
