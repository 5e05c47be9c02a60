// A tour as a class sees it: it starts, asks, goes on and back, and leaves everything as it was.
#include "app/state/tour_run.hpp"

#include <gtest/gtest.h>

#include "app/state/storage.hpp"
#include "core/files/assets.hpp"
#include "core/tours/tour.hpp"
#include "tests/support/claims_file.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::ask;
using test::edit;

constexpr const char* seven_to_eight = "4-from-llama-2-to-llama-3";

Session with_tours(std::string_view preset) {
    Session session = test::session_of(preset);
    session.tours = *shipped_tours();
    return session;
}

// A tour of this text, as if it lay among the shipped ones.
void add_tour(Session& session, std::string_view steps) {
    session.tours.push_back(*parse_tour("{\"title\": \"Mine\", \"steps\": [" + std::string(steps) + "]}", "mine", ""));
}

TEST(TourRun, AStepSelectsAndGoesWhereItsFileSays) {
    Session session = with_tours("llama-2-7b");
    ask(session, StartTour{"1-what-is-in-a-transformer"});
    ASSERT_TRUE(session.run);
    EXPECT_EQ(session.view.show.step, 0u);
    ask(session, StepTour{6, true});
    EXPECT_EQ(session.run->words.title, "Attention splits 4096 columns into 32 heads of 128");
    EXPECT_EQ(subject_key(session.look.selection), "layer.attention.head.queries");
    EXPECT_EQ(session.look.asked_for, (Place{"layer.attention", 0, {}}));
    ask(session, StepTour{1, true});
    EXPECT_EQ(session.look.asked_for, (Place{"layer.attention.head", 3, {}}));
}

TEST(TourRun, AStepIsWhereAModelLearnsAndLeavesTheUsersTrainingAsItWas) {
    Session session = with_tours("llama-2-7b");
    session.view.train.settings.task.kind = TaskKind::sort;
    session.view.train.settings.batch = 7;
    const TrainPlace before = session.view.train;
    ask(session, StartTour{"10-it-knows-nothing"});
    ASSERT_TRUE(session.run) << session.view.notice.text;
    EXPECT_EQ(session.view.workspace, train_view);
    EXPECT_EQ(session.view.train.settings, TrainSettings{}) << "everybody sees the same: reverse, 8 letters";
    EXPECT_EQ(session.run->words.answer, "It finds each of the 28 tokens about as likely: ln 28 = 3.332.");
    ASSERT_TRUE(session.training.drawn);
    EXPECT_EQ(session.training.drawn->derived.shown.parameters.total, session.derived.shown.parameters.total)
        << "what is said is of the model that learns";
    session.view.train.settings.batch = 16;
    ask(session, StepTour{1, true});
    EXPECT_EQ(session.view.train.settings.batch, 16) << "what the class has trained is not begun again";
    ask(session, LeaveTour{});
    EXPECT_EQ(session.view.workspace, explore_view);
    EXPECT_EQ(session.view.train, before);
}

TEST(TourRun, AStepTrainsAsFarAsItSaysByItself) {
    Session session = with_tours("llama-2-7b");
    const auto step = [](int learned) {
        return R"({"title": "a", "caption": "b", "train": {"task": "copy", "letters": 2, "learned": )" +
               std::to_string(learned) + "}}";
    };
    add_tour(session, step(0) + "," + step(3) + "," + step(5));
    ask(session, StartTour{"mine"});
    const auto steps = [&] {
        finish_training(session);
        EXPECT_FALSE(session.training.plays);
        return std::pair(std::ssize(session.training.shown->history), session.training.shown->step);
    };
    EXPECT_EQ(steps(), (std::pair<std::ptrdiff_t, std::int64_t>(0, 0)));
    ask(session, StepTour{1});
    EXPECT_EQ(steps(), (std::pair<std::ptrdiff_t, std::int64_t>(3, 3)));
    ask(session, StepTour{1});
    EXPECT_EQ(steps(), (std::pair<std::ptrdiff_t, std::int64_t>(5, 5)));
    ask(session, StepTour{-1});
    EXPECT_EQ(steps().first, 5) << "nothing is learned anew";
    ask(session, AtTrain{StepTraining{}});
    EXPECT_EQ(steps().first, 6) << "a class may go on";
    ask(session, LeaveTour{});
    EXPECT_FALSE(session.training.until);
}

