// A long sum written shortly: the same value, in fewer words.
#include "core/analysis/factored.hpp"

#include <gtest/gtest.h>

#include "core/analysis/arithmetic.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

Expr read(std::string_view text) {
    const Result<Expr> expr = parse_expr(text);
    EXPECT_TRUE(expr) << text;
    return expr ? *expr : Expr(0);
}

TEST(Factored, PutsWhatAllShareBeforeABracket) {
    EXPECT_EQ(in_symbols(factored(read("B*L*2*T*d*d + B*L*2*T*d*d_ff"))), "2·B·T·L·d·(d + d_ff)");
    EXPECT_EQ(in_symbols(factored(read("2*d*V + 3*L*d*d_ff + L*d*d"))), "d·(L·(3·d_ff + d) + 2·V)");
    EXPECT_EQ(in_symbols(factored(read("d*(V + 1) + d*V"))), "d·(2·V + 1)");
    EXPECT_EQ(in_symbols(factored(read("T*T*h + T*h"))), "T·h·(T + 1)");
}

TEST(Factored, JoinsLayersOfTwoKindsInWhatBothHave) {
    EXPECT_EQ(in_symbols(factored(read("(L - 3)*d + 3*d"))), "L·d");
    EXPECT_EQ(in_symbols(factored(read("(L - 3)*(d*h + d_e) + 3*(d*h + d_ff)"))), "L·d·h + (L - 3)·d_e + 3·d_ff");
}

TEST(Factored, ShortensWhatLayersOfTwoKindsMakeLong) {
    EXPECT_EQ(formula_text(read("B*(3*2*T*r_kv + 3*2*T*d_r + (L - 3)*2*T*r_kv + (L - 3)*2*T*d_r)")),
              "2·B·T·L·(r_kv + d_r)");
    EXPECT_EQ(formula_text(read("B*2*L*2*T*h_kv*d_h")), "B·2·L·2·T·h_kv·d_h") << "two bytes, keys and values";
}

TEST(Factored, LeavesWhatIsNoProductTogether) {
    EXPECT_EQ(in_symbols(factored(read("d*min(E, T*k) + V*min(E, T*k)"))), "min(E, T·k)·(d + V)");
    EXPECT_EQ(in_symbols(factored(read("d*0"))), "0");
    EXPECT_EQ(in_symbols(factored(Expr(7))), "7");
}

TEST(Factored, HasTheSameValueForEveryPresetsArithmeticAndTraffic) {
    for (const Preset& each : testing_data::all_presets()) {
        const ModelGraph graph = expand(each.architecture);
        const Bindings values = bindings(each.architecture, {.tokens = 17, .batch = 3});
        const LeastFormulas least = least_formulas(graph, {});
        for (const Expr& sum : {flops_formula(graph), least.flops, least.bytes}) {
            EXPECT_EQ(*evaluate(factored(sum), values), *evaluate(sum, values)) << each.id;
            EXPECT_LE(in_symbols(factored(sum)).size(), in_symbols(sum).size()) << each.id;
        }
    }
}

}  // namespace
}  // namespace headcount
