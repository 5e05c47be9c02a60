// Claims about input that comes faster than frames.
#include "app/shell/input_queue.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

constexpr int key_tab = 258, key_backspace = 259, control = 341;
constexpr compat::KeyboardOwner nobody{}, field{.active = 1, .focused = 1, .writes = true},
    other_field{.active = 2, .focused = 2, .writes = true};

KeyEvent down(int key, int mods = 0) { return {.key = key, .action = 1, .mods = mods}; }
KeyEvent up(int key) { return {.key = key, .action = 0}; }
TextEvent text(char character) { return {static_cast<unsigned>(character)}; }
ButtonEvent press(bool down = true) { return {.button = 0, .down = down}; }

using Events = std::vector<InputEvent>;

InputQueue queue_of(const Events& events) {
    InputQueue queue;
    for (const InputEvent& event : events) queue.push(event);
    return queue;
}

// What comes next, after the frames in which nothing may come.
Events next(InputQueue& queue, const compat::KeyboardOwner& owner) {
    for (int i = 0; i < 20 && queue.waiting(); ++i)
        if (Events taken = queue.take(owner, false); !taken.empty()) return taken;
    return {};
}

TEST(InputQueue, AKeyThatIsPressedAndReleasedAtOnceIsDownForOneFrame) {
    InputQueue queue = queue_of({down('Z'), up('Z')});
    EXPECT_EQ(queue.take(nobody, false), Events{down('Z')});
    EXPECT_TRUE(queue.waiting());
    EXPECT_EQ(queue.take(nobody, false), Events{up('Z')});
    EXPECT_FALSE(queue.waiting());
}

TEST(InputQueue, AModifierStaysDownAsLongAsItsKey) {
    InputQueue queue = queue_of({down(control), down('Z'), up('Z'), up(control)});
    EXPECT_EQ(queue.take(nobody, false), (Events{down(control), down('Z')}));
    EXPECT_EQ(queue.take(nobody, false), (Events{up('Z'), up(control)}));
}

TEST(InputQueue, AModifierLetGoOfBeforeItsKeyIsStillDownWhenTheKeyIsPressed) {
    InputQueue queue = queue_of({down('Z'), up(control), up('Z')});
    EXPECT_EQ(queue.take(nobody, false), Events{down('Z')});
    EXPECT_EQ(queue.take(nobody, false), (Events{up(control), up('Z')}));
}

TEST(InputQueue, AModifierThatComesAfterAKeyOrACharacterDoesNotChangeIt) {
    InputQueue queue = queue_of({down('Z'), text('z'), down(control), down('A', 2)});
    EXPECT_EQ(queue.take(field, false), (Events{down('Z'), text('z')}));
    EXPECT_EQ(queue.take(field, false), (Events{down(control), down('A', 2)}));
}

TEST(InputQueue, AFieldGetsDifferentLettersTogether) {
    InputQueue queue = queue_of({down('3'), text('3'), down('4'), text('4'), up('3'), up('4')});
    EXPECT_EQ(queue.take(field, false), (Events{down('3'), text('3'), down('4'), text('4')}));
    EXPECT_EQ(queue.take(field, false), (Events{up('3'), up('4')}));
}

TEST(InputQueue, WhatEditsAFieldComesBetweenTheLettersBeforeAndBehindIt) {
    InputQueue queue = queue_of({text('3'), down(key_backspace), text('4'), up(key_backspace)});
    EXPECT_EQ(queue.take(field, false), Events{text('3')});
    EXPECT_EQ(queue.take(field, false), Events{down(key_backspace)});
    EXPECT_EQ(queue.take(field, false), (Events{text('4'), up(key_backspace)}));
}

TEST(InputQueue, LettersBehindTabWaitUntilTheOtherFieldHasTheKeyboard) {
    InputQueue queue = queue_of({text('0'), down(key_tab), up(key_tab), text('4')});
    EXPECT_EQ(queue.take(field, false), Events{text('0')});
    EXPECT_EQ(queue.take(field, false), Events{down(key_tab)});
    EXPECT_EQ(queue.take({.focused = 2}, false), Events{up(key_tab)}) << "a key that is let go of moves nothing";
    EXPECT_EQ(queue.take({.focused = 2}, false), Events{});
    EXPECT_EQ(queue.take({.focused = 2}, false), Events{});
    EXPECT_EQ(queue.take(other_field, false), Events{}) << "it has just come";
    EXPECT_EQ(queue.take(other_field, false), Events{});
    EXPECT_EQ(queue.take(other_field, false), Events{});
    EXPECT_EQ(queue.take(other_field, false), Events{text('4')});
}

