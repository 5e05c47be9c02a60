// Impossible combinations are found, said in words, and every fix that is offered really fixes.
#include "core/arch/validate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace headcount {
namespace {

Architecture with(Architecture arch, std::string_view key, std::string_view text) {
    Result<Architecture> changed = with_field(std::move(arch), key, text);
    EXPECT_TRUE(changed) << key << "=" << text;
    return *changed;
}

bool has_same_kind(const std::vector<Problem>& problems, const Problem& problem) {
    return std::any_of(problems.begin(), problems.end(),
                       [&](const Problem& other) { return other.error.fix == problem.error.fix; });
}

TEST(Validate, TheDefaultArchitectureIsPossible) { EXPECT_TRUE(validate(Architecture{}).empty()); }

TEST(Validate, HeadsMustDivideTheWidth) {
    std::vector<Problem> problems = validate(with(Architecture{}, "heads", "30"));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].error.what, "30 heads do not divide width 4096 evenly");
    EXPECT_EQ(problems[0].error.where, "heads");
    EXPECT_TRUE(validate(with(with(Architecture{}, "heads", "30"), "head_dim", "128")).empty());
}

TEST(Validate, KeyValueHeadsMustDivideTheHeads) {
    std::vector<Problem> problems = validate(with(Architecture{}, "kv_heads", "7"));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].error.what, "7 key/value heads do not divide 32 heads evenly");
    EXPECT_TRUE(validate(with(Architecture{}, "kv_heads", "1")).empty());
    EXPECT_FALSE(validate(with(Architecture{}, "kv_heads", "64")).empty());
}

TEST(Validate, HeadsInPairsNeedTheirValuesInTwoHalves) {
    const Architecture pairs = with(with(Architecture{}, "heads", "32"), "differential", "true");
    EXPECT_TRUE(validate(with(pairs, "kv_heads", "8")).empty());
    const std::vector<Problem> problems = validate(with(pairs, "kv_heads", "1"));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].error.what,
              "heads in pairs have their values in two halves, and 1 key/value heads have none");
    ASSERT_EQ(problems[0].fixes.size(), 2u);
    EXPECT_EQ(problems[0].fixes[0].text, "2");
    EXPECT_TRUE(validate(with(with(pairs, "kv_heads", "1"), "state_dim", "128")).empty()) << "no layer attends";
}

TEST(Validate, IndexHeadsHaveTheColumnsThatPositionTurns) {
    const Architecture latent = with(with(Architecture{}, "kv_rank", "512"), "index_heads", "4");
    EXPECT_TRUE(validate(with(latent, "index_dim", "64")).empty());
    const std::vector<Problem> problems = validate(with(latent, "index_dim", "32"));
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].error.what, "rotary positions cannot turn 64 of the 32 columns of an index head");
    EXPECT_EQ(problems[0].fixes.at(0).text, "64");
    EXPECT_TRUE(validate(with(with(latent, "index_dim", "32"), "positions", "none")).empty()) << "nothing is turned";
}

TEST(Validate, RotaryPositionsNeedAnEvenHeadSize) {
    Architecture odd = with(Architecture{}, "head_dim", "127");
    ASSERT_EQ(validate(odd).size(), 1u);
    EXPECT_TRUE(validate(with(odd, "positions", "learned")).empty());
    EXPECT_TRUE(validate(with(odd, "positions", "none")).empty());
}

TEST(Validate, MetasRuleMustGiveAWidthThatFits) {
    Architecture tiny =
        with(with(with(Architecture{}, "ffn_multiple_of", "1"), "ffn_multiplier", "0.00001"), "dim", "32");
    std::vector<Problem> problems = validate(tiny);
    ASSERT_FALSE(problems.empty());
    EXPECT_EQ(problems.back().error.what, "Meta's rule gives a feed-forward width of 0");
    Architecture huge = with(with(Architecture{}, "ffn_multiple_of", "256"), "dim", "4611686018427387904");
    problems = validate(huge);
    ASSERT_FALSE(problems.empty());
    EXPECT_NE(problems.back().error.what.find("does not fit in 64 bits"), std::string::npos);
}

TEST(Validate, NumbersBelowOneAreProblemsAndNotCrashes) {
    Architecture nothing;
    nothing.layer.attention.heads = 0;
    nothing.layer.attention.kv_heads = -3;
    nothing.dim = 0;
    std::vector<Problem> problems = validate(nothing);
    EXPECT_EQ(problems.size(), 3u);
    for (const Problem& problem : problems) EXPECT_FALSE(problem.fixes.empty()) << problem.error.what;
    nothing = {};
    nothing.layer.attention.head_dim = 0;
    EXPECT_EQ(validate(nothing).size(), 1u);
}

