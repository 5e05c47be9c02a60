// How much each part of a model matters: what the likeliest token's log probability loses without it.
#include "core/runtime/part_ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

using namespace testing_data;

double log_probability_of(std::span<const float> logits, std::int32_t token) {
    double sum = 0;
    for (const float each : logits) sum += std::exp(static_cast<double>(each));
    return static_cast<double>(logits[static_cast<std::size_t>(token)]) - std::log(sum);
}

// Also what was changed already stays so.
TEST(Ranks, SayWhatALogProbabilityLosesWithoutEachPart) {
    const GoldenModel golden = golden_run("llama");
    headcount::Run run = begin(golden);
    const auto off = [&](const char* place) {
        const RunLengths lengths{std::ssize(golden.prompt), std::ssize(golden.prompt)};
        return resolved(run.model(), Change::Kind::off, place, lengths);
    };
    const NodeChange before = off("layer.0.attention.head:1");
    const Result<Rank> rank = rank_parts(run, golden.prompt, {before});
    ASSERT_TRUE(rank) << sentence(rank.error());
    EXPECT_EQ(run.tokens(), 0);
    append(run, golden.prompt);
    EXPECT_EQ(rank->token, likeliest(run.logits()));
    const double on = log_probability_of(run.logits(), rank->token);
    EXPECT_NEAR(rank->log_probability, on, 1e-6);
    ASSERT_EQ(rank->parts.size(), 2u);
    EXPECT_EQ(rank->parts[0].block, "attention");
    EXPECT_EQ(rank->parts[1].block, "feed_forward");
    EXPECT_EQ(rank->parts[0].heads[1].size(), 4u);
    EXPECT_TRUE(rank->parts[1].heads[1].empty());
    EXPECT_EQ(rank->parts[0].heads[0][1], 0) << "it was off";
    const auto loss = [&](const char* place) {
        run.keep_first(0);
        run.set_changes({before, off(place)});
        append(run, golden.prompt);
        return log_probability_of(run.logits(), rank->token) - on;
    };
    EXPECT_NEAR(*rank->parts[0].layers[1], loss("layer.1.attention"), 1e-5);
    EXPECT_NEAR(*rank->parts[1].layers[0], loss("layer.0.feed_forward"), 1e-5);
    EXPECT_NEAR(rank->parts[0].heads[2][3], loss("layer.2.attention.head:3"), 1e-5);
}

TEST(Ranks, SayHowFarTheyAreAndCanBeStopped) {
    const GoldenModel golden = golden_run("t5");
    headcount::Run run = begin(golden);
    std::vector<double> shares;
    ASSERT_TRUE(rank_parts(run, golden.prompt, {}, {.progress = [&](double share) { shares.push_back(share); }}));
    ASSERT_EQ(shares.size(), 6u) << "one a layer";
    EXPECT_EQ(shares.front(), 0);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_LT(shares.back(), 1);
    const std::atomic<bool> stop = true;
    const Result<Rank> stopped = rank_parts(run, golden.prompt, {}, {.stop = &stop});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error(), stopped_error());
    EXPECT_EQ(run.tokens(), 0);
}

TEST(Ranks, ALayerWithoutSoftmaxHeadsHasNone) {
    const GoldenModel golden = golden_run("qwen3_next");
    headcount::Run run = begin(golden);
    const Result<Rank> rank = rank_parts(run, golden.prompt, {});
    ASSERT_TRUE(rank) << sentence(rank.error());
    ASSERT_EQ(rank->parts.size(), 3u);
    for (const PartRank& part : rank->parts) {
        const std::size_t there = static_cast<std::size_t>(
            std::ranges::count_if(part.layers, [](const auto& each) { return each.has_value(); }));
        EXPECT_EQ(there, part.block == "attention" ? 1u : part.block == "linear_attention" ? 3u : 4u) << part.block;
        for (std::size_t layer = 0; layer < 4; ++layer)
            EXPECT_EQ(part.heads[layer].size(), part.block == "attention" && layer == 3 ? 4u : 0u) << part.block;
    }
}

TEST(Ranks, OfAnEncoderBesideADecoderAreBoths) {
    const GoldenModel golden = golden_run("t5");
    headcount::Run run = begin(golden);
    const Result<Rank> rank = rank_parts(run, golden.prompt, {});
    ASSERT_TRUE(rank) << sentence(rank.error());
    std::vector<std::string> blocks;
    for (const PartRank& part : rank->parts) blocks.push_back(part.block);
    EXPECT_EQ(blocks,
              (std::vector<std::string>{"attention", "feed_forward", "attention", "cross_attention", "feed_forward"}));
    EXPECT_EQ(rank->parts[0].stack, ChangePlace::Stack::encoder);
    EXPECT_EQ(rank->parts[3].heads[0].size(), 4u);
}

TEST(Ranks, AModelThatGoesOnFromNothingHasNone) {
    const GoldenModel golden = golden_run("bert");
    headcount::Run run = begin(golden);
    EXPECT_FALSE(rank_parts(run, golden.prompt, {}));
}

}  // namespace
}  // namespace headcount
