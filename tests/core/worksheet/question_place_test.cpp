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

TEST(QuestionPlace, WhatIsLitBesideAQuestionIsInItsPicture) {
    EXPECT_EQ(place(one("text", "Words.", "llama-7b", "{}", R"(, "at": "layer.attention.head.scores")")),
              "layer.attention.head");
    EXPECT_EQ(place(one("count", "count of layer.feed_forward.up.weight", "llama-7b", "{}",
                        R"(, "at": "layer.attention.head.scores")")),
              "layer");
}

TEST(QuestionPlace, WhatTheModelLacksIsRefusedByName) {
    const Result<Worksheet> sheet =
        parse_worksheet(R"({"title": "t", "architecture": "gpt2", "questions": [{"id": "q", "kind": "text",
                            "ask": "?", "at": "layer.attention.head.scorse"}]})",
                        "one", "one.json");
    ASSERT_TRUE(sheet);
    const Result<Sheet> made = make_sheet(*sheet, testing_data::presets());
    ASSERT_FALSE(made);
    const std::string said = sentence(made.error());
    EXPECT_NE(said.find("questions[0].at"), std::string::npos) << said;
    EXPECT_NE(said.find("did you mean layer.attention.head.scores"), std::string::npos) << said;
}

// An answer in numbers is drawn to scale; where it is pointed at or tried out is the diagram itself. The others say
// where to look.
TEST(QuestionPlace, EveryQuestionThatShipsHasAPicture) {
    for (const Worksheet& worksheet : testing_data::worksheets())
        for (const SheetQuestion& question : make_sheet(worksheet, testing_data::presets())->questions) {
            const bool drawn = question.kind == QuestionKind::shape || question.kind == QuestionKind::count ||
                               question.kind == QuestionKind::select || question.kind == QuestionKind::experiment;
            EXPECT_TRUE(drawn || !question.at.empty()) << worksheet.id << ": " << question.id;
        }
}

TEST(QuestionPlace, WhatIsNowhereHasNoPicture) {
    EXPECT_EQ(place(one("count", "2*d*d")), std::nullopt);
    EXPECT_EQ(place(one("count", "{count of model} - {count of model in llama-2-7b}", "llama-3-8b")), std::nullopt);
}

}  // namespace
}  // namespace headcount
