// Claims about how a text may go on: every share is that of a run that has read the text and the way so far.
#include "core/runtime/branches.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

using namespace testing_data;

std::vector<Branch> branches_of(Run& run, const BranchRules& rules) {
    Result<std::vector<Branch>> found = likeliest_branches(run, rules);
    if (!found) throw std::runtime_error(sentence(found.error()));
    return *std::move(found);
}

Distribution behind(const GoldenModel& golden, std::vector<std::int32_t> ids) {
    headcount::Run run = begin(golden, 32);
    append(run, ids);
    return *distribution(run.logits(), {.temperature = 1});
}

// With caches, with states, and with angles that turn with the length.
class BranchesOf : public testing::TestWithParam<const char*> {};

TEST_P(BranchesOf, HaveTheSharesOfReadingEachWayByItself) {
    const GoldenModel golden = golden_run(GetParam());
    headcount::Run run = begin(golden, 32);
    append(run, golden.prompt);
    const std::vector<Branch> all = branches_of(run, {.width = 3, .depth = 3, .sampling = {.temperature = 1}});
    EXPECT_EQ(run.tokens(), std::ssize(golden.prompt)) << "the text alone is left";
    std::array<int, 4> each_depth{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        ++each_depth[static_cast<std::size_t>(all[i].depth)];
        const std::vector<std::int32_t> way = way_to(all, i);
        ASSERT_EQ(std::ssize(way), all[i].depth);
        std::vector<std::int32_t> ids = golden.prompt;
        ids.insert(ids.end(), way.begin(), way.end() - 1);
        const Distribution next = behind(golden, ids);
        const auto found = std::ranges::find(next.candidates, all[i].id, &Candidate::id);
        EXPECT_NEAR(all[i].probability, found->probability, 1e-5) << i;
        EXPECT_NEAR(all[i].way, all[i].probability * (all[i].parent ? all[*all[i].parent].way : 1), 1e-12);
        if (i > 0 && all[i].depth == all[i - 1].depth) {
            EXPECT_LE(all[i].way, all[i - 1].way);
        }
    }
    EXPECT_EQ(each_depth, (std::array{0, 3, 3, 3}));
}

INSTANTIATE_TEST_SUITE_P(Runs, BranchesOf, testing::Values("llama", "mamba2", "phi3-longrope"), [](const auto& name) {
    std::string text = name.param;
    std::erase(text, '-');
    return text;
});

TEST(Branches, AWayThatIsOverStaysAndNothingFollowsIt) {
    const GoldenModel golden = golden_run("llama");
    headcount::Run run = begin(golden, 32);
    append(run, golden.prompt);
    const std::int32_t first = likeliest(run.logits());
    const std::vector<Branch> all =
        branches_of(run, {.width = 2, .depth = 3, .sampling = {.temperature = 1}, .ends = {first}});
    EXPECT_EQ(all[0].id, first);
    EXPECT_TRUE(all[0].over);
    for (const Branch& each : all) EXPECT_NE(each.parent, std::optional<std::size_t>(0));
    EXPECT_LE(all.size(), 2U + 1 + 1) << "it is one of the two of each length";
}

TEST(Branches, SamplingThatCutsLeavesFewerAndAlwaysTheLikeliestIsTheModelItself) {
    const GoldenModel golden = golden_run("llama");
    headcount::Run run = begin(golden, 32);
    append(run, golden.prompt);
    EXPECT_EQ(branches_of(run, {.width = 5, .depth = 1, .sampling = {.temperature = 1, .top_k = 2}}).size(), 2U);
    run.keep_first(0);
    append(run, golden.prompt);
    const std::vector<Branch> plain = branches_of(run, {.width = 5, .depth = 1, .sampling = {.temperature = 0}});
    ASSERT_EQ(plain.size(), 5U);
    EXPECT_LT(plain[0].probability, 1);
}

TEST(Branches, NeedRoomAndCanBeStopped) {
    const GoldenModel golden = golden_run("llama");
    headcount::Run run = begin(golden, std::ssize(golden.prompt) + 1);
    append(run, golden.prompt);
    EXPECT_FALSE(likeliest_branches(run, {.width = 2, .depth = 3}));
    const std::atomic<bool> stop{true};
    const auto stopped = likeliest_branches(run, {.width = 2, .depth = 2}, {{}, &stop});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error(), stopped_error());
}

}  // namespace
}  // namespace headcount
