// Claims about the panels of experiments: what is pressed is off, chips change and take away, and numbers stand in
// them.
#include <algorithm>

#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

using test::of_run;
using test::set_run;

struct TrialBench : test::Workbench {
    explicit TrialBench(test::DrawPanel draw, ImVec2 window = ImVec2(360, 1600))
        : Workbench(draw, "llama-2-7b", window) {
        test::show_small_run(session);
        set_run(session, [](RunPlace& place) { place.beside = true; });
        settle();
    }
    void settle() {
        finish_run(session);
        frames(3);
    }
    void with(std::string_view off) {
        RunPlace place = session.view.run;
        place.experiments.changes.push_back({*parse_change(Change::Kind::off, off)});
        ask(AtRun{SetRun{std::move(place)}});
        settle();
    }
    const std::vector<RunChange>& changes() const { return session.view.run.experiments.changes; }
};

struct MovedBench : TrialBench {
    MovedBench() : TrialBench(of_run<draw_run_moved>, ImVec2(800, 400)) {}
};

TEST(RunMoved, AHeadThatIsPressedIsOffAndOnAgain) {
    MovedBench bench;
    bench.press("run.part.1.attention.2");
    ASSERT_EQ(bench.changes().size(), 1U);
    EXPECT_EQ(change_text(bench.changes()[0].change), "layer.1.attention.head:2 off");
    EXPECT_TRUE(bench.changes()[0].on);
    EXPECT_EQ(bench.session.view.run.layer, 1) << "its attention is looked at";
    EXPECT_EQ(bench.session.view.run.head, 2);
    bench.frames(60);
    bench.press("run.part.1.attention.2");
    ASSERT_EQ(bench.changes().size(), 1U);
    EXPECT_FALSE(bench.changes()[0].on);
    bench.ask(Undo{});
    EXPECT_TRUE(bench.changes()[0].on);
    bench.ask(Undo{});
    EXPECT_TRUE(bench.changes().empty());
}

TEST(RunMoved, SubBlocksArePressedAsWell) {
    MovedBench bench;
    bench.press("run.part.2.feed_forward");
    bench.press("run.part.0.attention");
    ASSERT_EQ(bench.changes().size(), 2U);
    EXPECT_EQ(change_text(bench.changes()[0].change), "layer.2.feed_forward off");
    EXPECT_EQ(change_text(bench.changes()[1].change), "layer.0.attention off");
}

TEST(RunMoved, ATokenOfTheStreamOffersWhatCanBeMadeOfIt) {
    MovedBench bench;
    bench.press("run.stream.1");
    bench.frames(2);
    ASSERT_TRUE(bench.has("run.change_menu.1"));
    bench.press("run.change_menu.1");
    ASSERT_EQ(bench.changes().size(), 1U);
    EXPECT_EQ(change_text(bench.changes()[0].change), "stream.1@1 × 0.5");
}

TEST(RunChanges, AChipSwitchesAndTakesAway) {
    TrialBench bench(test::draw_run_settings_panel, ImVec2(300, 1800));
    bench.with("layer.1.attention.head:0");
    bench.with("layer.2.feed_forward");
    EXPECT_TRUE(bench.has("run.effect.0")) << "what it does alone";
    EXPECT_TRUE(bench.has("run.effect.1"));
    bench.press("run.change.0.switch");
    EXPECT_FALSE(bench.changes()[0].on);
    EXPECT_TRUE(bench.changes()[1].on);
    bench.press("run.change.0.remove");
    ASSERT_EQ(bench.changes().size(), 1U);
    EXPECT_EQ(change_text(bench.changes()[0].change), "layer.2.feed_forward off");
    bench.press("run.all_off");
    EXPECT_FALSE(bench.changes()[0].on);
}

// Words that a newcomer does not know are explained where they stand.
TEST(RunChanges, WhatLogarithmsMeanIsSaidBesideThePointer) {
    const auto explained = [](TrialBench& bench, std::string_view name) {
        bench.with("layer.1.attention.head:0");
        bench.point_at(name);
        bench.frames(60);
        return bench.screen.memory.tooltip.shown_frame > 0;
    };
    TrialBench effects(test::draw_run_settings_panel, ImVec2(300, 1800));
    EXPECT_TRUE(explained(effects, "run.effect.0")) << "log p, alone";
    MovedBench moved;
    EXPECT_TRUE(explained(moved, "run.moved.nats"));
}

