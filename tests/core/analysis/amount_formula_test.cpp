// The formula behind an amount comes to that amount.

#include <gtest/gtest.h>

#include "core/analysis/sweep.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;

TEST(AmountFormula, ComesToWhatASearchHolds) {
    for (const char* id : {"gpt2", "llama-2-7b", "gemma-2-2b", "mixtral-8x7b", "deepseek-v3"})
        for (const Input& input : {Input{.tokens = 100}, Input{.tokens = 1, .batch = 3, .cached = 2047}})
            for (const Metric metric : {Metric::total, Metric::memory, Metric::flops}) {
                const Architecture arch = preset(id);
                PointMaker maker(input, {.memory = true});
                const auto of = amount_formula(arch, input, metric);
                ASSERT_TRUE(of) << id << " " << info(metric).key;
                EXPECT_EQ(*evaluate(of->formula, of->bindings), *maker.amount_of(arch, metric))
                    << id << " " << info(metric).key << " " << input.tokens;
            }
}

TEST(AmountFormula, IsNoneOfWhatNoSearchHolds) { EXPECT_FALSE(amount_formula(preset("gpt2"), {}, Metric::seconds)); }

}  // namespace
}  // namespace headcount