TEST(Validate, EveryFixReallyFixes) {
    std::mt19937_64 random(7);
    int fixes = 0;
    for (int i = 0; i < 3000; ++i) {
        Architecture arch;
        auto below = [&](std::uint64_t limit) { return static_cast<std::int64_t>(random() % limit); };
        arch.dim = 1 + below(6000);
        arch.layer.attention.heads = 1 + below(80);
        if (below(2) == 0) arch.layer.attention.kv_heads = 1 + below(80);
        if (below(3) == 0) arch.layer.attention.head_dim = 1 + below(200);
        arch.positions = static_cast<Positions>(below(3));
        for (const Problem& problem : validate(arch)) {
            EXPECT_FALSE(problem.fixes.empty()) << problem.error.what;
            for (const Fix& fix : problem.fixes) {
                Result<Architecture> fixed = with_field(arch, fix.field, fix.text);
                ASSERT_TRUE(fixed) << fix.label;
                EXPECT_FALSE(has_same_kind(validate(*fixed), problem)) << problem.error.what << " -> " << fix.label;
                ++fixes;
            }
        }
    }
    EXPECT_GT(fixes, 1000);
}

TEST(Validate, PossibleIsWhatHasNoProblem) {
    Architecture arch;
    for (std::int64_t heads = 1; heads <= 40; ++heads)
        for (std::int64_t dim : {60, 64, 100, 128}) {
            arch.layer.attention.heads = heads;
            arch.dim = dim;
            arch.layer.attention.kv_heads = dim == 60 ? std::optional<std::int64_t>(4) : std::nullopt;
            EXPECT_EQ(possible(arch), validate(arch).empty()) << heads << " heads, width " << dim;
        }
}

TEST(Validate, AFixIsTheNearestValueThatWorks) {
    std::vector<Problem> problems = validate(with(Architecture{}, "heads", "30"));
    ASSERT_EQ(problems.size(), 1u);
    ASSERT_EQ(problems[0].fixes.size(), 2u);
    EXPECT_EQ(problems[0].fixes[0], (Fix{Field::heads, "32", "Use 32"}));
    EXPECT_EQ(problems[0].fixes[1], (Fix{Field::dim, "4080", "Use 4080"}));
}

TEST(Validate, HugeNumbersAreLookedAtWithoutLoopingOverThem) {
    Architecture arch = with(with(Architecture{}, "dim", "9223372036854775807"), "heads", "9223372036854775806");
    EXPECT_FALSE(validate(arch).empty());
    EXPECT_FALSE(validate(with(Architecture{}, "head_dim", "9223372036854775807")).empty());
}

TEST(Validate, AnInputHasTokensAndSequences) {
    Architecture arch;
    EXPECT_TRUE(validate(arch, Input{}).empty());
    EXPECT_EQ(validate(arch, Input{.tokens = 0}).size(), 1u);
    EXPECT_EQ(validate(arch, Input{.batch = 0}).size(), 1u);
    EXPECT_EQ(validate(arch, Input{.cached = -1}).size(), 1u);
}

TEST(Validate, LearnedPositionsEndWhereTheirTableEnds) {
    Architecture arch = with(with(Architecture{}, "positions", "learned"), "context", "1024");
    EXPECT_TRUE(validate(arch, Input{.tokens = 1024}).empty());
    ASSERT_EQ(validate(arch, Input{.tokens = 1025}).size(), 1u);
    EXPECT_EQ(validate(arch, Input{.tokens = 1025})[0].what, "1025 tokens pass the last of 1024 learned positions");
    EXPECT_EQ(validate(arch, Input{.tokens = 1, .cached = 1024}).size(), 1u);
    EXPECT_TRUE(validate(with(arch, "positions", "rope"), Input{.tokens = 1025}).empty());
}

TEST(Validate, AnInputThatNobodyChoseFits) {
    Architecture arch = with(with(Architecture{}, "positions", "learned"), "context", "64");
    EXPECT_EQ(first_input(arch).tokens, 64);
    EXPECT_EQ(first_input(with(arch, "context", "1024")), Input{});
    EXPECT_EQ(first_input(with(arch, "positions", "rope")), Input{});
}

}  // namespace
}  // namespace headcount
