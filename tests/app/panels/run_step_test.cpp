// Claims about a run that goes step by step: each press of Step does what the view says, nothing shows what the step
// has not come to, and a token's chip lights what is that token's.
#include "app/panels/canvas_numbers.hpp"
#include "app/panels/run_look.hpp"
#include "app/panels/run_matrices.hpp"
#include "tests/app/panels/workbench.hpp"
#include "tests/support/small_run.hpp"

namespace headcount {
namespace {

using test::set_run;

Intents draw_step_matrices(const Ui& ui, const Session& session) {
    return draw_run_matrices(ui, session);
}

// Of a model with three layers, whose prompt has three tokens.
struct StepBench : test::Workbench {
    explicit StepBench(test::DrawPanel draw, ImVec2 window) : Workbench(draw, "llama-2-7b", window) {
        test::show_small_run(session);
        rest();
    }
    void rest() {
        finish_run(session);
        frames(3);
    }
    void step() {
        headcount::apply(session, Intents{AtRun{StepRun{}}});
        rest();
    }
    std::vector<std::string> names(std::string_view begin) const {
        std::vector<std::string> found;
        for (const NamedRect& each : screen.recorder.all())
            if (each.name.starts_with(begin)) found.emplace_back(each.name.substr(begin.size()));
        return found;
    }
};

using Names = std::vector<std::string>;

TEST(RunStep, EveryPressDoesOneThingThatTheBarNames) {
    StepBench bench(draw_run_transport, ImVec2(702, 48));  // as wide as in a window of 1280
    EXPECT_EQ(bench.names("run.stage_now."), Names{});
    for (const int token : {3, 4}) {
        const std::string newest = "token " + std::to_string(token);
        const std::string before = step_words(bench.session);
        EXPECT_TRUE(before.starts_with("Next: embeds \xE2\x80\x9C")) << before;
        for (const char* what : {"embedded", "layer 0", "layer 1", "layer 2", "output head"}) {
            const std::string announced = step_words(bench.session);
            bench.step();
            EXPECT_EQ(bench.names("run.stage_now."), Names{newest + ": " + what});
            if (std::string_view(what) != "embedded") {
                EXPECT_NE(announced.find(what), std::string::npos) << announced;
            }
        }
        EXPECT_TRUE(bench.session.running.shown->whole());
    }
    test::make_tokens(bench.session, 1);
    bench.rest();
    EXPECT_EQ(step_words(bench.session).find("embeds"), std::string::npos) << "at max a press makes a whole token";
    EXPECT_EQ(bench.names("run.stage_now."), Names{});
    test::make_tokens(bench.session, 30);
    EXPECT_TRUE(step_words(bench.session).starts_with("Nothing follows")) << step_words(bench.session);
}

TEST(RunStep, LayersThatTheStepHasNotComeToAreEmpty) {
    StepBench bench(draw_run_layers, ImVec2(900, 132));
    bench.step();
    for (const RunTab tab : {RunTab::norms, RunTab::lens}) {
        set_run(bench.session, [](RunPlace& place) { place.tab = RunTab::norms; });
        if (tab == RunTab::lens) set_run(bench.session, [](RunPlace& place) { place.tab = RunTab::lens; });
        bench.rest();
        EXPECT_EQ(bench.names("run.not_yet."), (Names{"1", "2", "3"})) << "behind so many layers";
    }
    bench.step();
    EXPECT_EQ(bench.names("run.not_yet."), (Names{"2", "3"}));
    set_run(bench.session, [](RunPlace& place) { place.position = 1; });
    bench.rest();
    EXPECT_EQ(bench.names("run.not_yet."), Names{}) << "an earlier token has passed all layers";
    set_run(bench.session, [](RunPlace& place) { place.position.reset(); });
    for (int i = 0; i < 2; ++i) bench.step();
    EXPECT_EQ(bench.names("run.not_yet."), Names{});
}

TEST(RunStep, TheNewestTokenLooksAtNothingBeforeItsLayerIsThere) {
    StepBench bench(draw_run_answers, ImVec2(360, 1600));
    bench.step();
    const RunSnapshot* run = bench.session.running.shown.get();
    for (std::int64_t layer = 0; layer < 3; ++layer) EXPECT_EQ(rows_there(*run, layer), 3);
    EXPECT_FALSE(bench.has("run.looks_at"));
    bench.step();
    run = bench.session.running.shown.get();
    EXPECT_EQ(rows_there(*run, 0), 4);
    EXPECT_EQ(rows_there(*run, 1), 3);
    EXPECT_TRUE(bench.has("run.looks_at"));
}

TEST(RunStep, TheDiagramHasNoNumbersOfWhatIsToCome) {
    StepBench bench(draw_step_matrices, ImVec2(940, 730));
    const auto rows = [&](const char* id) {
        const std::optional<CellNumbers> numbers = numbers_of_run(bench.session, "layer")(id, 0);
        return numbers ? numbers->rows : -1;
    };
    const std::int64_t weights = rows("layer.attention.query.weight");
    EXPECT_EQ(rows("layer.attention.queries"), 3);
    bench.step();
    EXPECT_EQ(rows("embedded"), 4);
    EXPECT_EQ(rows("layer.attention.queries"), 3) << "of the first layer, which is to come";
    bench.step();
    EXPECT_EQ(rows("layer.attention.queries"), 4);
    EXPECT_EQ(rows("logits"), 3);
    EXPECT_EQ(rows("layer.attention.query.weight"), weights);
}

TEST(RunStep, ARowThatIsToComeSaysNoNumber) {
    StepBench bench(draw_step_matrices, ImVec2(940, 730));
    bench.step();
    const char* const hidden = "run.to_come.layer.attention.queries";
    ASSERT_TRUE(bench.has(hidden));
    bench.point_at(hidden);
    bench.frames(2);
    EXPECT_FALSE(bench.has("run.card"));
    bench.press(hidden);
    bench.frames(2);
    EXPECT_FALSE(bench.has("run.card")) << "it is pinned, and not there";
    bench.step();
    EXPECT_FALSE(bench.has(hidden));
    EXPECT_TRUE(bench.has("run.card")) << "now it is";
}

TEST(RunStep, TheSentenceThatARunWasPausedFitsWhereItStands) {
    StepBench bench(draw_run_transport, ImVec2(702, 48));
    set_run(bench.session, [](RunPlace& place) { place.speed = RunSpeed::half; });
    headcount::apply(bench.session, Intents{AtRun{PlayRun{}}, ShowWorkspace{Workspace::explore}});
    headcount::apply(bench.session, Intents{ShowWorkspace{Workspace::run}});
    bench.rest();
    EXPECT_TRUE(bench.session.running.shown->rested);
    EXPECT_TRUE(bench.has("run.remark"));
}

// A chip is pointed at elsewhere.
Intents draw_with_chip(const Ui& ui, const Session& session) {
    pointed_in_run(ui).chip = 1;
    return draw_run_matrices(ui, session);
}

Intents draw_answers_with_chip(const Ui& ui, const Session& session) {
    pointed_in_run(ui).chip = 1;
    return draw_run_answers(ui, session);
}

TEST(RunChip, LightsItsTokensRowsAndTheColumnOfThoseWhoLookAtIt) {
    StepBench bench(draw_with_chip, ImVec2(940, 1600));
    for (const char* id : {"norm", "queries", "keys", "values", "head.queries", "head.keys", "head.output"}) {
        const std::string name = "layer.attention." + std::string(id);
        ASSERT_TRUE(bench.has("run.lit." + name)) << id;
        const NamedRect &lit = *bench.screen.recorder.find("run.lit." + name),
                        &all = *bench.screen.recorder.find("run.matrix." + name);
        EXPECT_LT(lit.min.x, all.max.x);
        EXPECT_LT(lit.min.y, all.max.y);
    }
    EXPECT_EQ(bench.names("run.lit.layer.attention.head.weights").size(), 2U) << "its row and its column";
    EXPECT_EQ(bench.names("run.lit.layer.attention.query.weight").size(), 0U) << "a weight is no token's";
}

TEST(RunChip, LightsTheColumnOfTheAttentionMapToo) {
    StepBench plain(draw_run_answers, ImVec2(360, 1600));
    EXPECT_FALSE(plain.has("run.attention.column"));
    StepBench bench(draw_answers_with_chip, ImVec2(360, 1600));
    ASSERT_TRUE(bench.has("run.attention.column"));
    const NamedRect &lit = *bench.screen.recorder.find("run.attention.column"),
                    &all = *bench.screen.recorder.find("run.attention");
    EXPECT_GT(lit.min.x, all.min.x) << "the second token's";
    EXPECT_NEAR(lit.max.y, all.max.y, 4) << "down to the last that looks at it";
}

TEST(RunChip, TellsTheOtherPanelsWhileThePointerIsOnIt) {
    static std::optional<std::int64_t> said;
    const auto draw = [](const Ui& ui, const Session& session) {
        Intents intents = draw_run_tokens(ui, session);
        said = pointed_in_run(ui).chip;
        return intents;
    };
    StepBench bench(draw, ImVec2(900, 72));
    EXPECT_FALSE(said);
    bench.point_at("run.token.1");
    bench.frames(2);
    EXPECT_EQ(said, 1);
    bench.point_at("run.coming");
    bench.frames(2);
    EXPECT_FALSE(said);
}

}  // namespace
}  // namespace headcount