TEST(InputQueue, WhatIsTypedBehindAShortcutWaitsForTheFieldThatItOpens) {
    InputQueue queue = queue_of({down('K', 2), up('K'), down('P'), text('p'), up('P')});
    EXPECT_EQ(queue.take(nobody, false), Events{down('K', 2)});
    EXPECT_EQ(queue.take(nobody, true), Events{up('K')});
    for (int i = 0; i < 2; ++i) EXPECT_EQ(queue.take(nobody, false), Events{});
    for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.take(field, false), Events{});
    EXPECT_EQ(queue.take(field, false), (Events{down('P'), text('p')}));
    EXPECT_EQ(queue.take(field, false), Events{up('P')});
}

TEST(InputQueue, ItDoesNotWaitForeverForWhatNeverRests) {
    InputQueue queue = queue_of({down('Z', 2), text('a')});
    EXPECT_EQ(queue.take(nobody, false), (Events{down('Z', 2)}));
    int frames = 0;
    while (queue.waiting() && frames < 100) queue.take(nobody, true), ++frames;
    EXPECT_LE(frames, 12);
}

TEST(InputQueue, WhereNoFieldIsEveryLetterIsAPressOfItsOwn) {
    InputQueue queue = queue_of({down('T'), text('t'), down('T'), up('T'), text('t')});
    EXPECT_EQ(next(queue, nobody), (Events{down('T'), text('t')}));
    EXPECT_EQ(next(queue, nobody), Events{down('T')}) << "which is what it is however often it comes";
    EXPECT_EQ(next(queue, nobody), Events{up('T')});
    EXPECT_EQ(next(queue, nobody), Events{text('t')});
}

TEST(InputQueue, TwoPressesOfOneKeyAreTwo) {
    InputQueue queue = queue_of({down('Z'), up('Z'), down('Z'), up('Z')});
    for (const KeyEvent& event : {down('Z'), up('Z'), down('Z'), up('Z')})
        EXPECT_EQ(next(queue, nobody), Events{event});
    EXPECT_EQ(queue.pressed(), 4);
}

TEST(InputQueue, AShortPressIsDownForAFrameAndWhereThePointerWas) {
    const PointerEvent there{10, 20}, elsewhere{500, 20};
    InputQueue queue = queue_of({PointerEvent{1, 2}, there, press(), press(false), elsewhere});
    EXPECT_EQ(queue.take(nobody, false), (Events{PointerEvent{1, 2}, there}));
    EXPECT_EQ(queue.take(nobody, false), Events{press()});
    EXPECT_EQ(queue.take(nobody, false), Events{press(false)});
    EXPECT_EQ(queue.take(nobody, false), Events{elsewhere});
}

TEST(InputQueue, APressWaitsForWhatTheOneBeforeItOpens) {
    InputQueue queue = queue_of({press(), press(false), PointerEvent{5, 5}, press(), press(false)});
    EXPECT_EQ(queue.take(nobody, false), Events{press()});
    EXPECT_EQ(queue.take({.active = 3}, false), Events{press(false)});
    EXPECT_EQ(queue.take({.popups = 1}, false), (Events{PointerEvent{5, 5}}));
    EXPECT_EQ(queue.take({.popups = 1}, true), Events{});
    for (int i = 0; i < 2; ++i) EXPECT_EQ(queue.take({.popups = 1}, false), Events{});
    EXPECT_EQ(queue.take({.popups = 1}, false), Events{press()});
    EXPECT_EQ(queue.take({.popups = 1}, false), Events{press(false)});
}

TEST(InputQueue, LettersBehindAPressIntoAFieldAreItsOwn) {
    InputQueue queue = queue_of({press(), press(false), text('7')});
    EXPECT_EQ(queue.take(other_field, false), Events{press()});
    EXPECT_EQ(queue.take(field, false), Events{press(false)});
    EXPECT_EQ(next(queue, field), Events{text('7')});
}

TEST(InputQueue, MotionAndWheelAreNotHeldUp) {
    const Events all{PointerEvent{1, 1}, WheelEvent{0, 1}, PointerEvent{2, 2}, WheelEvent{0, 1}};
    InputQueue queue = queue_of(all);
    EXPECT_EQ(queue.take(nobody, true), all);
}

}  // namespace
}  // namespace headcount
