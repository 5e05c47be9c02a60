// Claims about when frames are due.
#include "app/shell/pacing.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

TEST(Pacing, DrawsAFewFramesAndThenSleepsForEver) {
    Pacing pacing;
    int frames = 0;
    for (; pacing.frame_is_due() && frames < 100; ++frames) {
        EXPECT_EQ(pacing.wait(false, std::nullopt), 0.0);
        pacing.drawn(false);
    }
    EXPECT_GE(frames, 2);
    EXPECT_LE(frames, 4);
    EXPECT_EQ(pacing.wait(false, std::nullopt), std::nullopt);
}

TEST(Pacing, GoesOnWhileSomethingMoves) {
    Pacing pacing;
    for (int i = 0; i < 100; ++i) pacing.drawn(true);
    EXPECT_TRUE(pacing.frame_is_due());
    pacing.drawn(false);
    EXPECT_FALSE(pacing.frame_is_due());
}

TEST(Pacing, ABlinkIsOneFrameTwiceASecond) {
    Pacing pacing;
    for (int i = 0; i < 10; ++i) pacing.drawn(false);
    EXPECT_EQ(pacing.wait(true, std::nullopt), Pacing::blink_seconds);
    EXPECT_EQ(pacing.wait(true, 0.1), 0.1) << "something else is due earlier";
    pacing.blinks();
    pacing.drawn(false);
    EXPECT_FALSE(pacing.frame_is_due());
}

TEST(Pacing, WakesForWhatElseIsDue) {
    Pacing pacing;
    for (int i = 0; i < 10; ++i) pacing.drawn(false);
    EXPECT_EQ(pacing.wait(false, 0.15), 0.15);
}

TEST(Pacing, GivesAnAnimationThatNobodySeesTheTimeOfAFrame) {
    Pacing pacing;
    pacing.drawn(true);
    pacing.looked_the_same();
    EXPECT_EQ(pacing.wait(false, {}), 0.0) << "something still settles";
    pacing.drawn(true);
    pacing.drawn(true);
    EXPECT_EQ(pacing.wait(false, {}), 0.0) << "the screen holds it up";
    pacing.looked_the_same();
    EXPECT_EQ(pacing.wait(false, {}), Pacing::frame_seconds);
    EXPECT_EQ(pacing.wait(false, 0.001), 0.001);
    EXPECT_TRUE(pacing.frame_is_due());
    pacing.happened();
    EXPECT_EQ(pacing.wait(false, {}), 0.0);
    pacing.drawn(false);
    pacing.looked_the_same();
    EXPECT_EQ(pacing.wait(false, {}), 0.0) << "what settles is not waited for";
}

}  // namespace
}  // namespace headcount
