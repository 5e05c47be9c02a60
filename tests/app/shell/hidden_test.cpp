// Claims about guessing in the whole view: a key hides the number under the pointer, a press on the blank shows it.
#include "app/panels/hidden.hpp"

#include <algorithm>

#include "tests/app/shell/explore_stage.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

std::size_t blanks_of(const ExploreStage& stage, std::string_view key) {
    const std::string name = "hidden." + std::string(key);
    const auto all = stage.screen.recorder.all();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const NamedRect& rect) { return rect.name == name; }));
}

TEST(HiddenNumbers, TheKeyHidesTheTotalEverywhereAndAPressShowsIt) {
    ExploreStage stage;
    stage.frames(3);
    stage.type("h");
    EXPECT_EQ(stage.session.view.hidden, std::vector<Subject>{TotalSubject{}});
    stage.frame();
    EXPECT_GE(blanks_of(stage, "total"), 4u);  // top bar twice, donut, inspector
    stage.click("hidden.total");
    EXPECT_TRUE(stage.session.view.hidden.empty());
    stage.frame();
    EXPECT_EQ(blanks_of(stage, "total"), 0u);
}

TEST(HiddenNumbers, WhatThePointerIsOnComesFirst) {
    ExploreStage stage;
    stage.frames(3);
    stage.screen.hands.point(stage.screen.middle_of("breakdown.legend.attention"));
    stage.frames(2);
    stage.type("h");
    EXPECT_EQ(stage.session.view.hidden, std::vector<Subject>{Component::attention});
    stage.type("h");
    EXPECT_TRUE(stage.session.view.hidden.empty());
}

TEST(HiddenNumbers, WithShiftAllComeBack) {
    ExploreStage stage;
    stage.frames(3);
    const std::array two{Intent(Hide{TotalSubject{}}), Intent(Hide{Component::norm})};
    headcount::apply(stage.session, two);
    stage.frame();
    stage.screen.hands.shift(true);
    stage.type("H");
    stage.screen.hands.shift(false);
    EXPECT_TRUE(stage.session.view.hidden.empty());
}

TEST(HiddenNumbers, APanelThatWasDrawnBeforeIsCoveredToo) {
    ExploreStage stage;
    PanelCache cache;
    stage.cache = &cache;
    stage.frames(8);  // long enough for panels to be kept
    stage.type("h");
    stage.frame();
    EXPECT_GE(blanks_of(stage, "total"), 4u);
}

}  // namespace
}  // namespace headcount
