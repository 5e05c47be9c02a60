// Change formulas: in symbols where one symbol makes the change, and always worth what changed.
#include <gtest/gtest.h>

#include "core/analysis/difference.hpp"
#include "core/base/expr.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/counted.hpp"

namespace headcount {
namespace {

using testing_data::CountedArchitecture;
using testing_data::preset;

TEST(ChangeFormula, SaysInSymbolsWhatMakesLlama3LargerThanLlama2) {
    const CountedArchitecture a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    EXPECT_EQ(component_change(a, b, Component::embedding).symbols, "d·ΔV");
    const ChangeFormula attention = component_change(a, b, Component::attention);
    EXPECT_EQ(attention.symbols, "2·L·d·d_h·Δh_kv");
    EXPECT_EQ(attention.numbers, "2·32·4096·128·(-24)");
    const ChangeFormula wide = component_change(a, b, Component::feed_forward);
    EXPECT_EQ(wide.symbols, "3·L·d·Δd_ff");
    EXPECT_EQ(wide.numbers, "3·32·4096·3328");
    EXPECT_EQ(component_change(a, b, Component::norm), ChangeFormula{});
}

TEST(ChangeFormula, OfAFieldIsWhatItAddsWhereThoseBeforeItHaveChanged) {
    const CountedArchitecture a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    const Result<Difference> found = difference(a, b);
    ASSERT_TRUE(found);
    const std::vector<ChangeFormula> changes = field_changes(a, b, found->fields);
    ASSERT_EQ(changes.size(), 4u);
    EXPECT_EQ(changes[0].symbols, "2·L·d·d_h·Δh_kv");
    EXPECT_EQ(changes[2].symbols, "2·d·ΔV");
    EXPECT_EQ(changes[3], ChangeFormula{}) << "the context adds nothing";
    // d is 6144 by then.
    const CountedArchitecture wide(*with_field(a.architecture, "dim", "6144"));
    const CountedArchitecture wide_and_more(*with_field(wide.architecture, "vocab", "32001"));
    const Result<Difference> both = difference(a, wide_and_more);
    ASSERT_TRUE(both);
    EXPECT_EQ(field_changes(a, wide_and_more, both->fields).back().numbers, "2·6144·1");
}

TEST(ChangeFormula, ShowsBothFormulasWhereMoreThanOneSymbolDiffers) {
    const CountedArchitecture a(preset("llama-2-7b")), b(preset("llama-2-13b"));
    const ChangeFormula wide = component_change(a, b, Component::feed_forward);
    EXPECT_FALSE(wide.symbol);
    EXPECT_NE(wide.numbers.find(" → "), std::string::npos) << wide.numbers;
}

TEST(ChangeFormula, OfASquareIsNotWrittenAsAProduct) {
    Bindings low, high;
    low.set(Symbol::dim, 4);
    high.set(Symbol::dim, 6);
    const Expr square = Expr(Symbol::dim) * Expr(Symbol::dim);
    EXPECT_FALSE(change_formula(square, low, square, high).symbol);
}

TEST(ChangeFormula, NamesTheDimensionsBehindAShape) {
    const CountedArchitecture a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    std::int64_t checked = 0;
    for (const TensorDifference& row : all_tensors(a, b)) {
        const std::vector<Symbol> behind = symbols_behind(row, a, b);
        EXPECT_EQ(behind.empty(), row.change == TensorChange::same) << row.name;
        if (row.name == "model.layers.{i}.self_attn.k_proj.weight") {
            EXPECT_EQ(behind, std::vector{Symbol::kv_heads});
            ++checked;
        }
    }
    EXPECT_EQ(checked, 1);
}

TEST(ChangeFormula, AllTensorsAreThoseThatDifferAndThoseThatDoNot) {
    const CountedArchitecture a(preset("llama-2-7b")), b(preset("llama-3-8b"));
    const Result<Difference> found = difference(a, b);
    ASSERT_TRUE(found);
    std::vector<TensorDifference> rows = all_tensors(a, b);
    std::int64_t in_a = 0, in_b = 0;
    for (const TensorDifference& row : rows) {
        in_a += row.a;
        in_b += row.b;
    }
    EXPECT_EQ(in_a, a.parameters.total);
    EXPECT_EQ(in_b, b.parameters.total);
    std::erase_if(rows, [](const TensorDifference& row) { return row.change == TensorChange::same; });
    EXPECT_EQ(rows, found->tensors);
}

}  // namespace
}  // namespace headcount
