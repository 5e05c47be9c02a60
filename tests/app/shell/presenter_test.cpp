// Showing a model to a class: what is on the screen, what a clicker's keys do, and how one gets back.
#include "app/views/show/presenter.hpp"

#include "app/bars/panels.hpp"
#include "app/parts/caption.hpp"
#include "app/shell/interface.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/views/show/notes.hpp"
#include "app/views/views.hpp"
#include "core/tours/tour.hpp"
#include "tests/app/shell/presenter_stage.hpp"
#include "tests/app/shell/written.hpp"

namespace headcount {
namespace {

using test::add_tours;
using test::apart;
using test::ask;
using test::ExploreStage;
using test::first_tour;
using test::scale_for;

constexpr const char* presented[] = {"panel.presenter_bar", "panel.canvas", "panel.large_breakdown", "panel.caption"};

const NamedRect& rect(const ExploreStage& stage, std::string_view name) {
    const NamedRect* const found = stage.screen.recorder.find(name);
    if (!found) throw std::runtime_error("there is no " + std::string(name));
    return *found;
}

TEST(Presenter, ThingsAreOnePointSixTimesAsLargeWhereThereIsRoom) {
    EXPECT_FLOAT_EQ(scale_for({1600, 1000}), 1.6F);
    EXPECT_GE(scale_for({2560, 1440}), 2.25F) << "as much larger as the window";
    EXPECT_FLOAT_EQ(scale_for({1280, 720}), 1.25F) << "of the screen's height no less than of a large one";
    EXPECT_FLOAT_EQ(scale_for({1120, 680}), 1.25F) << "the least window";
    EXPECT_FLOAT_EQ(scale_for({400, 300}), 1);
    EXPECT_FLOAT_EQ(largest_presenter_scale({1280, 720}), 1.25F) << "a larger interface leaves the picture its words";
    EXPECT_GE(largest_presenter_scale({1920, 1080}), 1.85F);
}

TEST(Presenter, PanelsNeverOverlapNorLeaveTheWindow) {
    for (const ImVec2 size : {ImVec2(1120, 680), ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(2560, 1440)})
        for (const Theme& theme : {presenter_theme(dark_theme()), presenter_theme(light_theme())}) {
            ExploreStage stage("llama-2-7b", size, theme, scale_for(size));
            add_tours(stage);
            for (const Tour& tour : stage.session.tours) {
                ask(stage, StartTour{tour.id});
                ask(stage, Present{true});
                for (std::size_t step = 0; step < stage.session.run->tour.steps.size(); ++step) {
                    SCOPED_TRACE(tour.id + " " + std::to_string(step));
                    const WorkedStep& now = stage.session.run->tour.steps[step];
                    if (now.run || now.train || !now.view.empty()) {  // has its own panels
                        ask(stage, StepTour{1, true});
                        continue;
                    }
                    stage.session.view.show.revealed = true;
                    stage.frames(2);
                    for (const char* name : presented) {
                        const NamedRect* const panel = stage.screen.recorder.find(name);
                        if (!panel) {  // the picture has its room
                            EXPECT_STREQ(name, "panel.large_breakdown");
                            EXPECT_EQ(rect(stage, "panel.canvas").max.x, size.x);
                            continue;
                        }
                        EXPECT_TRUE(panel->min.x >= 0 && panel->min.y >= 0) << name;
                        EXPECT_TRUE(panel->max.x <= size.x && panel->max.y <= size.y) << name;
                        for (const char* other : presented)
                            if (const NamedRect* const beside = stage.screen.recorder.find(other)) {
                                EXPECT_TRUE(other == name || apart(*panel, *beside)) << name << other;
                            }
                    }
                    const NamedRect& strip = rect(stage, "panel.caption");
                    for (const char* name : {"caption.title", "caption.words", "caption.ask", "caption.answer"})
                        if (const NamedRect* words = stage.screen.recorder.find(name)) {
                            EXPECT_GE(words->min.y, strip.min.y) << name;
                            EXPECT_LE(words->max.y, strip.max.y) << name;
                            EXPECT_LE(words->max.x, rect(stage, "caption.back").min.x) << name;
                        }
                    EXPECT_GE(rect(stage, "panel.canvas").max.y - rect(stage, "panel.canvas").min.y, size.y * 0.45F);
                    ask(stage, StepTour{1, true});
                }
            }
        }
}

TEST(Presenter, InsideASubBlockThePictureOfATourHasAllTheWidth) {
    ExploreStage stage("llama-2-7b", {1280, 720}, dark_theme(), scale_for({1280, 720}));
    add_tours(stage);
    ask(stage, Present{true});
    for (const auto& [tour, whole] :
         {std::pair("3-one-attention-head", true), {"15-the-cache-in-time", true}, {"2-where-7-b-come-from", false}}) {
        ask(stage, StartTour{tour});
        stage.frames(3);
        EXPECT_EQ(rect(stage, "panel.canvas").max.x == 1280, whole) << tour;
        EXPECT_EQ(stage.screen.recorder.find("panel.large_breakdown") == nullptr, whole) << tour;
        ask(stage, LeaveTour{});
    }
}

TEST(Presenter, HasTheEssentialsAlone) {
    ExploreStage stage;
    ask(stage, Present{true});
    stage.frames(3);
    for (const char* name : {"panel.top_bar", "panel.architecture", "panel.tables", "panel.inspector", "canvas.zoom",
                             "canvas.way.0", "caption.next"})
        EXPECT_FALSE(stage.screen.recorder.find(name)) << name;
    EXPECT_TRUE(stage.screen.recorder.find("presenter.total"));
    EXPECT_TRUE(stage.screen.recorder.find("breakdown.row.attention"));
    EXPECT_TRUE(stage.screen.recorder.find("caption.title")) << "what the model is";
}

TEST(Presenter, ACurtainIsDrawnByAKeyAndAStepOnlyLiftsIt) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    stage.type("b");
    EXPECT_EQ(stage.session.view.show.aids.curtain, Curtain::none) << "nothing is presented";
    ask(stage, Present{true});
    stage.frames(3);
    for (const auto& [key, name, drawn] : {std::tuple("b", "show.black", Curtain::black),
                                           {".", "show.black", Curtain::black},
                                           {"w", "show.white", Curtain::white}}) {
        stage.type(key);
        stage.frame();
        EXPECT_EQ(stage.session.view.show.aids.curtain, drawn) << key;
        const NamedRect& curtain = rect(stage, name);
        EXPECT_EQ(curtain.max.x - curtain.min.x, 1600);
        EXPECT_EQ(curtain.max.y - curtain.min.y, 1000);
        stage.press(ImGuiKey_PageDown);
        EXPECT_EQ(stage.session.view.show.aids.curtain, Curtain::none);
        EXPECT_EQ(stage.session.view.show.step, 0u) << "what nobody saw does not change";
    }
    stage.type("b");
    stage.type("b");
    EXPECT_EQ(stage.session.view.show.aids.curtain, Curtain::none);
    stage.type("w");
    stage.press(ImGuiKey_Escape);
    EXPECT_TRUE(stage.session.view.show.presenting) << "Esc lifted it";
    EXPECT_EQ(stage.session.view.show.aids.curtain, Curtain::none);
    stage.press(ImGuiKey_Escape);
    EXPECT_FALSE(stage.session.view.show.presenting);
}

TEST(Presenter, WhatIsDrawnWithThePenGoesWithTheNextStep) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    ask(stage, Present{true});
    stage.frames(3);
    const auto draw = [&] {
        stage.screen.hands.point(ImVec2(400, 500));
        stage.frame();
        stage.screen.hands.button(true);
        stage.frame();
        for (const float x : {500.0F, 600.0F, 800.0F}) {
            stage.screen.hands.point(ImVec2(x, 600));
            stage.frame();
        }
        stage.screen.hands.button(false);
        stage.frames(2);
    };
    const Place place = stage.session.look.here;
    stage.type("i");
    draw();
    draw();
    const std::vector<PenStroke>& strokes = stage.session.view.show.aids.strokes;
    ASSERT_EQ(strokes.size(), 2u);
    EXPECT_EQ(strokes.front().size(), 4u);
    EXPECT_EQ(strokes.front().back(), (std::array{0.5F, 0.6F})) << "in shares of the window";
    EXPECT_EQ(stage.session.look.here, place) << "the diagram was not dragged";
    stage.press(ImGuiKey_PageDown);
    EXPECT_TRUE(strokes.empty());
    EXPECT_EQ(stage.session.view.show.step, 1u);
    draw();
    stage.type("e");
    EXPECT_TRUE(strokes.empty());
    draw();
    stage.press(ImGuiKey_Escape);
    EXPECT_TRUE(strokes.empty());
    EXPECT_TRUE(stage.session.view.show.aids.pen);
    stage.press(ImGuiKey_Escape);
    EXPECT_FALSE(stage.session.view.show.aids.pen);
    EXPECT_TRUE(stage.session.view.show.presenting);
}