TEST(RunChanges, AnUnfoldedChipIsScaledReplacedAndCopied) {
    TrialBench bench(test::draw_run_settings_panel, ImVec2(300, 1800));
    bench.with("layer.1.attention");
    EXPECT_FALSE(bench.has("run.change.0.kind.1")) << "folded";
    bench.press("run.change.0.title");
    bench.frames(3);
    bench.press("run.change.0.kind.1");
    bench.frames(3);
    EXPECT_EQ(change_text(bench.changes()[0].change), "layer.1.attention × 0.5");
    bench.type("run.number.field", "-2");
    EXPECT_EQ(bench.changes()[0].change.number, -2);
    bench.type("run.number.field", "200");
    EXPECT_EQ(bench.changes()[0].change.number, -2) << "too great";
    bench.press("run.change.0.copy");
    ASSERT_EQ(bench.all<Copy>().size(), 1U);
    EXPECT_TRUE(bench.all<Copy>()[0].text.ends_with(" --scale layer.1.attention=-2")) << bench.all<Copy>()[0].text;
    bench.frames(60);
    bench.press("run.change.0.kind.2");
    bench.frames(3);
    EXPECT_EQ(bench.changes()[0].change.kind, Change::Kind::patch);
    EXPECT_TRUE(bench.has("run.other"));
    EXPECT_EQ(bench.session.view.run.experiments.other, bench.session.view.run.ids) << "until another is typed";
}

TEST(RunChanges, AWeightIsOffScaledOrTyped) {
    TrialBench bench(test::draw_run_settings_panel, ImVec2(300, 1800));
    bench.with("layer.1.attention.query.weight.column:5@2");
    bench.press("run.change.0.title");
    bench.frames(3);
    EXPECT_FALSE(bench.has("run.change.0.kind.3")) << "it has no mean over tokens";
    bench.press("run.change.0.kind.2");
    bench.frames(3);
    bench.type("run.number.field", "20");
    EXPECT_EQ(change_text(bench.changes()[0].change), "layer.1.attention.query.weight.column:5@2 = 20");
    bench.settle();
    EXPECT_TRUE(bench.session.running.trial->effects[0].alone);
    EXPECT_NE(bench.session.running.trial->changed, bench.session.running.trial->of);
}

TEST(RunWeighed, BothRunsSayWhatComesNextAndWhatEachPartMatters) {
    TrialBench bench(of_run<draw_run_weighed>, ImVec2(400, 1200));
    bench.with("layer.2.attention");
    EXPECT_TRUE(bench.has("run.twin.0"));
    ASSERT_TRUE(bench.has("run.rank.layer.1.attention.head:3"));
    bench.press("run.rank.layer.1.attention.head:3");
    ASSERT_EQ(bench.changes().size(), 2U);
    EXPECT_EQ(change_text(bench.changes()[1].change), "layer.1.attention.head:3 off");
    bench.press("run.strongest.0");
    EXPECT_FALSE(bench.changes().empty());
}

TEST(RunWeighed, TheStrongestPartsAreNamedWhole) {
    TrialBench bench(of_run<draw_run_weighed>, ImVec2(312, 1200));
    bench.with("layer.2.attention");
    for (int i = 0; i < 5; ++i) {
        const std::string name = "run.strongest." + std::to_string(i);
        ASSERT_TRUE(bench.has(name + ".title"));
        EXPECT_LE(bench.screen.recorder.find(name + ".title")->max.x, 312 - 16 - 72 - 50) << "before its figures";
    }
}

TEST(RunBeside, DrawsTheSameHeadOfBothRuns) {
    TrialBench bench(of_run<draw_run_beside>, ImVec2(900, 500));
    bench.with("layer.1.attention.head:0");
    EXPECT_TRUE(bench.has("run.attention.as_it_is"));
    EXPECT_TRUE(bench.has("run.attention.changed"));
}

