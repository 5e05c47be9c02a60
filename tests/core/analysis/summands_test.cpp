// Formulas as sums of products.
#include <gtest/gtest.h>

#include "core/analysis/factored.hpp"

namespace headcount {
namespace {

std::string multiplied(std::string_view text, Differences differences) {
    const std::optional<Summands> summands = multiplied_out(*parse_expr(text), differences);
    return summands ? in_symbols(written(*summands)) : "too many";
}

TEST(Summands, StandInTheOrderOfTheFormula) {
    EXPECT_EQ(multiplied("(d + V)*(2*L + min(T, C)*h)", Differences::kept),
              "2·d·L + d·min(T, C)·h + 2·V·L + V·min(T, C)·h");
    EXPECT_EQ(in_symbols(written(Summands{})), "0");
}

TEST(Summands, TakeDifferencesApartOrNot) {
    EXPECT_EQ(multiplied("(L - 3)*d", Differences::kept), "(L - 3)·d");
    const std::optional<Summands> apart = multiplied_out(*parse_expr("(L - (3 - h))*d"), Differences::taken_apart);
    ASSERT_TRUE(apart);
    ASSERT_EQ(apart->size(), 3u);
    EXPECT_EQ((*apart)[1].times, -3);
    EXPECT_EQ((*apart)[2].times, 1);
}

TEST(Summands, AreNothingWhereTheyAreTooManyOrTooLarge) {
    const std::string all = "(d + d_ff + d_h + V + L + T + B + h)";
    EXPECT_EQ(multiplied(all + "*" + all + "*" + all, Differences::kept), "too many");
    EXPECT_EQ(multiplied("4611686018427387904*d*4", Differences::kept), "too many");
    EXPECT_FALSE(collected({{INT64_MAX, {}}, {1, {}}}));
}

TEST(Summands, AreCollectedWhateverTheOrderOfTheirFactors) {
    const Expr d = Symbol::dim, vocab = Symbol::vocab, layers = Symbol::layers;
    const std::optional<Summands> once = collected({{2, {d, vocab}}, {1, {layers}}, {3, {vocab, d}}, {-1, {layers}}});
    ASSERT_TRUE(once);
    EXPECT_EQ(in_symbols(written(*once)), "5·d·V");
}

}  // namespace
}  // namespace headcount
