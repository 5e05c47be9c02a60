// Claims about the Train view as a whole: its panels at every size, and what is pressed in them.
#include "app/state/train/runner.hpp"
#include "core/tours/tour.hpp"
#include "tests/app/shell/presenter_stage.hpp"
#include "tests/app/shell/written.hpp"

namespace headcount {
namespace {

using test::ExploreStage;

class TrainSpace : public testing::Test {
  protected:
    static void begin(ExploreStage& stage, int steps) {
        TrainSettings& settings = stage.session.view.train.settings;
        settings.task.letters = 2;
        settings.batch = 4;
        settings.held_out = 8;
        headcount::apply(stage.session, Intents{ShowWorkspace{train_view}});
        finish_training(stage.session);
        for (int i = 0; i < steps; ++i) stage.session.training.runner->step();
        finish_training(stage.session);
        stage.frames(4);
    }
};

TEST_F(TrainSpace, HasItsPanelsBesideEachOtherAtEverySize) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        begin(stage, 12);
        const std::array panels{stage.panel("train_settings"), stage.panel("train_transport"),
                                stage.panel("train_curves"),   stage.panel("train_heads"),
                                stage.panel("train_weights"),  stage.panel("train_answers")};
        for (std::size_t i = 0; i < panels.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(test::apart(panels[i], panels[j])) << i << " " << j;
        const NamedRect* const head = stage.screen.recorder.find("train.head.0.3");
        ASSERT_TRUE(head);
        EXPECT_LE(head->max.x, panels[3].max.x);
        EXPECT_LE(head->max.y, panels[3].max.y);
    }
}

TEST_F(TrainSpace, AllThatLearnStandInTheirPanel) {
    for (const ImVec2 size : test::window_sizes) {
        SCOPED_TRACE(size.x);
        ExploreStage stage("llama-2-7b", size);
        begin(stage, 12);
        const auto count = stage.session.training.shown->learners.size();
        ASSERT_GT(count, 4u);
        const NamedRect* const all = stage.screen.recorder.find("train.learners.all");
        ASSERT_TRUE(all);
        EXPECT_LE(all->max.y, stage.panel("train_weights").max.y);
        std::size_t shown = 0;
        while (const NamedRect* const each = stage.screen.recorder.find("train.learner." + std::to_string(shown))) {
            EXPECT_LE(each->max.y, all->min.y);
            ++shown;
        }
        const NamedRect* const rest = stage.screen.recorder.find("train.learners.rest");
        EXPECT_EQ(shown < count, rest != nullptr);
        EXPECT_TRUE(shown == count || size.x < 1280);
        EXPECT_TRUE(!rest || rest->max.y <= all->min.y);
    }
}

TEST_F(TrainSpace, WhatTheSharesAreStandsWhereALineThatPassesLeavesRoom) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720));
    begin(stage, 20);
    struct Shares {
        std::int64_t step;
        double tokens, lines;
    };
    const auto words_after = [&](const std::vector<Shares>& shares) {
        TrainSnapshot run = *stage.session.training.shown;
        const TrainPoint like = *run.points.front();
        run.points.clear();
        for (const Shares& each : shares) {
            TrainPoint point = like;
            point.step = each.step;
            point.held_out.tokens_right = each.tokens;
            point.held_out.lines_right = each.lines;
            run.points.push_back(std::make_shared<const TrainPoint>(std::move(point)));
        }
        stage.session.training.shown = std::make_shared<const TrainSnapshot>(std::move(run));
        stage.frames(2);
        return *stage.screen.recorder.find("train.shares.words");
    };
    const NamedRect above = words_after({{0, 0, 0}, {7, 0, 0}, {20, 0, 0}});
    const NamedRect below = words_after({{0, 0, 0}, {7, 1, 0}, {11, 1, 1}, {20, 1, 1}});
    EXPECT_LT(above.min.y, below.min.y) << "the line that rises is over already where the words begin";
}

