// Claims about the slider row, made by dragging, typing and pressing in it.
#include "app/ui/slider_row.hpp"

#include <gtest/gtest.h>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

using test::Screen;

// A row and the number it edits, as a panel would keep them.
class SliderRowTest : public ::testing::Test {
  protected:
    void draw(const Ui& ui) {
        row.value = value;
        last = slider_row(ui, "architecture.dim", row);
        if (last.value) value = *last.value;
        if (last.reset) value = row.preset.value_or(value);
        commits += last.committed ? 1 : 0;
        fixes += last.fix ? 1 : 0;
        if (last.typed) typed = *last.typed;
        slider_row(ui, "other", {.label = "Layers", .value = 32, .scale = {1, 128, false, 1, {}}});
    }
    auto drawing() {
        return [this](const Ui& ui) { draw(ui); };
    }
    ImVec2 on_track(float part) {
        const NamedRect track = *screen.recorder.find("architecture.dim.track");
        return {track.min.x + (track.max.x - track.min.x) * part, (track.min.y + track.max.y) / 2};
    }

    Screen screen;
    SliderRow row{.label = "Width", .symbol = "d", .scale = {64, 65536, true, 64, {}}, .preset = 4096};
    std::int64_t value = 4096;
    SliderRowResult last;
    std::string typed;
    int commits = 0, fixes = 0;
};

TEST_F(SliderRowTest, DragFollowsAtOnceAndCommitsOnce) {
    screen.frame(drawing());
    screen.hands.point(screen.middle_of("architecture.dim.knob"));
    screen.frame(drawing());
    screen.hands.button(true);
    screen.frame(drawing());
    EXPECT_EQ(value, 4096) << "pressing the knob moves nothing";
    for (const float part : {0.65F, 0.7F, 0.8F}) {
        screen.hands.point(on_track(part));
        screen.frame(drawing());
    }
    EXPECT_GT(value, 8192);
    EXPECT_EQ(value % 64, 0);
    EXPECT_EQ(commits, 0);
    screen.hands.button(false);
    screen.frames(3, drawing());
    EXPECT_EQ(commits, 1);
}

TEST_F(SliderRowTest, TheFieldShowsTenDigitsAndNothingLiesUnderIt) {
    row.label = "Feed-forward width";
    row.effect = "+6,738,415,616";
    value = 32;
    screen.frame(drawing());
    const float usual = screen.recorder.find("architecture.dim.field")->min.x;
    value = 4'000'000'000;
    screen.frame(drawing());
    const NamedRect field = *screen.recorder.find("architecture.dim.field");
    EXPECT_LT(field.min.x, usual);
    EXPECT_GE(field.max.x - field.min.x, text_width(screen.fonts.mono, "4000000000") + 16);
    EXPECT_LE(screen.recorder.find("architecture.dim.reset")->max.x, field.min.x);
    EXPECT_GT(screen.recorder.find("architecture.dim.reset")->min.x, 0);
}

TEST_F(SliderRowTest, DragBeyondTheEndStaysAtTheEnd) {
    screen.frame(drawing());
    screen.hands.point(on_track(0.5F));
    screen.frame(drawing());
    screen.hands.button(true);
    screen.frame(drawing());
    screen.hands.point(ImVec2(5000, 20));
    screen.frame(drawing());
    EXPECT_EQ(value, 65536);
    screen.hands.point(ImVec2(-5000, 20));
    screen.frame(drawing());
    EXPECT_EQ(value, 64);
}

TEST_F(SliderRowTest, DoubleClickResetsToThePreset) {
    value = 8192;
    screen.frame(drawing());
    const ImVec2 knob = screen.middle_of("architecture.dim.knob");
    screen.press_at(knob, drawing());
    screen.press_at(knob, drawing());
    EXPECT_EQ(value, 4096);
}

TEST_F(SliderRowTest, ResetMarkIsThereOnlyAfterAChange) {
    screen.frame(drawing());
    EXPECT_EQ(screen.recorder.find("architecture.dim.reset"), nullptr);
    value = 5120;
    screen.press("architecture.dim.reset", drawing());
    EXPECT_EQ(value, 4096);
    EXPECT_EQ(commits, 1);
}

TEST_F(SliderRowTest, TypedValueIsTakenOnEnter) {
    screen.press("architecture.dim.field", drawing());
    screen.frame(drawing());
    screen.type("5,120", drawing());
    EXPECT_EQ(value, 4096) << "not before it is committed";
    screen.key(ImGuiKey_Enter, drawing());
    EXPECT_EQ(value, 5120);
    EXPECT_EQ(commits, 1);
}

TEST_F(SliderRowTest, TypedValueIsTakenOnTabAndTheFocusMovesOn) {
    screen.press("architecture.dim.field", drawing());
    screen.frame(drawing());
    screen.type("2048", drawing());
    screen.key(ImGuiKey_Tab, drawing());
    screen.frames(2, drawing());
    EXPECT_EQ(value, 2048);
    EXPECT_EQ(commits, 1);
}

TEST_F(SliderRowTest, TypedValueIsTakenWhenThePointerGoesElsewhere) {
    screen.press("architecture.dim.field", drawing());
    screen.frame(drawing());
    screen.type("3072", drawing());
    screen.press("other.field", drawing());
    screen.frames(2, drawing());
    EXPECT_EQ(value, 3072);
}

TEST_F(SliderRowTest, TypedValueSurvivesAnEarlierFieldTakingTheKeyboard) {
    std::int64_t other = 32;
    const auto both = [&](const Ui& ui) {
        const auto first =
            slider_row(ui, "other", {.label = "Layers", .value = other, .scale = {1, 128, false, 1, {}}});
        if (first.value) other = *first.value;
        draw(ui);
    };
    screen.press("architecture.dim.field", both);
    screen.frame(both);
    screen.type("3072", both);
    screen.press("other.field", both);
    screen.frames(2, both);
    EXPECT_EQ(value, 3072);
    EXPECT_EQ(other, 32);
}

