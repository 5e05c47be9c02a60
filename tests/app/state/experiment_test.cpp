// Claims about experiments that lessons ask for: the class does them in the Run view, and what it does is checked.
#include <gtest/gtest.h>

#include "app/state/run/goal.hpp"
#include "core/tours/tour.hpp"
#include "tests/support/sessions.hpp"

namespace headcount {
namespace {

using test::ask;

constexpr const char* gone = "8-what-if-a-head-were-gone";

Session at_experiment() {
    Session session = test::session_of("gpt2");
    session.tours = *shipped_tours();
    session.view.run.prompt = "The cat";
    ask(session, StartTour{gone});
    ask(session, StepTour{1, true});
    finish_run(session);
    return session;
}

void switch_off(Session& session, std::initializer_list<const char*> places) {
    RunPlace place = session.view.run;
    place.experiments.changes.clear();
    for (const char* text : places) place.experiments.changes.push_back({*parse_change(Change::Kind::off, text)});
    headcount::apply(session, Intents{AtRun{SetRun{std::move(place)}}});
    finish_run(session);
    headcount::apply(session, Intents{});  // as when the program takes what came of it
}

TEST(LessonExperiments, AStepShowsBothRunsOfItsStory) {
    const Session session = at_experiment();
    EXPECT_EQ(session.view.workspace, run_view);
    EXPECT_TRUE(session.view.run.beside);
    EXPECT_NE(session.view.run.prompt.find("Who has the ball?"), std::string::npos);
    EXPECT_TRUE(session.view.run.experiments.changes.empty());
    ASSERT_TRUE(session.running.trial);
    EXPECT_FALSE(session.view.show.revealed);
}

TEST(LessonExperiments, WhatBringsItAboutIsAnsweredAndNothingElse) {
    Session session = at_experiment();
    switch_off(session, {"layer.3.attention.head:0"});
    EXPECT_FALSE(session.view.show.revealed) << "still Lily";
    switch_off(session, {"layer.0.attention.head:6", "layer.3.attention.head:0"});
    EXPECT_FALSE(session.view.show.revealed) << "one head is asked for";
    switch_off(session, {"layer.0.attention.head:6"});
    EXPECT_TRUE(session.view.show.revealed);
    EXPECT_EQ(session.view.show.step, 1U) << "the class reads the answer";
}

TEST(LessonExperiments, LeavingTheTourGivesBackWhatRan) {
    Session session = at_experiment();
    switch_off(session, {"layer.0.attention.head:6"});
    ask(session, LeaveTour{});
    EXPECT_EQ(session.view.run.prompt, "The cat");
    EXPECT_FALSE(session.view.run.beside);
    EXPECT_TRUE(session.view.run.experiments.changes.empty());
}

TEST(LessonExperiments, AWorksheetSendsToRunAndTakesWhatIsOffThere) {
    Session session = test::session_of("gpt2");
    ask(session, AtDesk{OpenSheet{"10-a-head-gone", {}}});
    ask(session, ShowWorkspace{worksheet_view});
    const Blank& blank = session.desk.question()->blanks.front();
    const Experiment experiment = std::get<ExperimentAnswer>(blank.answer).experiment;
    ask(session, TakeExperiment{blank.id});
    EXPECT_NE(session.view.notice.text, "") << "nothing is off yet";
    ask(session, TryExperiment{experiment});
    finish_run(session);
    EXPECT_EQ(session.view.workspace, run_view);
    EXPECT_EQ(session.view.run.prompt, experiment.prompt);
    switch_off(session, {"layer.0.attention.head:6"});
    ASSERT_TRUE(session.running.trial);
    EXPECT_TRUE(brings_about(experiment, *session.running.trial));
    ask(session, ShowWorkspace{worksheet_view});
    ask(session, TakeExperiment{"one-head"});
    const AnsweredBlank& answered = session.desk.answered.at("one-head");
    EXPECT_EQ(answered.fields.front().text, "layer.0.attention.head:6");
    EXPECT_TRUE(answered.right()) << answered.grade.hint;
    ask(session, TryExperiment{experiment});
    EXPECT_EQ(session.view.run.experiments.changes.size(), 1U) << "back there it is as it was left";
}

TEST(LessonExperiments, WhatIsScaledIsNotSwitchedOff) {
    Session session = at_experiment();
    RunPlace place = session.view.run;
    place.experiments.changes = {{*parse_change(Change::Kind::scale, "layer.0.attention.head:6=0")}};
    headcount::apply(session, Intents{AtRun{SetRun{std::move(place)}}});
    finish_run(session);
    headcount::apply(session, Intents{});  // as when the program takes what came of it
    EXPECT_FALSE(session.view.show.revealed);
}

}  // namespace
}  // namespace headcount