TEST_F(TrainSpace, TheCardOfAStepStandsWhereTheLossesAreNot) {
    ExploreStage stage("llama-2-7b", ImVec2(1280, 720));
    begin(stage, 20);
    const auto card_beside = [&](double loss) {
        TrainSnapshot run = *stage.session.training.shown;
        for (StepFigures& each : run.history) each.loss = loss;
        for (std::shared_ptr<const TrainPoint>& each : run.points) {
            TrainPoint point = *each;
            point.held_out.loss = loss;
            each = std::make_shared<const TrainPoint>(std::move(point));
        }
        stage.session.training.shown = std::make_shared<const TrainSnapshot>(std::move(run));
        stage.frames(2);
        return *stage.screen.recorder.find("train.card");
    };
    const double most = stage.session.training.shown->knows_nothing();
    const NamedRect below = card_beside(0.9 * most), above = card_beside(0.4 * most);
    EXPECT_LT(above.min.y, below.min.y);
    const NamedRect chart = *stage.screen.recorder.find("train.curves");
    for (const NamedRect& card : {above, below}) {
        EXPECT_GE(card.min.y, chart.min.y);
        EXPECT_LE(card.max.y, chart.max.y);
    }
}

TEST_F(TrainSpace, AtTheBeginningTheCardLeavesTheFloorsWordsInSight) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-2-7b", size, dark_theme(), test::scale_for(size));
    begin(stage, 0);
    test::add_tours(stage);
    stage.ask({StartTour{"10-it-knows-nothing"}, Present{true}});
    finish_training(stage.session);
    stage.frames(2);
    const TrainSnapshot& run = *stage.session.training.shown;
    ASSERT_TRUE(run.floor);
    ASSERT_EQ(run.step, 0);
    ASSERT_TRUE(stage.screen.recorder.find("train.card"));
    const NamedRect card = *stage.screen.recorder.find("train.card"),
                    floor = *stage.screen.recorder.find("train.floor");
    EXPECT_TRUE(test::apart(card, floor)) << card.min.x << " to " << card.max.x << ", the words to " << floor.max.x;
}

TEST_F(TrainSpace, InALowChartTheCardLeavesTheNewestPartOfTheCurveInSight) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-2-7b", size, dark_theme(), test::scale_for(size));
    begin(stage, 20);
    test::add_tours(stage);
    stage.ask({StartTour{"10-it-knows-nothing"}, Present{true}});
    finish_training(stage.session);
    for (int i = 0; i < 20; ++i) stage.session.training.runner->step();
    finish_training(stage.session);
    stage.frames(2);
    TrainSnapshot run = *stage.session.training.shown;
    run.floor.reset();
    const double most = run.knows_nothing(), last = 0.5 * most;
    const auto loss_at = [&](double step) { return most + (last - most) * step / static_cast<double>(run.newest()); };
    for (StepFigures& each : run.history) each.loss = loss_at(static_cast<double>(each.step));
    for (std::shared_ptr<const TrainPoint>& each : run.points) {
        TrainPoint point = *each;
        point.held_out.loss = loss_at(static_cast<double>(point.step));
        each = std::make_shared<const TrainPoint>(std::move(point));
    }
    stage.session.training.shown = std::make_shared<const TrainSnapshot>(run);
    stage.frames(2);
    const NamedRect chart = *stage.screen.recorder.find("train.curves"),
                    knob = *stage.screen.recorder.find("train.knob");
    ASSERT_TRUE(stage.screen.recorder.find("train.card"));
    const NamedRect card = *stage.screen.recorder.find("train.card");
    // As the chart is made: words above and below the losses have room.
    const double high = chart.max.y - chart.min.y, words = 18.0 * stage.screen.scale;
    const double share = words / std::max(3 * words, high), room = (most - last) * share / (1 - 2 * share);
    const double from = last - room, to = most + room, end = (knob.min.x + knob.max.x) / 2;
    for (double step = static_cast<double>(run.newest()) / 2; step <= static_cast<double>(run.newest()); step += 0.25) {
        const double x = chart.min.x + (end - chart.min.x) * step / static_cast<double>(run.newest());
        const double y = chart.max.y - (loss_at(step) - from) / (to - from) * high;
        const bool covered = x > card.min.x && x < card.max.x && y > card.min.y && y < card.max.y;
        EXPECT_FALSE(covered) << "step " << step << " at " << x << ", " << y;
    }
}

