// What is copied of a view begins with what it was made for, in one way for all.
#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

// The first line of what a press copies.
std::string first_line(ExploreStage& stage, std::string_view button) {
    stage.frames(3);
    stage.click(button);
    const std::string text = stage.effects.clipboard.value_or("");
    return text.substr(0, text.find('\r'));
}

TEST(MadeFor, StandsAboveTheTablesOfEveryView) {
    ExploreStage stage;
    stage.session.document.input = {.tokens = 8, .batch = 2};
    stage.session.derived = derive(stage.session.document, nullptr);
    const std::string of = "# Llama 2 7B: T = 8 tokens, B = 2 side by side, bf16, cache in bf16";
    EXPECT_EQ(first_line(stage, "tables.copy"), of);
    stage.ask({ShowTab{BottomTab::tensors}});
    EXPECT_EQ(first_line(stage, "tables.copy"), "# Llama 2 7B") << "whatever is read";
    stage.ask({ShowTab{BottomTab::memory}});
    EXPECT_EQ(first_line(stage, "tables.copy"), of + ", on NVIDIA GeForce RTX 4090");
    stage.show(compare_view);
    stage.ask({AtCompare{CompareWithPreset{"gpt2"}}});
    const std::string both = first_line(stage, "compare.copy");
    EXPECT_TRUE(both.starts_with(of + ", on NVIDIA GeForce RTX 4090; GPT-2 small: T = ")) << both;
    stage.show(costs_view);
    const auto said = [&] { return "# " + view_on(shipped_views(), stage.session.view).made_for(stage.session); };
    EXPECT_EQ(said(), of + ", on NVIDIA GeForce RTX 4090");
    stage.show(what_if_view);
    EXPECT_EQ(said(), of + ", on NVIDIA GeForce RTX 4090");
    stage.session.view.what_if.tab = WhatIfTab::shelf;
    EXPECT_EQ(said(), "# bf16, on NVIDIA GeForce RTX 4090");
    stage.show(explore_view);
    stage.ask({ShowTab{BottomTab::activations}});
    EXPECT_EQ(first_line(stage, "tables.copy"), of) << "a device that other views know changes nothing here";
}

TEST(MadeFor, IsSaidOfAnEditedModelToo) {
    ExploreStage stage;
    stage.edit_width(8192);
    stage.ask({ShowTab{BottomTab::tensors}});
    EXPECT_EQ(first_line(stage, "tables.copy"), "# Llama 2 7B, edited");
}

}  // namespace
}  // namespace headcount
