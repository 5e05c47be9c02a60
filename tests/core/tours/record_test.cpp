// Steps of a tour, as they are caught from one moment to the next.
#include "core/tours/record.hpp"

#include "core/arch/fields.hpp"
#include "tests/support/class.hpp"
#include "tests/support/presets.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST(Record, AStepSaysOnlyWhatDiffers) {
    const auto caught = [](std::string_view id) {
        Caught made;
        made.architecture = preset(id);
        made.preset = std::string(id);
        made.input = {.tokens = 100};
        return made;
    };
    const Caught begun = caught("llama-2-7b");
    Caught now = begun;
    now.at = "layer.attention";
    now.select = "layer.attention.key.weight";
    EXPECT_TRUE(only_looks(begun, now));
    const TourStep looks = step_between(begun, now, presets());
    EXPECT_EQ(looks.at, "layer.attention");
    EXPECT_TRUE(looks.set.empty());
    EXPECT_FALSE(looks.preset || looks.input || looks.run);
    Caught edited = now;
    edited.architecture = *with_field(edited.architecture, Field::kv_heads, "8");
    EXPECT_FALSE(only_looks(now, edited));
    const TourStep edits = step_between(now, edited, presets());
    EXPECT_EQ(edits.set, (std::vector<std::pair<std::string, std::string>>{{"kv_heads", "8"}}));
    EXPECT_FALSE(edits.at) << "it is where it was";
    Caught further = edited;
    further.architecture = *with_field(further.architecture, Field::kv_heads, "4");
    EXPECT_TRUE(edits_the_same(now, edited, further));
    // Whatever the models are, the steps lead from one to the other.
    for (const char* to : {"llama-3-8b", "gpt2", "mixtral-8x7b", "bert-base-uncased"}) {
        Caught there = caught("llama-2-7b");
        there.architecture = preset(to);
        there.preset = "";  // as if its fields had been set one by one
        Architecture reached = begun.architecture;
        for (const auto& [key, text] : step_between(begun, there, presets()).set) {
            Result<Architecture> changed = with_field(std::move(reached), key, text);
            ASSERT_TRUE(changed) << to << ' ' << key;
            reached = std::move(*changed);
        }
        for (const FieldInfo& field : fields())
            if (const auto wanted = field_text(preset(to), field.field)) {
                EXPECT_EQ(field_text(reached, field.field), wanted) << to << ' ' << field.key;
            }
    }
}

TEST(Record, WhatIsTypedIntoAPromptIsOneStep) {
    Caught opened;
    opened.run = RunLook{};
    Caught typed = opened;
    typed.run->prompt = "An";
    EXPECT_TRUE(types_on(opened, typed));
    typed.run->head = 3;
    EXPECT_FALSE(types_on(opened, typed)) << "another head as well";
    opened.run.reset();
    EXPECT_FALSE(types_on(opened, typed)) << "the view was opened";
}

TEST(Record, ToCompareWithAChosenModelIsOneStep) {
    const Caught before;
    Caught compares = before, chosen;
    compares.view = "compare";
    chosen = compares;
    chosen.with = "gpt2";
    EXPECT_TRUE(chooses_other(before, compares, chosen));
    Caught another = chosen;
    another.with = "bert-base-uncased";
    EXPECT_FALSE(chooses_other(before, chosen, another)) << "a second one is something to be shown";
    EXPECT_FALSE(chooses_other(compares, compares, chosen)) << "it was there already";
    chosen.select = "component.attention";
    EXPECT_FALSE(chooses_other(before, compares, chosen)) << "something was selected too";
}

TEST(Record, AnotherPromptIsWhatAStepIsAboutWhateverIsSwitchedOff) {
    Caught before{.architecture = preset("llama-2-7b"), .run = RunLook{.off = {"layer.2.attention.head:7"}}};
    Caught now = before;
    now.run->prompt = "Tom had a ball. Tom";
    EXPECT_EQ(step_between(before, now, presets()).title, "Another prompt");
    EXPECT_EQ(step_between(before, now, presets()).caption, "“Tom had a ball. Tom”");
    EXPECT_EQ(step_between({.architecture = preset("llama-2-7b")}, now, presets()).title, "Without head 7 of layer 2");
}

TEST(Record, OfALongPromptACaptionHasTheFirstWordsAndOfTheSameOneNone) {
    const Caught before{.architecture = preset("llama-2-7b")};
    Caught opened = before;
    opened.run = RunLook{.prompt = "One day, Tom was in the park. Tom had a red ball. Then Lily came. Who has it?"};
    EXPECT_EQ(step_between(before, opened, presets()).caption,
              "“One day, Tom was in the park. Tom had a red ball. Then Lily…”");
    Caught other = opened;
    other.run->head = 6;
    EXPECT_EQ(step_between(opened, other, presets()).caption, "In the same prompt.");
}

TEST(Record, SaysPartsAndChoicesAsTheWindowDoes) {
    const Caught before{.architecture = preset("llama-2-7b")};
    Caught part = before, choice = before, place = before;
    part.select = "component.feed_forward";
    EXPECT_EQ(step_between(before, part, presets()).title, "Feed-forward");
    place.at = "layer.feed_forward";
    EXPECT_EQ(step_between(before, place, presets()).title, "Feed-forward");
    choice.architecture.norm.placement = NormPlacement::after_sum;
    EXPECT_EQ(step_between(before, choice, presets()).title, "Norm placed: After sum");
}

}  // namespace
}  // namespace headcount