TEST_F(TrainSpace, ThePlayButtonSaysSpaceOnlyWhereSpacePlays) {
    ExploreStage stage;
    begin(stage, 4);
    stage.ask({Hide{Component::norm}});  // so that there is a veil, through which the test reads
    const auto said = [&] {
        stage.screen.hands.point(stage.screen.middle_of("train.play"));
        stage.frames(120);
        return test::written(stage);
    };
    EXPECT_NE(said().find("Step after step (Space)"), std::string::npos);
    test::add_tours(stage);
    stage.ask({StartTour{"10-it-knows-nothing"}, Present{true}});
    finish_training(stage.session);
    stage.frames(4);
    stage.screen.hands.point({5, 5});
    stage.frames(2);
    const std::string presented = said();
    EXPECT_NE(presented.find("Step after step"), std::string::npos) << presented;
    EXPECT_EQ(presented.find("(Space)"), std::string::npos) << "there it steps the tour";
}

TEST_F(TrainSpace, APressChoosesAHeadAndTheChartLooksBack) {
    ExploreStage stage;
    begin(stage, 30);
    stage.click("train.head.1.2");
    EXPECT_EQ(stage.session.view.train.layer, 1);
    EXPECT_EQ(stage.session.view.train.head, 2);
    stage.click("train.curves");
    ASSERT_TRUE(stage.session.view.train.step);
    finish_training(stage.session);
    stage.frames(2);
    EXPECT_EQ(stage.report()["train"]["step"], *stage.session.view.train.step);
    stage.click("train.newest");
    EXPECT_FALSE(stage.session.view.train.step);
}

TEST_F(TrainSpace, AGradientsCellSaysWhereItComesFrom) {
    ExploreStage stage;
    begin(stage, 4);
    const std::string id =
        stage.session.training.shown->graph->tensors[stage.session.training.shown->matrices[0].tensor].id;
    stage.click("train.gradient." + id);
    finish_training(stage.session);
    stage.frames(3);
    ASSERT_TRUE(stage.session.view.train.cell);
    EXPECT_TRUE(stage.screen.recorder.find("run.card"));
    EXPECT_TRUE(stage.report()["train"]["cell"].is_number());
    EXPECT_TRUE(stage.screen.recorder.find("train.asked"));
    stage.click("run.card.close");
    EXPECT_FALSE(stage.session.view.train.cell);
    stage.frames(2);
    EXPECT_FALSE(stage.screen.recorder.find("train.asked"));
}

TEST_F(TrainSpace, ANewTrainingsEmptyGradientHasNoMark) {
    ExploreStage stage;
    begin(stage, 4);
    const std::string id =
        stage.session.training.shown->graph->tensors[stage.session.training.shown->matrices[0].tensor].id;
    stage.click("train.gradient." + id);
    stage.click("train.keep");
    stage.click("train.task.copy");
    finish_training(stage.session);
    stage.frames(3);
    ASSERT_EQ(stage.session.training.shown->step, 0);
    EXPECT_FALSE(stage.screen.recorder.find("train.asked"));
}

TEST_F(TrainSpace, ATrainingIsKeptBesideTheNext) {
    ExploreStage stage;
    begin(stage, 2);
    stage.click("train.keep");
    finish_training(stage.session);
    stage.frames(4);
    EXPECT_EQ(stage.report()["train"]["beside"]["steps"], 2);
    stage.click("train.let_go");
    EXPECT_TRUE(stage.report()["train"]["beside"].is_null());
}

TEST_F(TrainSpace, ATourSpeaksBelowIt) {
    for (const ImVec2 size : test::window_sizes) {
        ExploreStage stage("llama-2-7b", size);
        begin(stage, 2);
        stage.session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
        headcount::apply(stage.session, Intents{StartTour{"10-it-knows-nothing"}});
        finish_training(stage.session);
        stage.frames(4);
        const NamedRect caption = stage.panel("caption");
        EXPECT_GE(caption.min.y + 1, stage.panel("train_weights").max.y);
        EXPECT_LE(caption.max.y, size.y);
        EXPECT_TRUE(stage.screen.recorder.find("caption.title"));
    }
}

