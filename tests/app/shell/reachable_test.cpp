// Claims about where a window is put again.
#include "app/shell/reachable.hpp"

#include <gtest/gtest.h>

#include <array>

namespace headcount {
namespace {

const std::array<ScreenArea, 2> screens{{{0, 30, 1920, 1050}, {-1280, 0, 1280, 1024}}};

WindowPlace at(int x, int y, int width = 1300, int height = 800) { return {{{x, y}}, {{width, height}}, false}; }

TEST(Reachable, WhatIsInSightStaysWhereItIs) {
    for (const WindowPlace& place : {at(0, 30), at(300, 200), at(-1280, 0, 1200), at(620, 280)})
        EXPECT_EQ(reachable(place, screens), place);
    WindowPlace maximised = at(300, 200);
    maximised.maximised = true;
    EXPECT_EQ(reachable(maximised, screens), maximised);
}

TEST(Reachable, AllOfItIsOnItsScreen) {
    const std::array one{screens[0]};
    for (const auto& [x, y] :
         {std::pair{1900, 100}, {1700, 500}, {-400, 100}, {-1250, 100}, {100, 0}, {100, 1075}, {32, 62}})
        for (const int width : {1300, 1920, 4000}) {
            const WindowPlace place = reachable(at(x, y, width), one);
            ASSERT_TRUE(place.corner && place.size) << x << " " << y;
            EXPECT_GE((*place.corner)[0], 0);
            EXPECT_GE((*place.corner)[1], 30);
            EXPECT_LE((*place.corner)[0] + (*place.size)[0], 1920);
            EXPECT_LE((*place.corner)[1] + (*place.size)[1], 1080);
            EXPECT_GE((*place.size)[0], std::min(width, 1120)) << x << " " << y;
        }
}

TEST(Reachable, AWindowAsLargeAsTheScreenBecomesSmallerBesideAnother) {
    const WindowPlace place = reachable(at(32, 62, 1920, 1050), screens);
    EXPECT_EQ(place.corner, (std::array{32, 62}));
    EXPECT_EQ(place.size, (std::array{1888, 1018}));
}

TEST(Reachable, AScreenThatHasGoneLeavesTheSizeAlone) {
    const std::array one{screens[0]};
    const WindowPlace place = reachable(at(-1300, 0, 1200), one);
    EXPECT_FALSE(place.corner);
    EXPECT_EQ(place.size, at(0, 0, 1200).size);
    EXPECT_FALSE(reachable(at(0, 2000), one).corner);
    EXPECT_FALSE(reachable(at(100, 100), {}).corner) << "no screen is known";
}

TEST(Reachable, NoWindowIsLargerThanItsScreen) {
    const WindowPlace place = reachable(at(0, 30, 4000, 3000), screens);
    EXPECT_EQ(place.size, (std::array{1920, 1050}));
}

TEST(Reachable, WithoutACornerThereIsNothingToMove) {
    const WindowPlace place{std::nullopt, {{1300, 800}}, false};
    EXPECT_EQ(reachable(place, screens), place);
}

}  // namespace
}  // namespace headcount
