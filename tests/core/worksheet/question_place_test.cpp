// Claims about the picture of a question: it is of the smallest block that has all of what is asked in it.
#include "core/worksheet/sheet.hpp"
#include "tests/support/class.hpp"

namespace headcount {
namespace {

using testing_data::one;
using testing_data::shipped;

std::optional<std::string> place(const Sheet& sheet, std::size_t question = 0) {
    return block_of(sheet.questions.at(question));
}

TEST(QuestionPlace, OneTensorIsInItsBlock) {
    EXPECT_EQ(place(one("shape", "shape of layer.attention.head.scores")), "layer.attention.head");
    EXPECT_EQ(place(one("count", "count of layer.feed_forward.up.weight")), "layer");
    EXPECT_EQ(place(one("select", "layer.attention.query.weight")), "layer");
    EXPECT_EQ(place(one("count", "count of layer.feed_forward.expert.up.weight", "mixtral-8x7b")),
              "layer.feed_forward.expert");
}

TEST(QuestionPlace, TensorsOfTwoBlocksAreInTheOneAroundBoth) {
    EXPECT_EQ(place(one("count", "{count of layer.attention.query.weight} + {count of layer.feed_forward.up.weight}")),
              "layer");
    EXPECT_EQ(place(one("count", "{count of layer.attention.query.weight} + {count of embedding.weight}")), "");
    EXPECT_EQ(place(shipped("1-one-head")), "layer");  // its input, one head, its output
}

TEST(QuestionPlace, ABlockIsItselfOrTheLayerThatItIsDrawnIn) {
    EXPECT_EQ(place(one("count", "count of layer")), "layer");
    EXPECT_EQ(place(one("count", "count of layer.feed_forward")), "layer");
}

TEST(QuestionPlace, WhatIsNowhereHasNoPicture) {
    EXPECT_EQ(place(one("count", "2*d*d")), std::nullopt);
    EXPECT_EQ(place(one("count", "{count of model} - {count of model in llama-2-7b}", "llama-3-8b")), std::nullopt);
}

}  // namespace
}  // namespace headcount
