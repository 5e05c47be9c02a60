// Claims about the boxes that a question's matrices are drawn as.
#include <gtest/gtest.h>

#include "core/handout/handout.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {
namespace {

TEST(Flow, OneHeadRunsFromItsInputThroughThreeProductsToItsOutput) {
    const std::vector<Preset> presets = *load_presets(HEADCOUNT_ASSETS_DIR "/presets");
    const Result<Worksheet> worksheet = open_worksheet("1-one-head", presets);
    ASSERT_TRUE(worksheet);
    const Result<Sheet> sheet = make_sheet(*worksheet, presets);
    ASSERT_TRUE(sheet);
    const SheetQuestion& question = sheet->questions.front();
    const Flow flow = flow_of(question);
    ASSERT_EQ(flow.boxes.size(), 7U);
    EXPECT_EQ(flow.columns, 5);
    EXPECT_EQ(flow.rows, 3);
    const auto box = [&](const std::string& blank) {
        for (const FlowBox& each : flow.boxes)
            if (question.blanks[each.blank].id == blank) return each;
        ADD_FAILURE() << blank;
        return flow.boxes.front();
    };
    EXPECT_EQ(box("head.input").column, 0);
    EXPECT_EQ(box("head.input").row, 1) << "in the middle of the three";
    for (const char* made : {"head.queries", "head.keys", "head.values"}) EXPECT_EQ(box(made).column, 1) << made;
    EXPECT_EQ(box("head.scores").column, 2);
    EXPECT_EQ(box("head.weights").column, 3);
    EXPECT_EQ(box("head.output").column, 4);
}

TEST(Flow, AQuestionAboutFewerThanThreeMatricesHasNone) {
    const std::vector<Preset> presets = *load_presets(HEADCOUNT_ASSETS_DIR "/presets");
    const Result<Sheet> sheet = make_sheet(*open_worksheet("3-from-7b-to-8b", presets), presets);
    ASSERT_TRUE(sheet);
    for (const SheetQuestion& question : sheet->questions) EXPECT_TRUE(flow_of(question).boxes.empty()) << question.id;
}

}  // namespace
}  // namespace headcount
