// A clicker's keys, and the keys of a keyboard, while a model is shown to a class.
#include "app/parts/actions.hpp"
#include "app/shell/interface.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/state/run/vocabulary.hpp"
#include "app/views/show/presenter.hpp"
#include "app/views/views.hpp"
#include "core/tours/tour.hpp"
#include "tests/app/shell/presenter_stage.hpp"
#include "tests/app/shell/written.hpp"

namespace headcount {
namespace {

using test::add_tours;
using test::ask;
using test::ExploreStage;
using test::first_tour;

TEST(Presenter, F5BeginsAndEndsItAndSoDoesEsc) {
    ExploreStage stage;
    add_tours(stage);
    stage.frames(2);
    const Document before = stage.session.document;
    stage.press("F5");
    EXPECT_TRUE(stage.session.view.show.presenting);
    stage.press("F5");
    EXPECT_FALSE(stage.session.view.show.presenting);
    ask(stage, StartTour{first_tour});
    stage.press("F5");
    stage.press(ImGuiKey_Escape);
    EXPECT_FALSE(stage.session.view.show.presenting);
    EXPECT_TRUE(stage.session.run) << "the tour goes on below the Explore view";
    stage.frame();
    stage.click("caption.leave");
    EXPECT_FALSE(stage.session.run);
    EXPECT_EQ(stage.session.document, before);
}

TEST(Presenter, AnotherTourIsChosenWithoutLeavingIt) {
    for (const bool diagram : {true, false}) {
        ExploreStage stage;
        add_tours(stage);
        stage.frames(2);
        if (!diagram) ask(stage, ShowWorkspace{costs_view});
        ask(stage, Present{true});
        stage.frames(3);
        stage.control("T");
        stage.frames(2);
        ASSERT_TRUE(stage.screen.recorder.find("topbar.tours.item.present")) << diagram;
        EXPECT_FALSE(stage.screen.recorder.find("topbar.tours.item.record")) << "its panel is not there";
        stage.press(ImGuiKey_Escape);
        stage.frames(2);
        EXPECT_TRUE(stage.session.view.show.presenting) << "Escape has closed the list alone";
        EXPECT_FALSE(stage.screen.recorder.find("topbar.tours.item.present"));
        stage.control("T");
        stage.frames(2);
        stage.click(std::string("topbar.tours.item.") + first_tour);
        stage.frames(2);
        EXPECT_TRUE(stage.session.view.show.presenting);
        ASSERT_TRUE(stage.session.run);
        EXPECT_EQ(stage.session.view.show.tour, first_tour);
    }
}

TEST(Presenter, ThePointerIsAwayWhileAClickerSteps) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    ask(stage, Present{true});
    stage.frames(3);
    const ImVec2 row = stage.screen.middle_of("breakdown.row.attention");
    stage.screen.hands.point(row);
    stage.frames(2);
    EXPECT_FALSE(nothing(stage.session.look.hover));
    stage.press(ImGuiKey_PageDown);
    stage.screen.hands.point(row);  // where it lay
    stage.frames(2);
    EXPECT_TRUE(nothing(stage.session.look.hover));
    EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
    stage.screen.hands.point(ImVec2(row.x + 8, row.y));
    stage.frames(2);
    EXPECT_FALSE(nothing(stage.session.look.hover)) << "a hand has moved it";
    stage.type("s");
    stage.press(ImGuiKey_PageDown);
    stage.screen.hands.point(ImVec2(row.x + 8, row.y));
    stage.frame();
    EXPECT_NEAR(stage.screen.middle_of("show.spot").x, row.x + 8, 0.5) << "the dot stays while one steps";
}

TEST(Presenter, ThePointerThatRestsExplainsNothingOnTheFirstSlide) {
    ExploreStage stage;
    stage.frames(3);
    const ImVec2 at = stage.screen.middle_of("panel.canvas");
    stage.screen.hands.point(at);
    stage.frames(2);
    EXPECT_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
    stage.press("F5");
    ASSERT_TRUE(stage.session.view.show.presenting);
    stage.screen.hands.point(at);  // where it lay
    stage.frames(2);
    EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_None) << "nothing has the pointer over it";
    stage.screen.hands.point(ImVec2(at.x + 8, at.y));
    stage.frames(2);
    EXPECT_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None) << "a hand has moved it";
}

TEST(Presenter, ThePointerThatRestsExplainsNothingWhereAKeyStepsATour) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    stage.frames(3);
    const ImVec2 at = stage.screen.middle_of("panel.canvas");
    stage.screen.hands.point(at);
    stage.frames(2);
    EXPECT_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None);
    stage.press(ImGuiKey_PageDown);
    stage.screen.hands.point(at);  // where it lay
    stage.frames(2);
    EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_None) << "nothing has the pointer over it";
    stage.screen.hands.point(ImVec2(at.x + 8, at.y));
    stage.frames(2);
    EXPECT_NE(ImGui::GetMouseCursor(), ImGuiMouseCursor_None) << "a hand has moved it";
}

