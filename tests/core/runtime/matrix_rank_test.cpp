// Claims about ranks: eigenvalues are those of matrices that have known ones, and a sum of r products of vectors has
// no more than r directions, however large it is.
#include "core/runtime/matrix_rank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/runtime/fill_weights.hpp"

namespace headcount {
namespace {

float drawn(std::uint64_t stream, std::int64_t index) {
    return static_cast<float>(2 * random_share(stream, static_cast<std::uint64_t>(index)) - 1);
}

// The sum of `rank` products of random vectors, and of noise of this size.
RowsOf product_of(std::int64_t rows, std::int64_t columns, std::int64_t rank, float noise = 0) {
    return {rows, columns, [=](std::int64_t row, std::span<float> into) {
                for (std::int64_t column = 0; column < columns; ++column) {
                    float sum = noise * drawn(3, row * columns + column);
                    for (std::int64_t each = 0; each < rank; ++each)
                        sum += drawn(1, row * rank + each) * drawn(2, column * rank + each);
                    into[static_cast<std::size_t>(column)] = sum;
                }
            }};
}

TEST(RankOf, EigenvaluesAreThoseOfAKnownMatrix) {
    // Of the path of n points with 2 on its diagonal: 2 - 2·cos(k·π / (n + 1)).
    constexpr std::size_t n = 40;
    std::vector<double> path(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        path[i * n + i] = 2;
        if (i + 1 < n) path[i * n + i + 1] = path[(i + 1) * n + i] = -1;
    }
    std::vector<double> found = eigenvalues(path, n);
    std::ranges::sort(found);
    for (std::size_t k = 0; k < n; ++k)
        EXPECT_NEAR(found[k], 2 - 2 * std::cos(static_cast<double>(k + 1) * std::acos(-1.0) / (n + 1)), 1e-12);
    // A full one: its trace and its squares are the sums over them.
    std::vector<double> full(n * n);
    double trace = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            full[i * n + j] = full[j * n + i] = drawn(7, static_cast<std::int64_t>(i * n + j));
    for (std::size_t i = 0; i < n; ++i) {
        trace += full[i * n + i];
        for (std::size_t j = 0; j < n; ++j) squares += full[i * n + j] * full[i * n + j];
    }
    for (const double each : eigenvalues(full, n)) {
        trace -= each;
        squares -= each * each;
    }
    EXPECT_NEAR(trace, 0, 1e-11);
    EXPECT_NEAR(squares, 0, 1e-10);
}

TEST(RankOf, ASumOfFewProductsHasFewDirectionsHoweverItIsFound) {
    for (const auto& [rows, columns] : {std::pair(48, 300), {300, 48}, {200, 200}, {1100, 1300}})
        for (const std::int64_t rank : {1, 4, 16}) {
            const std::optional<Ranks> found = ranks_of(product_of(rows, columns, rank));
            ASSERT_TRUE(found);
            const auto most = static_cast<double>(rank);
            EXPECT_LE(found->stable, most + 1e-4) << rows;
            EXPECT_LE(found->effective, most + 1e-3) << rows;
            EXPECT_GT(found->effective, 0.75 * most) << rows;
            EXPECT_GE(found->effective, found->stable - 1e-4) << rows;
            EXPECT_EQ(found->exact, rows != 1100);
            EXPECT_LT(found->unseen, 1e-6);
        }
}

TEST(RankOf, ASketchFindsWhatIsExactAndRoundingHardlyMovesIt) {
    // Rows of zeros make it large enough for a sketch, and change no singular value.
    const RowsOf small = product_of(300, 300, 8, 1e-4F);
    const RowsOf large{4000, 300, [&](std::int64_t row, std::span<float> into) {
                           if (row < 300) return small.read(row, into);
                           std::ranges::fill(into, 0.0F);
                       }};
    const RowsOf wide{4000, 4000, [&](std::int64_t row, std::span<float> into) {
                          std::ranges::fill(into, 0.0F);
                          if (row < 300) small.read(row, into.first(300));
                      }};
    const Ranks exact = *ranks_of(small), same = *ranks_of(large), sketch = *ranks_of(wide);
    EXPECT_TRUE(exact.exact && same.exact);
    EXPECT_FALSE(sketch.exact);
    EXPECT_NEAR(exact.stable, same.stable, 1e-9);
    EXPECT_NEAR(exact.stable, sketch.stable, 1e-6);
    EXPECT_NEAR(exact.effective, sketch.effective, 1e-3);
    EXPECT_LT(exact.effective, 8.01);
    EXPECT_EQ(effective_text(sketch).find("\u2265"), std::string::npos);
}

TEST(RankOf, OfManyDirectionsASketchSaysTheLeast) {
    const Ranks found = *ranks_of(product_of(1100, 1100, 0, 1));
    EXPECT_FALSE(found.exact);
    EXPECT_GT(found.unseen, 0.5);
    EXPECT_EQ(effective_text(found).find("\u2265 "), 0u);
    EXPECT_EQ(stable_text(found).find("\u2264 "), 0u);
    EXPECT_GT(found.stable, 100) << "the largest of 1,100 that are nearly alike";
}

TEST(RankOf, OfNothingOrOfALineThereIsNone) {
    EXPECT_FALSE(ranks_of(product_of(100, 1, 1)));
    EXPECT_FALSE(ranks_of(product_of(1, 100, 1)));
    EXPECT_FALSE(ranks_of(product_of(100, 100, 0)));
    std::atomic<bool> stop{true};
    EXPECT_FALSE(ranks_of(product_of(100, 100, 1), {.stop = &stop}));
    const RowsOf wrong{4, 4, [](std::int64_t, std::span<float> into) {
                           std::ranges::fill(into, std::numeric_limits<float>::quiet_NaN());
                       }};
    EXPECT_FALSE(ranks_of(wrong));
}

}  // namespace
}  // namespace headcount
