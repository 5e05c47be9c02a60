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

TEST(QuestionPlace, WhatAnAnswerNamesIsLitBesideIt) {
    const auto lit = [](const Sheet& sheet) { return place_of(sheet.questions.front()); };
    EXPECT_EQ(lit(one("shape", "shape of layer.attention.head.scores")), "layer.attention.head.scores");
    EXPECT_EQ(lit(one("count", "count of layer.feed_forward")), "layer.feed_forward");
    EXPECT_EQ(lit(one("count", "{count of layer.attention.query.weight} + {count of layer.attention.key.weight}")),
              "layer.attention");
    EXPECT_EQ(lit(one("count", "{count of layer.attention} - {count of layer.attention in llama-2-7b}", "llama-3-8b")),
              "layer.attention")
        << "in its own model";
    EXPECT_EQ(lit(one("count", "count of model")), "");
    EXPECT_EQ(lit(one("count", "2*d*d")), "") << "the whole model";
    EXPECT_EQ(lit(one("count", "2*d*d", "llama-7b", "{}", R"(, "at": "layer.attention.head")")),
              "layer.attention.head");
    EXPECT_EQ(lit(one("select", "layer.attention.query.weight")), std::nullopt) << "that would tell it";
}

TEST(QuestionPlace, EveryQuestionThatShipsHasAPicture) {
    for (const Worksheet& worksheet : testing_data::worksheets()) {
        const Sheet sheet = *make_sheet(worksheet, testing_data::presets());
        for (const SheetQuestion& question : sheet.questions) {
            const bool to_find = question.kind == QuestionKind::select || question.kind == QuestionKind::experiment;
            EXPECT_EQ(place_of(question).has_value(), !to_find) << worksheet.id << ": " << question.id;
        }
    }
}

TEST(QuestionPlace, WhatIsNowhereHasNoPicture) {
    EXPECT_EQ(place(one("count", "2*d*d")), std::nullopt);
    EXPECT_EQ(place(one("count", "{count of model} - {count of model in llama-2-7b}", "llama-3-8b")), std::nullopt);
}

}  // namespace
}  // namespace headcount