TEST(TourRun, APressRevealsTheAnswerBeforeItGoesOn) {
    Session session = with_tours("llama-2-7b");
    ask(session, StartTour{seven_to_eight});
    EXPECT_FALSE(session.view.show.revealed);
    ask(session, StepTour{1});
    EXPECT_EQ(session.view.show.step, 0u);
    EXPECT_TRUE(session.view.show.revealed);
    ask(session, StepTour{1});
    EXPECT_EQ(session.view.show.step, 1u);
    EXPECT_FALSE(session.view.show.revealed) << "the next question is open again";
    ask(session, StepTour{-1});
    EXPECT_EQ(session.view.show.step, 0u);
    EXPECT_TRUE(session.view.show.revealed) << "back is back by one press";
    ask(session, StepTour{-5});
    EXPECT_EQ(session.view.show.step, 0u) << "there is nothing before the first";
    EXPECT_FALSE(session.view.show.revealed);
    ask(session, StepTour{100});
    EXPECT_EQ(session.view.show.step, 5u) << "nor behind the last";
    EXPECT_TRUE(session.run) << "a press too many ends nothing";
    EXPECT_EQ(session.view.workspace, explore_view);
    ask(session, StepTour{-1, true});
    EXPECT_EQ(session.view.workspace, compare_view) << "where that one is";
    ASSERT_TRUE(session.comparison.other);
    EXPECT_EQ(session.comparison.other->document.preset, "llama-3-8b");
}

TEST(TourRun, LeavingGivesBackTheDocumentTheSelectionAndThePlace) {
    Session session = with_tours("gpt2");
    ask(session, edit(session, Field::layers, "6"));
    ask(session, Select{Component::norm});
    ask(session, Arrive{Place{"layer.attention", 0, {}}});
    const Document before = session.document;
    ask(session, StartTour{seven_to_eight});
    EXPECT_EQ(session.document.preset, "llama-2-7b");
    ask(session, StepTour{2, true});
    EXPECT_EQ(session.document.architecture.vocab, 128256);
    ask(session, LeaveTour{});
    EXPECT_EQ(session.document, before);
    EXPECT_FALSE(session.run);
    EXPECT_TRUE(session.view.show.tour.empty());
    EXPECT_EQ(session.look.selection, Subject(Component::norm));
    EXPECT_EQ(session.look.asked_for.id, "layer.attention");
}

TEST(TourRun, ItsChangesAreUndoneAsAnyEdit) {
    Session session = with_tours("llama-2-7b");
    ask(session, StartTour{seven_to_eight});
    ask(session, StepTour{2, true});
    EXPECT_EQ(session.document.architecture.vocab, 128256);
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.vocab, 32000);
    EXPECT_NE(session.run->words.title.find("32000"), std::string::npos) << session.run->words.title;
    ask(session, Redo{});
    EXPECT_EQ(session.document.architecture.vocab, 128256);
}

TEST(TourRun, WordsFollowWhatTheClassChanges) {
    Session session = with_tours("llama-2-7b");
    ask(session, StartTour{"1-what-is-in-a-transformer"});
    EXPECT_EQ(session.run->words.title, "Llama 2 7B: 6,738,415,616 numbers");
    ask(session, edit(session, Field::vocab, "50000"));
    EXPECT_EQ(session.run->words.title, "Llama 2 7B, edited: 6,885,871,616 numbers");
    ask(session, edit(session, Field::heads, "33"));
    EXPECT_EQ(session.run->words.title, "Llama 2 7B, edited: 6,885,871,616 numbers")
        << "impossible: the last ones stay";
    ask(session, LeaveTour{});
    EXPECT_EQ(session.document.architecture.vocab, 32000);
    ask(session, Undo{});
    EXPECT_EQ(session.document.architecture.layer.attention.heads, 33) << "what the class did is not lost";
}

TEST(TourRun, WhatIsKeptOverACrashIsTheDocumentBefore) {
    Session session = with_tours("gpt2");
    EXPECT_EQ(kept_document(session), session.document);
    ask(session, StartTour{seven_to_eight});
    EXPECT_EQ(kept_document(session).preset, "gpt2");
}

TEST(TourRun, AnotherModelIsFollowedAtTheSameStep) {
    Session session = with_tours("llama-2-7b");
    Document mine = session.document;
    mine.input.tokens = 7;
    ask(session, Replace{mine, {}});
    ask(session, StartTour{"3-one-attention-head"});
    ask(session, StepTour{3, true});
    Document changed = session.document;
    changed.input.tokens = 31;
    ask(session, Replace{changed, {}});  // by the class, in the tour
    const std::string title = session.run->words.title;
    ask(session, OpenPreset{"gpt2"});
    ASSERT_TRUE(session.run);
    EXPECT_EQ(session.run->words.title, title);
    EXPECT_EQ(session.run->words.answer, "100 × 64");
    ask(session, LeaveTour{});
    EXPECT_EQ(session.document.preset, "gpt2") << "that was no change of the tour's";
    EXPECT_EQ(session.document.input.tokens, 7) << "the user's own";
}

TEST(TourRun, AnotherModelEndsATourThatNamesItsOwn) {
    Session session = with_tours("llama-2-7b");
    ask(session, StartTour{seven_to_eight});
    ask(session, OpenPreset{"gpt2"});
    EXPECT_FALSE(session.run);
    EXPECT_TRUE(session.view.show.tour.empty());
    EXPECT_EQ(session.document.preset, "gpt2");
}

