// Names that other programs give, of an encoder beside a decoder: which stack, and which of its attentions.
#include "core/diagnose/links.hpp"

#include <gtest/gtest.h>

#include "core/diagnose/named.hpp"
#include "core/diagnose/trial.hpp"
#include "tests/core/runtime/golden_model.hpp"

namespace headcount {
namespace {

class TwoStacks : public testing::Test {
  protected:
    void SetUp() override {
        const testing_data::GoldenModel golden = testing_data::golden_run("t5");
        const Result<std::shared_ptr<const Model>> model = random_model(golden.architecture, golden.seed);
        ASSERT_TRUE(model) << sentence(model.error());
        const auto run = run_kept(*model, golden.prompt, {}, golden.source);
        ASSERT_TRUE(run) << sentence(run.error());
        places = places_of(*run);
        for (const Site& each : places) numbers.push_back(numbers_at(*run, each, each.tensor));
    }

    std::size_t place(const std::string& name) const {
        const auto found = std::ranges::find(places, name, &Site::name);
        EXPECT_NE(found, places.end()) << name;
        return static_cast<std::size_t>(found - places.begin());
    }

    // Of what stands beside each other in each row.
    TheirTensor beside(const std::string& name, const std::vector<std::string>& ours) const {
        TheirTensor made{.name = name, .shape = {}, .numbers = {}, .tolerance = 5e-5};
        std::int64_t columns = 0;
        const std::int64_t rows = places[place(ours.front())].rows;
        for (const std::string& each : ours) columns += places[place(each)].columns;
        for (std::int64_t row = 0; row < rows; ++row)
            for (const std::string& each : ours) {
                const auto width = static_cast<std::ptrdiff_t>(places[place(each)].columns);
                const auto begin = numbers[place(each)].begin() + row * width;
                made.numbers.insert(made.numbers.end(), begin, begin + width);
            }
        made.shape = {rows, columns};
        return made;
    }

    // What each is linked to when its numbers say nothing.
    std::vector<std::string> linked_names(std::vector<TheirTensor> theirs) const {
        for (TheirTensor& each : theirs)
            for (float& number : each.numbers) number = 3 * number + 1;
        std::vector<std::string> names;
        for (const Link& each : linked(theirs, places, numbers, {}))
            names.push_back(places[each.ours.front().place].name);
        return names;
    }

    std::vector<Site> places;
    std::vector<std::vector<float>> numbers;
};

TEST_F(TwoStacks, AttentionToTheOtherTextIsWhatItsBlockSaysItIs) {
    std::size_t across = 0;
    for (const Site& each : places) across += each.across ? 1 : 0;
    EXPECT_GT(across, 0u);
    const std::string self = "decoder.layer.0.attention.queries", other = "decoder.layer.0.cross_attention.queries";
    EXPECT_FALSE(places[place(self)].across);
    EXPECT_TRUE(places[place(other)].across);
    EXPECT_TRUE(places[place("decoder.layer.0.cross_attention.head.weights")].across);
    EXPECT_FALSE(places[place("decoder.layer.0.feed_forward.norm")].across);
    EXPECT_EQ(linked_names({beside("decoder.block.0.layer.1.EncDecAttention.q", {other})}), std::vector{other});
    EXPECT_EQ(linked_names({beside("decoder.layers.0.self_attn.q_proj", {self})}), std::vector{self});
}

TEST_F(TwoStacks, OneMatrixForAllThreeIsOfTheStackThatIsNamed) {
    const std::string at = "decoder.layer.0.attention.";
    const std::vector<TheirTensor> theirs = {
        beside("decoder.layers.0.self_attn.qkv", {at + "queries", at + "keys", at + "values"})};
    const std::vector<TheirTensor> apart = with_fused_apart(theirs, places, numbers);
    ASSERT_EQ(apart.size(), 3u);
    EXPECT_EQ(apart[1].numbers, numbers[place(at + "keys")]);
    EXPECT_EQ(linked_names(apart), (std::vector{at + "queries", at + "keys", at + "values"}));
}

// Numbers that reach past the last layer count from 1, and 0 is what enters the first layer.
TEST_F(TwoStacks, ASeriesThatReachesPastTheLastLayerCountsFromOne) {
    std::int64_t layers = 0;
    std::string entering;
    for (const Site& each : places) {
        if (each.of_encoder) continue;
        if (each.in_layer) layers = std::max(layers, *each.in_layer + 1);
        if (std::ranges::find(each.also, "hidden.0") != each.also.end()) entering = each.name;
    }
    ASSERT_GT(layers, 1);
    std::vector<TheirTensor> theirs = {beside("decoder.x_0", {entering})};
    std::vector<std::string> expected = {entering};
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const std::string at = "decoder.layer." + std::to_string(layer), number = std::to_string(layer + 1);
        for (const auto& [name, ours] : {std::pair("decoder.block." + number + ".q_proj", at + ".attention.queries"),
                                         {"decoder.x_" + number, at + ".feed_forward.stream"}}) {
            theirs.push_back(beside(name, {ours}));
            expected.push_back(ours);
        }
    }
    EXPECT_EQ(linked_names(theirs), expected);
    // Where it does not reach so far, nothing says so.
    EXPECT_EQ(linked_names({theirs[1]}), std::vector<std::string>{"decoder.layer.1.attention.queries"});
}

TEST_F(TwoStacks, WhatOneOfASeriesIsByItsNumbersTheOthersAre) {
    const std::string ours = ".attention.norm";
    std::vector<TheirTensor> theirs;
    for (const char* const layer : {"0", "1"})
        theirs.push_back(
            beside(std::string("decoder.before_") + layer, {std::string("decoder.layer.") + layer + ours}));
    for (float& number : theirs.back().numbers) number = 3 * number + 1;
    EXPECT_EQ(linked({&theirs.back(), 1}, places, numbers, {}).front().by, LinkedBy::nearest);
    const std::vector<Link> all = linked(theirs, places, numbers, {});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(places[all[1].ours.front().place].name, "decoder.layer.1" + ours);
    EXPECT_EQ(all[1].by, LinkedBy::values);
}

TEST_F(TwoStacks, WhereNothingSaysWhatItIsItMayBeAllThatHasItsShape) {
    TheirTensor theirs = beside("what", {"decoder.layer.0.attention.norm"});
    for (float& number : theirs.numbers) number = 3 * number + 1;
    const std::vector<Link> all = linked({&theirs, 1}, places, numbers, {});
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all.front().by, LinkedBy::nearest);
    const auto fits =
        std::ranges::count_if(places, [&](const Site& each) { return !lies(each, theirs.shape).empty(); });
    EXPECT_EQ(std::ssize(all.front().perhaps), fits);
    // Beside something that is known it is left alone.
    const std::vector<TheirTensor> two = {theirs, beside("logits", {"logits"})};
    EXPECT_EQ(linked(two, places, numbers, {}).size(), 1u);
}

TEST(Names, AreOfOneSeriesWhereTheirNumbersAloneDiffer) {
    EXPECT_TRUE(in_one_series(named("blocks.0.attn.out"), named("blocks.3.attn.out")));
    EXPECT_FALSE(in_one_series(named("q_0.out"), named("k_1.out")));
    EXPECT_FALSE(in_one_series(named("text.blocks.0.attn"), named("image.blocks.1.attn")));
}

}  // namespace
}  // namespace headcount