TEST(Presenter, TheSpeakerSeesTheAnswerAndTheNextStep) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    ask(stage, StepTour{3, true});
    const std::vector<WorkedStep>& steps = stage.session.run->tour.steps;
    ASSERT_FALSE(stage.session.view.show.revealed);
    SpeakerNotes notes = speaker_notes(stage.session);
    EXPECT_EQ(notes.position, "4 of 12");
    EXPECT_EQ(notes.title, steps[3].title);
    EXPECT_EQ(notes.answer, steps[3].answer);
    EXPECT_FALSE(notes.answer.empty()) << "the class does not see it yet";
    EXPECT_EQ(notes.next_title, steps[4].title);
    EXPECT_EQ(notes.next_text, steps[4].caption);
    ask(stage, StepTour{20, true});
    EXPECT_EQ(speaker_notes(stage.session).next_title, "") << "this is the last one";
    ask(stage, LeaveTour{});
    EXPECT_EQ(speaker_notes(stage.session).position, "");
    EXPECT_NE(speaker_notes(stage.session).title.find("6,738,415,616"), std::string::npos);
    stage.show(worksheet_view);
    notes = speaker_notes(stage.session);
    EXPECT_EQ(notes.position, "1 of 6");
    EXPECT_NE(notes.answer.find("100 × 128"), std::string::npos) << notes.answer;
    EXPECT_EQ(time_text(0), "0:00");
    EXPECT_EQ(time_text(754), "12:34");
    EXPECT_EQ(time_text(3723), "1:02:03");
    ImGui::NewFrame();
    stage.screen.recorder.begin_frame();
    draw_speaker_notes(stage.screen.ui(), notes, {"14:05", 754});
    ImGui::EndFrame();
    const NamedRect now = rect(stage, "notes.now"), next = rect(stage, "notes.next");
    EXPECT_TRUE(apart(now, next));
    EXPECT_LE(rect(stage, "notes.words").max.y, now.max.y) << "whoever speaks does not scroll for the answers";
    EXPECT_GT(now.max.x - now.min.x, next.max.x - next.min.x);
    stage.frames(2);
    stage.type("n");
    EXPECT_TRUE(stage.session.view.show.notes);
    stage.type("n");
    EXPECT_FALSE(stage.session.view.show.notes);
}