TEST(Presenter, SpaceArrowsAndPageKeysStepATour) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    ask(stage, Present{true});
    stage.frames(3);
    const auto step = [&] { return stage.session.view.show.step; };
    std::size_t at = 0;
    for (const ImGuiKey key : {ImGuiKey_Space, ImGuiKey_PageDown, ImGuiKey_RightArrow}) {
        stage.press(key);
        EXPECT_EQ(step(), ++at);
    }
    stage.press(ImGuiKey_DownArrow);
    EXPECT_EQ(step(), at) << "this step asks: first its answer";
    EXPECT_TRUE(stage.session.view.show.revealed);
    stage.press(ImGuiKey_Space);
    EXPECT_EQ(step(), ++at);
    for (const ImGuiKey key : {ImGuiKey_PageUp, ImGuiKey_LeftArrow, ImGuiKey_UpArrow}) stage.press(key);
    EXPECT_EQ(step(), 2u) << "one press hid the answer again";
    EXPECT_EQ(stage.session.document.preset, "llama-2-7b");
}

TEST(Presenter, KeysLeaveATourAloneThatIsNotOnTheScreen) {
    for (const std::string_view workspace : {worksheet_view, claims_view}) {
        ExploreStage stage;
        add_tours(stage);
        ask(stage, StartTour{first_tour});
        ask(stage, StepTour{2, true});
        ask(stage, ShowWorkspace{workspace});
        stage.frames(3);
        stage.press(ImGuiKey_PageDown);
        stage.press(ImGuiKey_PageDown);
        EXPECT_EQ(stage.session.view.show.step, 2u);
        for (int i = 0; i < 6; ++i) stage.press(ImGuiKey_Escape);
        EXPECT_TRUE(stage.session.run);
    }
}

TEST(Presenter, KeysAreTheAskBarsWhileThatIsOpen) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    ask(stage, Ask{true});
    ImGui::NewFrame();  // in the first frame its field has no keyboard yet
    stage.screen.hands.key(ImGuiKey_PageDown, true);
    ImGui::EndFrame();
    ImGui::NewFrame();
    EXPECT_TRUE(pressed_show_keys(shipped_views(), stage.session, {}).empty());
    stage.session.view.asking = false;
    EXPECT_EQ(pressed_show_keys(shipped_views(), stage.session, {}).size(), 1u);
    ImGui::EndFrame();
}

TEST(Presenter, AButtonWithTheKeyboardStepsOnce) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    ask(stage, Present{true});
    stage.frames(3);
    stage.click("caption.next");
    EXPECT_EQ(stage.session.view.show.step, 1u);
    stage.press(ImGuiKey_Space);
    EXPECT_EQ(stage.session.view.show.step, 2u);
}

TEST(Presenter, TheLastStepsKeyFinishesTheTourAndGoesOnPresenting) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{"2-where-7-b-come-from"});
    ask(stage, Present{true});
    ask(stage, StepTour{100});
    stage.frames(3);
    if (stage.session.run && !current_step(stage.session)->answer.empty()) {
        stage.press(ImGuiKey_PageDown);
        EXPECT_TRUE(stage.session.view.show.revealed) << "what is asked is answered first";
    }
    stage.press(ImGuiKey_PageDown);
    EXPECT_FALSE(stage.session.run);
    EXPECT_EQ(stage.session.document.preset, "llama-2-7b");
    EXPECT_TRUE(stage.session.view.show.presenting);
}

TEST(Presenter, WithoutATourAClickerGoesFromMatrixToMatrix) {
    ExploreStage stage;
    ask(stage, Present{true});
    stage.frames(3);
    stage.press(ImGuiKey_PageDown);
    const std::string first = subject_key(stage.session.look.selection);
    EXPECT_FALSE(first.empty());
    stage.press(ImGuiKey_Space);
    EXPECT_NE(subject_key(stage.session.look.selection), first);
    stage.press(ImGuiKey_PageUp);
    EXPECT_EQ(subject_key(stage.session.look.selection), first);
}

TEST(Presenter, WithoutATourStrokesGoWithTheStepToo) {
    ExploreStage stage;
    ask(stage, Present{true});
    stage.frames(3);
    const auto draw = [&](Curtain curtain) {
        Aids aids;
        aids.curtain = curtain;
        aids.pen = true;
        aids.strokes = {{{0.2F, 0.2F}, {0.4F, 0.4F}}};
        ask(stage, SetAids{aids});
        stage.frame();
    };
    draw(Curtain::none);
    stage.press(ImGuiKey_PageDown);
    EXPECT_TRUE(stage.session.view.show.aids.strokes.empty());
    EXPECT_TRUE(stage.session.view.show.aids.pen) << "what is drawn next is of the next step";
    const std::string first = subject_key(stage.session.look.selection);
    draw(Curtain::black);
    stage.press(ImGuiKey_PageDown);
    EXPECT_EQ(stage.session.view.show.aids.curtain, Curtain::none);
    EXPECT_EQ(subject_key(stage.session.look.selection), first) << "behind a curtain nothing steps";
    stage.press(ImGuiKey_PageDown);
    EXPECT_NE(subject_key(stage.session.look.selection), first);
    EXPECT_TRUE(stage.session.view.show.aids.strokes.empty());
}