TEST_F(TrainSpace, ATaskIsChosenByPressingIt) {
    ExploreStage stage;
    begin(stage, 0);
    stage.click("train.task.copy");
    EXPECT_EQ(stage.session.view.train.settings.task.kind, TaskKind::copy);
}

TEST_F(TrainSpace, BeforeAClassWithoutRoomTheLossKeepsIts) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-2-7b", size, dark_theme(), test::scale_for(size));
    begin(stage, 4);
    EXPECT_TRUE(stage.screen.recorder.find("train.shares.words"));
    test::add_tours(stage);
    stage.ask({StartTour{"10-it-knows-nothing"}, Present{true}});
    stage.frames(4);
    EXPECT_FALSE(stage.screen.recorder.find("panel.train_weights"));
    EXPECT_FALSE(stage.screen.recorder.find("train.shares.words"));
    const NamedRect curves = stage.panel("train_curves"), heads = stage.panel("train_heads");
    EXPECT_GE(curves.max.y - curves.min.y, 200);
    EXPECT_LE(heads.max.y, stage.panel("caption").min.y);
}

TEST_F(TrainSpace, ToAClassItLearnsFromOnePressToTheNext) {
    ExploreStage stage;
    begin(stage, 4);
    stage.ask({Present{true}});
    EXPECT_FALSE(stage.screen.recorder.find("panel.train_transport"));
    EXPECT_FALSE(stage.screen.recorder.find("train.play"));
    stage.press(ImGuiKey_PageDown);
    EXPECT_TRUE(stage.session.training.plays);
    stage.press(ImGuiKey_PageDown);
    EXPECT_FALSE(stage.session.training.plays);
    finish_training(stage.session);
    stage.frames(2);
    stage.press(ImGuiKey_PageUp);
    EXPECT_TRUE(stage.session.view.train.step) << "back to a step that is kept";
    stage.session.tours = find_tours(HEADCOUNT_ASSETS_DIR "/tours").tours;
    stage.ask({StartTour{"10-it-knows-nothing"}, StepTour{1, true}});
    EXPECT_TRUE(stage.screen.recorder.find("train.play")) << "in a tour the clicker is the tour's";
}

TEST_F(TrainSpace, WhatATourSpeaksOfIsInSightOnAProjector) {
    const ImVec2 size(1280, 720);
    ExploreStage stage("llama-2-7b", size, dark_theme(), test::scale_for(size));
    test::add_tours(stage);
    stage.ask({StartTour{"10-it-knows-nothing"}});
    finish_training(stage.session);
    stage.session.training.runner->step();
    finish_training(stage.session);
    stage.ask({Present{true}});
    const auto in_sight = [&](std::string_view name) {
        const NamedRect* const rect = stage.screen.recorder.find(name);
        return rect && rect->min.y >= 0 && rect->max.y <= stage.panel("caption").min.y;
    };
    const auto go_on_to = [&](std::string_view title) {
        while (stage.session.run && stage.session.run->words.title != title) {
            headcount::apply(stage.session, Intents{StepTour{1, true}});
            finish_training(stage.session);
        }
        stage.frames(4);
    };
    go_on_to("Where a gradient comes from");
    const std::string id =
        stage.session.training.shown->graph->tensors[stage.session.training.shown->matrices[0].tensor].id;
    ASSERT_TRUE(in_sight("train.gradient." + id));
    EXPECT_TRUE(in_sight("train.curves"));
    stage.click("train.gradient." + id);
    finish_training(stage.session);
    stage.frames(3);
    EXPECT_TRUE(in_sight("run.card")) << "and where it comes from";
    EXPECT_FALSE(in_sight("train.open"));
    go_on_to("A model like any");
    EXPECT_TRUE(in_sight("train.open"));
}

}  // namespace
}  // namespace headcount
