// Claims about experiments on the model that ships: what parts of it do, and that the lessons' figures are measured.
#include "core/experiment/try.hpp"

#include <gtest/gtest.h>

#include "core/base/text.hpp"

namespace headcount {
namespace {

const Experiment given_ball{
    .prompt =
        "One day, Tom was in the park. Tom had a red ball. Then Lily came. Tom gave the ball to Lily. Who has "
        "the ball?",
    .from = "Lily",
    .to = "Tom"};

Tried tried(const Experiment& experiment, std::string_view parts) {
    const Result<std::vector<Change>> changes = parts.empty() ? std::vector<Change>{} : parts_off(parts);
    EXPECT_TRUE(changes) << sentence(changes.error());
    const Result<Tried> result = try_experiment(experiment, *changes);
    EXPECT_TRUE(result) << sentence(result.error());
    return result ? *result : Tried{};
}

std::string percent_text(double share) { return decimal_text(100 * share, 1); }

TEST(Experiments, PartsAreReadAsAList) {
    const Result<std::vector<Change>> parts = parts_off(" layer.1.attention.head:3,layer.2.feed_forward ; ");
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->size(), 2U);
    EXPECT_EQ(place_text((*parts)[0].place), "layer.1.attention.head:3");
    EXPECT_EQ(place_text((*parts)[1].place), "layer.2.feed_forward");
    for (const char* wrong : {"", " , ", "head 3", "layer.1.attention, layer.1.attention"})
        EXPECT_FALSE(parts_off(wrong)) << wrong;
}

TEST(Experiments, NothingOffChangesNothing) {
    const Tried same = tried(given_ball, "");
    EXPECT_EQ(same.before, " Lily");
    EXPECT_EQ(same.after, " Lily");
    EXPECT_EQ(same.before_share, same.after_share);
}

// What assets/tours/8-what-if-a-head-were-gone.json and assets/worksheets/10-a-head-gone.json say.
TEST(Experiments, OneHeadTurnsLilyIntoTom) {
    const Tried result = tried(given_ball, "layer.0.attention.head:6");
    EXPECT_EQ(result.before, " Lily");
    EXPECT_EQ(percent_text(result.before_share), "95.1");
    EXPECT_EQ(result.after, " Tom");
    EXPECT_EQ(percent_text(result.from_share), "0.2");
    EXPECT_EQ(percent_text(result.to_share), "94.4");
}

TEST(Experiments, AnotherHeadTurnsBenIntoLily) {
    const Experiment taken_key{.prompt =
                                   "One day, Lily was in the garden. Lily had a blue key. Then Ben came. Ben took the "
                                   "key from Lily. Who has the key?",
                               .from = "Ben",
                               .to = "Lily"};
    const Tried result = tried(taken_key, "layer.1.attention.head:0");
    EXPECT_EQ(result.before, " Ben");
    EXPECT_EQ(result.after, " Lily");
    EXPECT_EQ(percent_text(result.to_share), "99.8");
}

TEST(Experiments, OneOtherHeadDoesAndNoMore) {
    for (int layer = 0; layer < 4; ++layer)
        for (int head = 0; head < 8; ++head) {
            const std::string place = "layer." + std::to_string(layer) + ".attention.head:" + std::to_string(head);
            EXPECT_EQ(tried(given_ball, place).after,
                      (layer == 0 && head == 6) || (layer == 2 && head == 7) ? " Tom" : " Lily")
                << place;
        }
}

TEST(Experiments, APlaceThatTheModelDoesNotHaveIsNamed) {
    const Result<std::vector<Change>> parts = parts_off("layer.7.attention");
    ASSERT_TRUE(parts);
    const Result<Tried> result = try_experiment(given_ball, *parts);
    ASSERT_FALSE(result);
    EXPECT_NE(sentence(result.error()).find("layer"), std::string::npos) << sentence(result.error());
}

TEST(Experiments, AWordIsSaidWithTheSpaceBeforeIt) {
    EXPECT_TRUE(says_word(" Tom", "Tom"));
    EXPECT_TRUE(says_word("Tom", "Tom"));
    EXPECT_FALSE(says_word(" Tommy", "Tom"));
}

}  // namespace
}  // namespace headcount