TEST_F(SliderRowTest, EscapeCancelsTyping) {
    screen.press("architecture.dim.field", drawing());
    screen.frame(drawing());
    screen.type("77", drawing());
    screen.key(ImGuiKey_Escape, drawing());
    screen.frames(2, drawing());
    EXPECT_EQ(value, 4096);
    EXPECT_EQ(commits, 0);
}

TEST_F(SliderRowTest, WhatIsNoNumberStaysAndIsExplained) {
    screen.press("architecture.dim.field", drawing());
    screen.frame(drawing());
    screen.type("12abc", drawing());
    screen.key(ImGuiKey_Enter, drawing());
    screen.frames(2, drawing());
    EXPECT_EQ(value, 4096);
    EXPECT_EQ(typed, "12abc");
    EXPECT_EQ(commits, 0);
    ASSERT_NE(screen.recorder.find("architecture.dim.error"), nullptr);
    screen.press("architecture.dim.fix", drawing());
    screen.frame(drawing());
    EXPECT_EQ(screen.recorder.find("architecture.dim.error"), nullptr);
    EXPECT_EQ(fixes, 0) << "that was the row's own error";
}

TEST_F(SliderRowTest, RefusedTextGoesWhenTheValueChangesElsewhere) {
    screen.press("architecture.dim.field", drawing());
    screen.frame(drawing());
    screen.type("twelve", drawing());
    screen.key(ImGuiKey_Enter, drawing());
    screen.frame(drawing());
    ASSERT_NE(screen.recorder.find("architecture.dim.error"), nullptr);
    value = 8192;
    screen.frame(drawing());
    EXPECT_EQ(screen.recorder.find("architecture.dim.error"), nullptr);
}

TEST_F(SliderRowTest, ANumberTooLargeForSixtyFourBitsIsRefused) {
    screen.press("architecture.dim.field", drawing());
    screen.frame(drawing());
    screen.type("99999999999999999999", drawing());
    screen.key(ImGuiKey_Enter, drawing());
    screen.frame(drawing());
    EXPECT_EQ(value, 4096);
    EXPECT_NE(screen.recorder.find("architecture.dim.error"), nullptr);
}

TEST_F(SliderRowTest, ControlClickOnTheTrackAsksForTyping) {
    screen.frame(drawing());
    screen.hands.point(on_track(0.9F));
    screen.frame(drawing());
    screen.hands.control(true);
    screen.hands.button(true);
    screen.frame(drawing());
    screen.hands.button(false);
    screen.hands.control(false);
    screen.frames(3, drawing());
    EXPECT_EQ(value, 4096) << "and moves nothing";
    screen.type("640", drawing());
    screen.key(ImGuiKey_Enter, drawing());
    EXPECT_EQ(value, 640);
}

TEST_F(SliderRowTest, TheErrorsButtonIsReported) {
    row.error = FieldError{"30 heads do not divide the width 4096 evenly.", "Use 32"};
    screen.press("architecture.dim.fix", drawing());
    EXPECT_EQ(fixes, 1);
}

TEST_F(SliderRowTest, AnErrorTakesRoomBelowTheRow) {
    screen.frame(drawing());
    const float before = screen.middle_of("other").y;
    row.error = FieldError{"30 heads do not divide the width 4096 evenly.", "Use 32"};
    screen.frame(drawing());
    EXPECT_GT(screen.middle_of("other").y, before + 30);
}

TEST_F(SliderRowTest, ArrowKeysStepTheFocusedTrack) {
    screen.frame(drawing());
    screen.key(ImGuiKey_Tab, drawing());  // the field
    screen.key(ImGuiKey_Tab, drawing());  // the track
    screen.key(ImGuiKey_RightArrow, drawing());
    EXPECT_EQ(value, 4096 + 64);
    screen.key(ImGuiKey_LeftArrow, drawing());
    screen.key(ImGuiKey_LeftArrow, drawing());
    EXPECT_EQ(value, 4096 - 64);
    screen.hands.shift(true);
    screen.key(ImGuiKey_RightArrow, drawing());
    EXPECT_EQ(value, 4096 + 7 * 64);
    EXPECT_EQ(commits, 4);
}

TEST_F(SliderRowTest, ADisabledRowCannotBeEdited) {
    row.disabled = true;
    screen.press("architecture.dim.field", drawing());
    screen.type("5", drawing());
    screen.key(ImGuiKey_Enter, drawing());
    screen.frame(drawing());
    screen.press_at(on_track(0.9F), drawing());
    EXPECT_EQ(value, 4096);
}

TEST_F(SliderRowTest, ARowIsFortyFivePixelsHighAtScaleOne) {
    screen.frame(drawing());
    const NamedRect rect = *screen.recorder.find("architecture.dim");
    EXPECT_EQ(rect.max.y - rect.min.y, size::slider_row);
    EXPECT_EQ(screen.recorder.find("other")->min.y, rect.max.y);
}

TEST_F(SliderRowTest, HoverIsReportedForTheWholeRow) {
    screen.frame(drawing());
    screen.hands.point(screen.middle_of("architecture.dim"));
    screen.frames(2, drawing());
    EXPECT_TRUE(last.hovered);
    screen.hands.point(screen.middle_of("other"));
    screen.frames(2, drawing());
    EXPECT_FALSE(last.hovered);
}

}  // namespace
}  // namespace headcount
