// Claims about guessing in the whole view: a key hides the number under the pointer, a press on the blank shows it.
#include "app/parts/hidden.hpp"

#include <algorithm>
#include <string>

#include "app/state/in_view.hpp"
#include "core/base/text.hpp"
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

// What a whole frame writes, with "?" for each blank; nothing where there is no veil.
std::string written(ExploreStage& stage) {
    std::string text;
    std::string*& beside = frame_veil(stage.screen.ui()).beside;
    beside = &text;
    stage.frame();
    beside = nullptr;
    return text;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

void open_sheet(ExploreStage& stage, const std::string& sheet) {
    headcount::apply(stage.session, Intents{ShowWorkspace{worksheet_view}, AtDesk{OpenSheet{sheet, {}}}});
    stage.frames(3);
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

TEST(HiddenNumbers, BesideALessonTheDocumentsOwnNumberIsCoveredToo) {
    for (const std::string_view workspace : {explore_view, worksheet_view, claims_view}) {
        SCOPED_TRACE(workspace);
        ExploreStage stage("llama-3-8b");
        headcount::apply(stage.session, Intents{ShowWorkspace{workspace}, Hide{Component::norm}});
        stage.frames(3);
        // A lesson's bar has the total of the lesson's model instead.
        EXPECT_EQ(has(written(stage), "8,030,261,248"), shows_own_model(stage.session.view));
        headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
        const std::string text = written(stage);
        EXPECT_FALSE(has(text, "8,030,261,248"));
        EXPECT_FALSE(has(text, "8.03 B"));
    }
}

TEST(HiddenNumbers, AreCoveredAndPressedWhileASheetAsksForOthers) {
    ExploreStage stage("llama-3-8b");
    open_sheet(stage, "2-why-7b");
    headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
    EXPECT_FALSE(has(written(stage), "8,030,261,248"));
    EXPECT_GE(blanks_of(stage, "total"), 2U);
    stage.click("hidden.total");
    EXPECT_TRUE(stage.session.view.hidden.empty());
}

TEST(HiddenNumbers, WhatASheetAsksForIsNotShownByAPress) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "2-why-7b");
    ASSERT_GE(blanks_of(stage, "worksheet"), 2U) << "the sheet asks for this total";
    stage.click("hidden.worksheet");
    EXPECT_TRUE(stage.session.view.hidden.empty());
    headcount::apply(stage.session, Intents{ShowWorkspace{explore_view}});
    stage.frames(2);
    EXPECT_EQ(blanks_of(stage, "worksheet"), 0U);
}

TEST(HiddenNumbers, NeitherTheNoticeNorTheAskBarTellsWhatASheetAsksFor) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "2-why-7b");
    headcount::apply(stage.session, Intents{Hide{Component::norm}});
    stage.session.view.notice = "Copied 6,738,415,616";
    const std::string copied = written(stage);
    EXPECT_TRUE(has(copied, "Copied ?"));
    EXPECT_FALSE(has(copied, "6,738,415,616"));
    headcount::apply(stage.session, Intents{Tell{}, Ask{true}});
    stage.frames(3);
    stage.type("how many parameters");
    stage.frames(3);
    ASSERT_TRUE(stage.screen.recorder.find("ask.answer"));
    EXPECT_FALSE(has(written(stage), "6,738,415,616"));
    headcount::apply(stage.session, Intents{AtDesk{ShowKey{true}}});
    EXPECT_TRUE(has(written(stage), "6,738,415,616"));
}

TEST(HiddenNumbers, WhatAStudentTypedStaysReadable) {
    ExploreStage stage("llama-2-7b");
    open_sheet(stage, "1-one-head");
    headcount::apply(stage.session, Intents{AtDesk{GiveAnswer{"head.queries", shape_text("100", "4096")}},
                                            AtDesk{CheckFields{{"head.queries.rows", "head.queries.columns"}}}});
    stage.frames(3);
    // That is what the input's blank asks for.
    EXPECT_TRUE(has(written(stage), "100 × 4096"));
}

TEST(HiddenNumbers, WhatIsHiddenStaysSoWhereTheModelChanges) {
    ExploreStage stage;
    stage.frames(2);
    EXPECT_TRUE(frame_veil(stage.screen.ui()).keys.empty()) << "nothing is hidden";
    headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
    stage.frames(4);
    stage.edit_width(5120);
    stage.frames(4);
    EXPECT_FALSE(has(written(stage), grouped(stage.session.derived.shown.parameters.total)));
}

TEST(HiddenNumbers, AnswersAreOnlyLookedForInTheWorksheet) {
    ExploreStage stage;
    const Veil& veil = frame_veil(stage.screen.ui());
    open_sheet(stage, "2-why-7b");
    EXPECT_FALSE(veil.numbers.empty());
    headcount::apply(stage.session, Intents{ShowWorkspace{explore_view}});
    stage.frames(3);
    EXPECT_TRUE(veil.numbers.empty());
}

TEST(HiddenNumbers, NothingOfAFrameIsLeftInItsVeil) {
    ExploreStage stage;
    headcount::apply(stage.session, Intents{Hide{TotalSubject{}}});
    stage.frames(2);
    const Veil& veil = frame_veil(stage.screen.ui());
    EXPECT_FALSE(veil.blanks.empty());
    EXPECT_FALSE(veil.drawn) << "it speaks of an object that is gone";
}

}  // namespace
}  // namespace headcount