TEST(TourRun, OneTourAfterAnotherStillLeavesToTheBeginning) {
    Session session = with_tours("gpt2");
    ask(session, StartTour{seven_to_eight});
    ask(session, StartTour{"1-what-is-in-a-transformer"});
    EXPECT_NE(session.run->words.title.find("GPT-2"), std::string::npos) << session.run->words.title;
    ask(session, LeaveTour{});
    EXPECT_EQ(session.document.preset, "gpt2");
}

TEST(TourRun, ATourThatMakesNoSenseSaysWhyAndChangesNothing) {
    Session session = with_tours("llama-2-7b");
    add_tour(session, R"({"title": "Experts", "caption": "c", "select": "layer.feed_forward.router.weight"})");
    const Document before = session.document;
    ask(session, StartTour{"mine"});
    EXPECT_FALSE(session.run);
    EXPECT_EQ(session.document, before);
    EXPECT_NE(session.view.notice.text.find("no step of \"Mine\" makes sense"), std::string::npos)
        << session.view.notice.text;
    ask(session, StartTour{"nowhere"});
    EXPECT_FALSE(session.run);
}

TEST(TourRun, AFileOfATourStartsIsListedAndKept) {
    const testing_data::Scratch scratch;
    const std::string path =
        scratch.file("mine.json", R"({"title": "Mine", "steps": [{"title": "One", "caption": "{d} wide."}]})");
    Session session = with_tours("gpt2");
    session.view.workspace = worksheet_view;
    ask(session, OpenFile{path});
    ASSERT_TRUE(session.run) << session.view.notice.text;
    EXPECT_EQ(session.view.workspace, explore_view);
    EXPECT_EQ(session.run->words.caption, "768 wide.");
    EXPECT_EQ(session.tours.back().id, "mine");
    EXPECT_EQ(session.view.tour_files, std::vector<std::string>{path});
    EXPECT_EQ(session.view.recent.front(), path);
    ask(session, OpenFile{path});
    EXPECT_EQ(session.view.tour_files.size(), 1U) << "opened twice it is listed once";
    const Result<Saved> again =
        saved_from_text(saved_text({kept_document(session), session.view, kept_selection(session), {}}), "f");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->view.tour_files, session.view.tour_files);
}

TEST(TourRun, ABrokenFileOfATourSaysWhereAndChangesNothing) {
    const testing_data::Scratch scratch;
    const std::string path = scratch.file("mine.json", R"({"title": "Mine", "steps": [{"caption": "x"}]})");
    Session session = with_tours("gpt2");
    const std::size_t tours = session.tours.size();
    ask(session, OpenFile{path});
    EXPECT_FALSE(session.run);
    EXPECT_NE(session.view.notice.text.find("steps[0].title"), std::string::npos) << session.view.notice.text;
    EXPECT_EQ(session.tours.size(), tours);
    EXPECT_TRUE(session.view.tour_files.empty());
}

TEST(TourRun, WithoutOneItsIntentsDoNothing) {
    Session session = with_tours("llama-2-7b");
    const Document before = session.document;
    ask(session, StepTour{1});
    ask(session, LeaveTour{});
    EXPECT_EQ(session.document, before);
    EXPECT_EQ(current_step(session), nullptr);
    EXPECT_FALSE(session.history.can_undo());
}

TEST(TourRun, PresentingIsOfTheViewOnTheScreenAndNoEdit) {
    Session session = with_tours("llama-2-7b");
    ask(session, ShowWorkspace{claims_view});
    ask(session, ShowManual{std::string(keys_page)});
    ask(session, Present{true});
    EXPECT_TRUE(session.view.show.presenting);
    EXPECT_EQ(session.view.workspace, claims_view);
    EXPECT_FALSE(session.view.manual);
    EXPECT_FALSE(session.history.can_undo());
    ask(session, Present{false});
    EXPECT_FALSE(session.view.show.presenting);
    EXPECT_EQ(session.view.workspace, claims_view);
}

TEST(TourRun, GoesOnInExploreWhenPresentingEnds) {
    Session session = with_tours("llama-2-7b");
    ask(session, ShowWorkspace{claims_view});
    ask(session, Present{true});
    ask(session, StartTour{seven_to_eight});
    ask(session, Present{false});
    EXPECT_EQ(session.view.workspace, explore_view);
    EXPECT_TRUE(session.run);
}

TEST(TourRun, PresentingGoesOnWhereAnotherViewComes) {
    const testing_data::Scratch scratch;
    const std::string claims = scratch.file("ours.json", testing_data::own_claims());
    const std::string sheet = (*assets_directory() / "worksheets" / "1-one-head.json").string();
    for (const auto& [intent, there] : {std::pair(Intent(OpenFile{claims}), claims_view),
                                        {Intent(OpenFile{sheet}), worksheet_view},
                                        {Intent(ShowWorkspace{claims_view}), claims_view}}) {
        Session session = with_tours("llama-2-7b");
        ask(session, Present{true});
        ask(session, intent);
        EXPECT_EQ(session.view.workspace, there) << session.view.notice.text;
        EXPECT_TRUE(session.view.show.presenting) << there;
    }
}

}  // namespace
}  // namespace headcount