TEST(Presenter, InCompareAClickerGoesThroughWhatTheDifferenceIsMadeOf) {
    ExploreStage stage;
    ask(stage, ShowWorkspace{compare_view});
    ask(stage, AtCompare{CompareWithPreset{"llama-3-8b"}});
    ask(stage, Present{true});
    ask(stage, Hide{Field::norm_epsilon});  // so that there is a veil, through which the test reads
    stage.frames(3);
    const auto selected = [&] { return subject_key(stage.session.look.selection); };
    std::vector<std::string> parts;
    for (std::string last = "none"; selected() != last && parts.size() < 9;) {
        last = selected();
        stage.press(ImGuiKey_PageDown);
        parts.push_back(selected());
    }
    const std::string words = test::written(stage);
    for (const char* said : {"in Feed-forward, of +1.29 B", "+1,308,622,848"})
        EXPECT_NE(words.find(said), std::string::npos) << words;
    EXPECT_EQ(parts, (std::vector<std::string>{"component.embedding", "component.output", "component.attention",
                                               "component.feed_forward", "component.feed_forward"}));
    stage.press(ImGuiKey_PageUp);
    EXPECT_EQ(selected(), "component.attention");
}

TEST(Presenter, AClickerStepsWhatTheViewHas) {
    ExploreStage stage;
    ask(stage, ShowWorkspace{worksheet_view});
    ask(stage, Present{true});
    stage.frames(3);
    const auto question = [&] { return stage.session.desk.progress().question; };
    EXPECT_EQ(question(), 0u);
    stage.press(ImGuiKey_PageUp);
    EXPECT_EQ(question(), 0u) << "there is none before the first";
    stage.press(ImGuiKey_PageDown);
    EXPECT_EQ(question(), 1u);
    ask(stage, ShowWorkspace{claims_view});
    stage.frames(3);
    ask(stage, AtClaims{ChooseStep{0}});
    stage.press(ImGuiKey_PageDown);
    EXPECT_EQ(stage.session.view.claim.step, std::optional<std::size_t>(1));
    stage.press(ImGuiKey_PageUp);
    EXPECT_EQ(stage.session.view.claim.step, std::optional<std::size_t>(0));
    ask(stage, ShowWorkspace{run_view});
    finish_run(stage.session);
    stage.frames(3);
    const std::vector<HeadFound> heads = stage.session.running.heads->heads;
    ASSERT_GT(heads.size(), 1U);
    const auto at = [&](const HeadFound& head) {
        return stage.session.view.run.layer == head.layer && stage.session.view.run.head == head.head;
    };
    EXPECT_TRUE(at(heads[0]));
    stage.press(ImGuiKey_PageDown);
    EXPECT_TRUE(at(heads[1])) << "from map to map";
    stage.press(ImGuiKey_PageUp);
    EXPECT_TRUE(at(heads[0]));
    stage.press(ImGuiKey_PageUp);
    EXPECT_TRUE(at(heads[0])) << "there is none before the first";
    for (std::size_t i = 1; i < heads.size(); ++i) stage.press(ImGuiKey_PageDown);
    EXPECT_TRUE(at(heads.back()));
    const std::size_t tokens = stage.session.running.shown->tokens.size();
    stage.press(ImGuiKey_PageDown);
    finish_run(stage.session);
    EXPECT_EQ(stage.session.running.shown->tokens.size(), tokens + 1) << "behind the last the text goes on";
    EXPECT_FALSE(stage.screen.recorder.find("panel.run_settings"));
}

TEST(Actions, GoOnToTheNextTourAndQuestionAndBack) {
    test::ExploreStage stage;
    test::add_tours(stage);
    const auto act = [&](std::string_view id) {
        const std::optional<Intent> intent = action(id).does(stage.session, most_scale);
        ASSERT_TRUE(intent) << id;
        stage.ask({*intent});
    };
    for (const std::size_t tour : {0U, 1U}) {
        act("next_tour");
        ASSERT_TRUE(stage.session.run);
        EXPECT_EQ(stage.session.run->source.id, stage.session.tours[tour].id);
    }
    stage.ask({StepTour{2, true}});
    act("back");
    EXPECT_EQ(stage.session.view.show.step, 1U);
    stage.ask({LeaveTour{}, ShowWorkspace{worksheet_view}, AtDesk{OpenSheet{"2-why-7b", {}}}});
    act("next_question");
    EXPECT_EQ(stage.session.desk.progress().question, 1U);
    act("back");
    EXPECT_EQ(stage.session.desk.progress().question, 0U);
    act("back");
    EXPECT_EQ(stage.session.view.notice.text, "This is the first question");
}

}  // namespace
}  // namespace headcount