TEST(Presenter, WordsAreMeasuredOnceAndAgainWhereTheyChange) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    stage.frames(4);
    const auto times = [&] { return kept<CaptionHeight>(stage.screen.ui(), "caption.height").times; };
    const int first = times();
    ASSERT_GT(first, 0);
    stage.frames(20);
    EXPECT_EQ(times(), first);
    stage.edit_width(4224);
    stage.frame();
    EXPECT_GT(times(), first) << "other numbers";
    const int edited = times();
    ImGui::GetIO().DisplaySize = ImVec2(1280, 720);
    stage.frame();
    EXPECT_GT(times(), edited) << "less room";
}

TEST(Presenter, TheMenuCountsTheStepsForTheInputToo) {
    ExploreStage stage("gpt2");
    stage.session.tours = {*parse_tour(R"({"title": "Mine", "steps": [{"title": "a", "caption": "b"},
        {"title": "c", "caption": "d", "set": {"context": 50}}]})",
                                       "mine", "")};
    const auto seen = [&] {
        stage.frames(2);
        stage.click("topbar.tours");
        stage.frames(2);
        const std::vector<std::string> texts = kept<StepTexts>(stage.screen.ui(), "topbar.tours").texts;
        stage.press(ImGuiKey_Escape);
        return texts;
    };
    EXPECT_EQ(seen(), std::vector<std::string>{"1 steps"}) << "100 tokens are too many for the second";
    Document document = stage.session.document;
    document.input.tokens = 7;
    ask(stage, Replace{document, {}});
    EXPECT_EQ(seen(), std::vector<std::string>{"2 steps"});
}

TEST(Presenter, EveryViewIsPresentedAsItIs) {
    for (const ViewKind& kind : shipped_views().kinds) {
        SCOPED_TRACE(kind.name);
        ExploreStage stage("llama-2-7b", ImVec2(1600, 1000), presenter_theme(dark_theme()), 1.6F);
        ask(stage, ShowWorkspace{kind.key});
        stage.frames(2);
        stage.press("F5");
        stage.frames(3);
        EXPECT_EQ(stage.session.view.workspace, kind.key);
        EXPECT_TRUE(stage.screen.recorder.find("panel.presenter_bar"));
        EXPECT_FALSE(stage.screen.recorder.find("panel.top_bar"));
        EXPECT_EQ(stage.screen.recorder.find("presenter.total") != nullptr, shows_own_model(stage.session.view))
            << "what a lesson asks for is not said";
        ask(stage, ShowWorkspace{kind.key == compare_view ? explore_view : compare_view});
        EXPECT_TRUE(stage.session.view.show.presenting) << "it goes on in another view";
        ask(stage, Present{false});
        stage.frames(2);
        EXPECT_TRUE(stage.screen.recorder.find("panel.top_bar"));
    }
}