TEST(RunBeside, BothMapsGrowWithTheirWindow) {
    float before = 0;
    for (const float height : {200.0F, 230.0F, 400.0F}) {
        TrialBench bench(of_run<draw_run_beside>, ImVec2(1400, height));
        const NamedRect one = *bench.screen.recorder.find("run.attention.as_it_is"),
                        other = *bench.screen.recorder.find("run.attention.changed");
        EXPECT_GT(one.max.y - one.min.y, before);
        EXPECT_EQ(other.max.y - other.min.y, one.max.y - one.min.y);
        EXPECT_LE(one.max.y, height);
        before = one.max.y - one.min.y;
    }
}

TEST(RunBeside, ALongTextHasWordsAtEveryFewRowsAndColumns) {
    TrialBench bench(of_run<draw_run_beside>, ImVec2(700, 270));
    set_run(bench.session, [](RunPlace& place) { place.ids = "1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2"; });
    bench.settle();
    const NamedRect* before = nullptr;
    int named = 0;
    for (int i = 0; i < 20; ++i) {
        const NamedRect* const row = bench.screen.recorder.find("run.row." + std::to_string(i));
        if (!row) continue;
        ++named;
        if (before) {
            EXPECT_GE(row->min.y, before->max.y - 1) << i;
        }
        before = row;
    }
    EXPECT_GE(named, 5);
    EXPECT_LT(named, 20) << "there is no room for every one";
    EXPECT_TRUE(bench.has("run.row.19")) << "the one that is looked at";
}

TEST(RunBeside, APromptOfAnotherLengthHasItsOwnRows) {
    for (const std::string other : {"1,2,3,4,5,6,7,8", "4,5"}) {
        TrialBench bench(of_run<draw_run_beside>, ImVec2(900, 500));
        RunPlace place = bench.session.view.run;
        place.ids = "1,2,3,4,5";
        place.experiments = {.other = other, .reads_other = true};
        bench.ask(AtRun{SetRun{place}});
        bench.settle();
        const RunTrial& trial = *bench.session.running.trial;
        ASSERT_NE(trial.changed->tokens.size(), trial.of->tokens.size());
        const auto last =
            static_cast<std::int64_t>(std::max(trial.changed->tokens.size(), trial.of->tokens.size())) - 1;
        EXPECT_TRUE(bench.has("run.row." + std::to_string(last)));
        EXPECT_EQ(trial.changed_position + 1, std::ssize(trial.changed->tokens)) << "the last of both is looked at";
        bench.press("run.attention.changed");
        ASSERT_TRUE(bench.session.view.run.position);
        EXPECT_LT(*bench.session.view.run.position, std::ssize(trial.of->tokens));
    }
}

TEST(RunMoved, ALongTextHasItsWordsToo) {
    TrialBench bench(of_run<draw_run_moved>, ImVec2(480, 400));
    set_run(bench.session, [](RunPlace& place) { place.ids = "1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2"; });
    bench.settle();
    EXPECT_TRUE(bench.has("run.moved.word.0"));
    EXPECT_TRUE(bench.has("run.moved.word.19")) << "the one that is looked at";
    EXPECT_FALSE(bench.has("run.moved.word.1")) << "there is no room for every one";
}

TEST(RunTransport, ChangesAreLookedAtWhereTheyAreAskedFor) {
    TrialBench bench(of_run<draw_run_transport>, ImVec2(900, 48));
    bench.press("run.beside");
    EXPECT_FALSE(bench.session.view.run.beside);
    bench.frames(60);
    bench.press("run.beside");
    EXPECT_TRUE(bench.session.view.run.beside);
}

TEST(RunTransport, SaysThatAChangeIsOnWhereItIsNotSeen) {
    const auto width = [](bool changed) {
        TrialBench bench(of_run<draw_run_transport>, ImVec2(640, 48));
        if (changed) bench.with("layer.1.attention.head:0");
        bench.session.view.run.beside = false;
        bench.frames(3);
        const NamedRect& button = *bench.screen.recorder.find("run.beside");
        return button.max.x - button.min.x;
    };
    EXPECT_GT(width(true), width(false) + 30) << "its word has room whatever else has none";
}

}  // namespace
}  // namespace headcount
