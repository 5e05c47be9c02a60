// Claims about the field for words: what is typed comes out as it was typed, and the keyboard moves on.
#include "app/ui/text_field.hpp"

#include <gtest/gtest.h>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

using test::Screen;

// A field with what was typed into it, and one below to go on to.
struct Form {
    std::string first, second;
    int lines = 1;
    bool entered = false, left = false;

    void operator()(const Ui& ui) {
        const ImVec2 extent(300, lines > 1 ? 120.0F : 36.0F);
        const TextFieldResult one = text_field(ui, "first", {.text = first, .extent = extent, .lines = lines});
        if (one.edited) first = *one.edited;
        entered = entered || one.entered;
        left = left || one.left;
        const TextFieldResult two = text_field(ui, "second", {.text = second, .extent = ImVec2(300, 36)});
        if (two.edited) second = *two.edited;
    }
};

class TextFields : public ::testing::Test {
  protected:
    void frames(int count) {
        for (int i = 0; i < count; ++i) screen.frame([this](const Ui& ui) { form(ui); });
    }
    void press(std::string_view name) {
        frames(2);
        screen.press_at(screen.middle_of(name), [this](const Ui& ui) { form(ui); });
        frames(2);
    }
    void write(std::string_view text) {
        screen.hands.text(text);
        frames(1);
    }
    void stroke(ImGuiKey key) {
        screen.hands.key(key, true);
        frames(1);
        screen.hands.key(key, false);
        frames(3);
    }

    void stroke_with_ctrl(ImGuiKey key) {
        screen.hands.control(true);
        stroke(key);
        screen.hands.control(false);
        frames(1);
    }

    Screen screen;
    Form form;
};

TEST_F(TextFields, EveryLetterIsHandedOutAsItIsTyped) {
    press("first");
    write("4");
    EXPECT_EQ(form.first, "4");
    write("096");
    EXPECT_EQ(form.first, "4096");
    EXPECT_FALSE(form.left);
}

TEST_F(TextFields, TabLeavesOneAndGoesOnInTheNext) {
    press("first");
    write("100");
    stroke(ImGuiKey_Tab);
    EXPECT_TRUE(form.left);
    EXPECT_FALSE(form.entered);
    write("128");
    EXPECT_EQ(form.first, "100");
    EXPECT_EQ(form.second, "128");
}

TEST_F(TextFields, EnterSaysThatItWasEnter) {
    press("first");
    write("100");
    stroke(ImGuiKey_Enter);
    EXPECT_TRUE(form.entered);
    EXPECT_TRUE(form.left);
}

TEST_F(TextFields, SeveralLinesWrapOnTheScreenAndNotInTheText) {
    form.lines = 5;
    const std::string words = "each token asks what the others offer, and is answered by all that came before it";
    press("first");
    write(words);
    frames(2);
    EXPECT_EQ(form.first, words);
    write("!");
    frames(2);
    EXPECT_EQ(form.first, words + "!") << "the cursor is where it was";
}

TEST_F(TextFields, ALineEndThatWasTypedStays) {
    form.lines = 5;
    press("first");
    write("one");
    stroke(ImGuiKey_Enter);
    write("two");
    frames(1);
    EXPECT_EQ(form.first, "one\ntwo");
    EXPECT_FALSE(form.entered);
}

TEST_F(TextFields, EscapeLeavesALongTextAsItWasTyped) {
    form.lines = 5;
    form.first = "Once";
    press("first");
    write(" upon");
    stroke(ImGuiKey_Escape);
    EXPECT_TRUE(form.left);
    EXPECT_NE(form.first.find(" upon"), std::string::npos) << form.first;
    EXPECT_EQ(form.first.size(), std::string("Once upon").size()) << form.first;
}

TEST_F(TextFields, UndoKnowsNothingOfWhatWasTypedIntoAnotherText) {
    for (const int lines : {1, 5}) {
        SCOPED_TRACE(lines);
        form.lines = lines;
        form.first = "";
        press("first");
        write("of the model that was open before");
        for (int i = 0; i < 5; ++i) stroke(ImGuiKey_Backspace);
        screen.press_at(ImVec2(700, 500), [this](const Ui& ui) { form(ui); });
        frames(2);
        ASSERT_TRUE(form.left);
        form.first = "of it";
        press("first");
        write("s");
        for (int i = 0; i < 9; ++i) stroke_with_ctrl(ImGuiKey_Z);
        EXPECT_EQ(form.first, "of it");
    }
}

TEST_F(TextFields, OnePressElsewhereIsEnough) {
    press("second");
    write("x");
    screen.press_at(screen.middle_of("first"), [this](const Ui& ui) { form(ui); });
    frames(2);
    write("y");
    EXPECT_EQ(form.first, "y") << "although it is drawn before the one that had the keyboard";
    EXPECT_EQ(form.second, "x");
}

TEST_F(TextFields, BreaksArePutInAndTakenOutAgain) {
    frames(1);
    const Font& font = screen.ui().fonts.body;
    const std::string text = "aaaa bbbb cccc\n\ndddd   eeee";
    const float two_words = text_width(font, "aaaa bbbb ") + 1;
    const std::string broken = broken_into_lines(font, text, two_words);
    EXPECT_NE(broken.find("bbbb \r\ncccc"), std::string::npos) << broken;
    EXPECT_EQ(without_breaks(broken), text);
    EXPECT_EQ(broken_into_lines(font, without_breaks(broken), two_words), broken);
}

}  // namespace
}  // namespace headcount
