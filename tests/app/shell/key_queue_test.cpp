// Claims about keys that come faster than frames.
#include "app/shell/key_queue.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

KeyEvent down(int key) {
    return {.key = key, .action = 1};
}
KeyEvent up(int key) {
    return {.key = key, .action = 0};
}

using Events = std::vector<KeyEvent>;

TEST(KeyQueue, AKeyThatIsPressedAndReleasedAtOnceIsDownForOneFrame) {
    KeyQueue queue;
    for (const KeyEvent& event : {down('Z'), up('Z')}) queue.push(event);
    EXPECT_EQ(queue.take(false), Events{down('Z')});
    EXPECT_TRUE(queue.waiting());
    EXPECT_EQ(queue.take(false), Events{up('Z')});
    EXPECT_FALSE(queue.waiting());
}

TEST(KeyQueue, AModifierStaysDownAsLongAsItsKey) {
    constexpr int control = 341;
    KeyQueue queue;
    for (const KeyEvent& event : {down(control), down('Z'), up('Z'), up(control)}) queue.push(event);
    EXPECT_EQ(queue.take(false), (Events{down(control), down('Z')}));
    EXPECT_EQ(queue.take(false), (Events{up('Z'), up(control)}));
}

TEST(KeyQueue, AModifierLetGoOfBeforeItsKeyIsStillDownWhenTheKeyIsPressed) {
    constexpr int control = 341;
    KeyQueue queue;
    for (const KeyEvent& event : {down('Z'), up(control), up('Z')}) queue.push(event);
    EXPECT_EQ(queue.take(false), Events{down('Z')});
    EXPECT_EQ(queue.take(false), (Events{up(control), up('Z')}));
}

TEST(KeyQueue, AModifierThatComesAfterAKeyDoesNotChangeIt) {
    constexpr int shift = 340;
    KeyQueue queue;
    for (const KeyEvent& event : {down('Z'), down(shift), down('Y')}) queue.push(event);
    EXPECT_EQ(queue.take(false), Events{down('Z')});
    EXPECT_EQ(queue.take(false), (Events{down(shift), down('Y')}));
}

TEST(KeyQueue, CharactersStayInTheirPlaceBetweenTheKeys) {
    const KeyEvent typed{.character = '3'};
    KeyQueue queue;
    for (const KeyEvent& event : {down('3'), typed, up('3'), down('4')}) queue.push(event);
    EXPECT_EQ(queue.take(false), (Events{down('3'), typed}));
    EXPECT_EQ(queue.take(false), (Events{up('3'), down('4')}));
}

TEST(KeyQueue, TwoPressesOfOneKeyAreTwo) {
    KeyQueue queue;
    for (const KeyEvent& event : {down('Z'), up('Z'), down('Z'), up('Z')}) queue.push(event);
    int presses = 0;
    while (queue.waiting())
        for (const KeyEvent& event : queue.take(false)) presses += event.action;
    EXPECT_EQ(presses, 2);
}

TEST(KeyQueue, DifferentKeysGoTogether) {
    KeyQueue queue;
    for (const KeyEvent& event : {down('A'), down('B'), down('C')}) queue.push(event);
    EXPECT_EQ(queue.take(false).size(), 3U);
}

// As Ctrl+K opens the field that is asked in: what is typed right behind it would go nowhere.
TEST(KeyQueue, WhatIsTypedBehindAShortcutWaitsForTheFieldThatItOpens) {
    const KeyEvent shortcut{.key = 'K', .action = 1, .mods = 2}, letter{.character = 'p'};
    KeyQueue queue;
    for (const KeyEvent& event : {shortcut, up('K'), down('P'), letter, up('P')}) queue.push(event);
    EXPECT_EQ(queue.take(false), Events{shortcut});
    EXPECT_EQ(queue.take(false), Events{up('K')});
    EXPECT_EQ(queue.take(false), Events{});
    EXPECT_EQ(queue.take(true), (Events{down('P'), letter}));
    EXPECT_EQ(queue.take(true), Events{up('P')});
}

TEST(KeyQueue, ItDoesNotWaitForeverForAFieldThatDoesNotCome) {
    const KeyEvent shortcut{.key = 'Z', .action = 1, .mods = 2};
    KeyQueue queue;
    for (const KeyEvent& event : {shortcut, up('Z'), shortcut, down('A')}) queue.push(event);
    EXPECT_EQ(queue.take(false), Events{shortcut});
    EXPECT_EQ(queue.take(false), (Events{up('Z')}));
    EXPECT_EQ(queue.take(false), (Events{shortcut}));
    int frames = 0;
    while (queue.waiting() && frames < 100) queue.take(false), ++frames;
    EXPECT_LE(frames, 8);
}

}  // namespace
}  // namespace headcount
