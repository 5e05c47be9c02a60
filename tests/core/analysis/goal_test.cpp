// Claims about conditions: what people type is read, and what is wrong is said.
#include "core/analysis/goal.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

TEST(Goal, ReadsFiguresDirectionsAndAmounts) {
    struct Case {
        const char *text, *key;
        bool least;
        double amount;
        const char* words;
    };
    for (const Case& each :
         {Case{"memory<=24GiB", "memory", false, 24.0 * (1 << 30), "at most 24.0 GiB"},
          {"seconds<50ms", "seconds", false, 0.05, "at most 50 ms"},
          {"seconds<=0.05", "seconds", false, 0.05, "at most 50 ms"},
          {"tokens_per_second>=30", "tokens_per_second", true, 30, "at least 30 tokens a second"},
          {"longest_context>=32k", "longest_context", true, 32768, "at least 32,768 tokens of context"},
          {"largest_batch>16", "largest_batch", true, 16, "at least 16 sequences"},
          {"active<=3B", "active", false, 3e9, "at most 3,000,000,000 parameters"},
          {"flops<=1.5 PFLOP", "flops", false, 1.5e15, "at most 1.50 PFLOP"}}) {
        const Result<Goal> goal = parse_goal(each.text, "--where");
        ASSERT_TRUE(goal) << each.text << ": " << sentence(goal.error());
        EXPECT_EQ(info(goal->metric).key, each.key);
        EXPECT_EQ(goal->least, each.least) << each.text;
        EXPECT_DOUBLE_EQ(goal->amount, each.amount) << each.text;
        EXPECT_EQ(goal_words(*goal), each.words);
    }
}

TEST(Goal, SaysWhatIsWrong) {
    const auto said = [](const char* text) { return sentence(parse_goal(text, "--where").error()); };
    EXPECT_EQ(said("speed>=3").find("\"speed\" is no figure: --where: give one of total, active"), 0u)
        << said("speed>=3");
    EXPECT_NE(said("memory").find("is no condition"), std::string::npos);
    EXPECT_NE(said("seconds<=soon").find("\"soon\" is no time: --where: write it as 50ms"), std::string::npos);
    EXPECT_NE(said("seconds<=0").find("is nothing"), std::string::npos);
    EXPECT_NE(said("memory<=much").find("is no amount"), std::string::npos);
    EXPECT_NE(said("tokens_per_second>=many").find("is no number"), std::string::npos);
    EXPECT_NE(said("longest_context>=-1").find("--where"), std::string::npos);
}

}  // namespace
}  // namespace headcount