TEST(Presenter, ADashOfTheProgressLeadsToItsStep) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    stage.frames(3);
    stage.click("caption.step.8");
    EXPECT_EQ(stage.session.view.show.step, 8u);
    stage.click("caption.step.1");
    EXPECT_EQ(stage.session.view.show.step, 1u);
    EXPECT_FALSE(stage.session.view.show.revealed);
}

TEST(Presenter, TheLastStepsButtonLeaves) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{"2-where-7-b-come-from"});
    ask(stage, StepTour{100});
    stage.frames(3);
    EXPECT_EQ(stage.session.document.preset, "llama-7b");
    stage.click("caption.next");
    EXPECT_FALSE(stage.session.run);
    EXPECT_EQ(stage.session.document.preset, "llama-2-7b");
}

TEST(Presenter, ATourIsChosenInTheMenuAndByKey) {
    ExploreStage stage;
    add_tours(stage);
    stage.frames(3);
    stage.click("topbar.tours");
    stage.frames(2);
    stage.click("topbar.tours.item.3-one-attention-head");
    ASSERT_TRUE(stage.session.run);
    EXPECT_EQ(stage.session.view.show.tour, "3-one-attention-head");
    stage.frames(2);
    stage.control("T");
    stage.frames(2);
    EXPECT_TRUE(stage.screen.recorder.find("topbar.tours.item.leave"));
}

TEST(Presenter, MenusHaveTheNumbersThatLessonsAreCalledBy) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, Hide{Component::norm});  // so that there is a veil, through which the test reads
    ask(stage, ShowWorkspace{worksheet_view});
    for (const auto& [menu, entry] :
         {std::pair("topbar.tours", "3. One attention head"), {"worksheet.sheets", "3. From 7 B to 8 B"}}) {
        stage.frames(3);
        stage.click(menu);
        stage.frames(2);
        const std::string text = test::written(stage);
        EXPECT_NE(text.find(entry), std::string::npos) << text;
        stage.press(ImGuiKey_Escape);
    }
}

TEST(Presenter, BesideATourNothingOfTheExploreViewIsCovered) {
    for (const ImVec2 size : {ImVec2(1120, 680), ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(2560, 1440)}) {
        ExploreStage stage("llama-2-7b", size);
        add_tours(stage);
        ask(stage, StartTour{first_tour});
        stage.frames(3);
        const NamedRect& strip = rect(stage, "panel.caption");
        EXPECT_FLOAT_EQ(strip.max.y, size.y);
        for (const char* name : {"panel.architecture", "panel.canvas", "panel.tables", "panel.inspector"})
            EXPECT_TRUE(apart(strip, rect(stage, name))) << name << " " << size.x;
        EXPECT_GE(rect(stage, "panel.canvas").max.y - rect(stage, "panel.canvas").min.y, 400) << size.x;
    }
}

TEST(Presenter, SettlesSoThatTheProgramSleeps) {
    ExploreStage stage;
    add_tours(stage);
    ask(stage, StartTour{first_tour});
    ask(stage, Present{true});
    stage.frames(5);
    EXPECT_FALSE(stage.screen.memory.animating);
    EXPECT_FALSE(stage.effects.document_changed || stage.effects.view_changed);
}

TEST(Presenter, EveryViewIsAsLargeAsExplore) {
    Interface interface;
    View view;
    view.show.presenting = true;
    for (const ViewKind& kind : shipped_views().kinds) {
        view.workspace = kind.key;
        interface.prepare(view, 1, {1120, 680});
        EXPECT_TRUE(interface.has_room_for(1)) << kind.name;
    }
}

TEST(Presenter, TheInterfaceIsMadeLargeAndBackAgain) {
    Interface interface;
    View view;
    interface.prepare(view, 1, {1600, 1000});
    EXPECT_FLOAT_EQ(interface.theme().least_contrast, 4.5F);
    view.show.presenting = true;
    EXPECT_TRUE(interface.prepare(view, 1, {1600, 1000})) << "with fonts of another size";
    EXPECT_FLOAT_EQ(interface.theme().least_contrast, 7);
    view.show.presenting = false;
    EXPECT_TRUE(interface.prepare(view, 1, {1600, 1000}));
    EXPECT_FLOAT_EQ(interface.theme().least_contrast, 4.5F);
}

}  // namespace
}  // namespace headcount
