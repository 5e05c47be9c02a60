// Claims about the panels of the Run view: each draws what a run has, and asks for what is pressed.
#include "app/diagram/run_heat.hpp"
#include "app/state/in_view.hpp"
#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

using test::make_tokens;
using test::of_run;
using test::set_run;
using test::Workbench;

struct RunBench : Workbench {
    explicit RunBench(test::DrawPanel draw, ImVec2 window = ImVec2(360, 1600)) : Workbench(draw, "llama-2-7b", window) {
        test::show_small_run(session);
        finish_run(session);
        frames(3);
    }
    const RunPlace& place() const { return session.view.run; }
};

TEST(RunSettings, ThePromptIsTypedTokenByTokenWhereThereIsNoTokenizer) {
    RunBench bench(test::draw_run_settings_panel, ImVec2(300, 1600));
    bench.press("run.prompt");
    bench.screen.hands.text(", 7");
    bench.frames(3);
    EXPECT_NE(bench.place().ids.find(", 7"), std::string::npos) << bench.place().ids;
    finish_run(bench.session);
    EXPECT_EQ(bench.session.running.shown->tokens.size(), 4U);
}

TEST(RunSettings, SlidersAndTypedValuesShapeTheSampling) {
    RunBench bench(test::draw_run_settings_panel, ImVec2(300, 1600));
    bench.type("run.temperature.field", "1.25");
    EXPECT_DOUBLE_EQ(bench.place().sampling.temperature, 1.25);
    bench.type("run.temperature.field", "hot");
    EXPECT_DOUBLE_EQ(bench.place().sampling.temperature, 1.25);
    EXPECT_TRUE(bench.has("run.temperature.error"));
    bench.type("run.temperature.field", "0.5");
    EXPECT_DOUBLE_EQ(bench.place().sampling.temperature, 0.5);
    EXPECT_FALSE(bench.has("run.temperature.error"));
    bench.drag("run.top_p.knob", -60);
    EXPECT_LT(bench.place().sampling.top_p, 0.95);
    bench.type("run.top_k.field", "5");
    EXPECT_EQ(bench.place().sampling.top_k, 5);
    const std::uint64_t seed = bench.place().sampling.seed;
    bench.press("run.dice");
    EXPECT_NE(bench.place().sampling.seed, seed);
    bench.type("run.seed.field", "7");
    EXPECT_EQ(bench.place().sampling.seed, 7U);
    bench.press("run.greedy.toggle");
    EXPECT_TRUE(bench.place().sampling.greedy);
}

TEST(RunSettings, WeightsThatWereOpenBeforeRunAfterOnePress) {
    RunBench bench(test::draw_run_settings_panel, ImVec2(300, 1600));
    const std::string path = HEADCOUNT_ASSETS_DIR "/models/tiny-stories";
    bench.session.view.recent = {path};
    bench.frames(2);
    bench.press("run.source");
    bench.press("run.source." + std::to_string(run_source_keys.size()));
    EXPECT_EQ(bench.session.document.file, path);
    EXPECT_EQ(bench.place().source, RunSource::file);
}

TEST(RunSettings, ShapesCameOutAsPredicted) {
    RunBench bench(test::draw_run_settings_panel, ImVec2(300, 1800));
    EXPECT_TRUE(bench.has("run.cost.memory"));
    EXPECT_TRUE(bench.has("run.cost.measured"));
    const RunValues& values = *bench.session.running.shown->values;
    const Bindings numbers = bindings(values.model().architecture, Input{.tokens = values.tokens()});
    std::size_t compared = 0;
    for (const Node& node : values.model().graph.nodes) {
        const MatrixView real = values.activation(node.output, 0, 0);
        const Shape& shape = values.model().graph.tensors[node.output].shape;
        if (!real || shape.rank() != 2) continue;
        ++compared;
        EXPECT_EQ(shape_in_numbers(shape, numbers), std::to_string(real.rows) + " × " + std::to_string(real.columns));
    }
    EXPECT_GT(compared, 8U);
}

TEST(RunTransport, PlaysStepsAndGoesBack) {
    RunBench bench(of_run<draw_run_transport>, ImVec2(900, 48));
    bench.press("run.step");
    finish_run(bench.session);
    EXPECT_EQ(bench.session.running.shown->generated, 1);
    bench.press("run.speed.3");
    EXPECT_EQ(bench.place().speed, RunSpeed::most);
    bench.press("run.play");
    finish_run(bench.session);
    bench.frames(2);
    EXPECT_TRUE(bench.session.running.shown->over);
    EXPECT_TRUE(bench.has("run.remark." + bench.session.running.shown->why_over)) << "it says why nothing follows";
    bench.press("run.restart");
    finish_run(bench.session);
    EXPECT_EQ(bench.session.running.shown->generated, 0);
}

TEST(RunTransport, AStepBackUndoesAStep) {
    RunBench bench(of_run<draw_run_transport>, ImVec2(900, 48));
    const auto shown = [&]() -> const RunSnapshot& { return *bench.session.running.shown; };
    const auto press = [&](const char* name) {
        bench.press(name);
        finish_run(bench.session);
        bench.frames(2);
    };
    std::vector<std::vector<std::int64_t>> forth;  // how many tokens and layers are shown, and what the tokens are
    const auto state = [&] {
        std::vector<std::int64_t> now{shown().layers_shown, shown().generated};
        for (const RunToken& token : shown().tokens) now.push_back(token.id);
        return now;
    };
    constexpr int steps = 7;  // beyond the first token
    for (int i = 0; i < steps; ++i) {
        forth.push_back(state());
        press("run.step");
    }
    EXPECT_EQ(shown().generated, 2);
    const std::vector<float> before = shown().logits;
    press("run.back");
    press("run.step");
    EXPECT_EQ(shown().logits, before);
    for (int i = steps; i-- > 0;) {
        press("run.back");
        EXPECT_EQ(state(), forth[static_cast<std::size_t>(i)]) << i;
    }
    press("run.back");
    EXPECT_EQ(state(), forth.front()) << "before the prompt there is nothing";
    set_run(bench.session, [](RunPlace& place) { place.speed = RunSpeed::most; });
    press("run.step");
    press("run.step");
    EXPECT_EQ(shown().generated, 2);
    press("run.back");
    EXPECT_EQ(shown().generated, 1) << "a whole token, as a step is one";
    EXPECT_TRUE(shown().whole());
}

TEST(RunTokens, AChipChoosesItsPosition) {
    RunBench bench(of_run<draw_run_tokens>, ImVec2(900, 72));
    EXPECT_TRUE(bench.has("run.token.2"));
    EXPECT_TRUE(bench.has("run.coming"));
    bench.press("run.token.1");
    EXPECT_EQ(bench.place().position, 1);
    bench.press("run.token.2");
    EXPECT_EQ(bench.place().position, std::nullopt) << "the last one goes on with the run";
}

TEST(RunTokens, NothingIsSaidToComeBehindAnEarlierToken) {
    RunBench bench(of_run<draw_run_tokens>, ImVec2(900, 72));
    set_run(bench.session, [](RunPlace& place) { place.position = 1; });
    finish_run(bench.session);
    bench.frames(2);
    EXPECT_FALSE(bench.has("run.coming")) << "what follows it stands there already";
}

TEST(RunTokens, ALongRowScrollsToWhatIsChosen) {
    RunBench bench(of_run<draw_run_tokens>, ImVec2(300, 72));
    make_tokens(bench.session, 18);
    bench.frames(6);
    const NamedRect* const last = bench.screen.recorder.find("run.token.20");
    ASSERT_TRUE(last);
    EXPECT_LE(last->max.x, 300);
    const NamedRect* const coming = bench.screen.recorder.find("run.coming");
    ASSERT_TRUE(coming);
    EXPECT_LE(coming->max.x, 300) << "what comes next is seen whole";
}

TEST(RunTokens, TheNewestIsInSightInTheFrameThatFirstDrawsIt) {
    RunBench bench(of_run<draw_run_tokens>, ImVec2(300, 72));
    int newest = 2;
    for (int time = 0; time < 4; ++time) {
        newest += 4;
        make_tokens(bench.session, 4);
        bench.frame();
        const NamedRect* const chip = bench.screen.recorder.find("run.token." + std::to_string(newest));
        ASSERT_TRUE(chip) << newest;
        EXPECT_GE(chip->min.x, 0) << newest;
        EXPECT_LE(chip->max.x, 300) << newest;
        const float x = chip->min.x;
        bench.frames(3);
        EXPECT_EQ(bench.screen.recorder.find("run.token." + std::to_string(newest))->min.x, x) << "and stays there";
    }
}

TEST(RunAnswers, BarsAreOfTheCandidatesAndSayWhatIsCut) {
    RunBench bench(of_run<draw_run_answers>);
    set_run(bench.session, [](RunPlace& place) { place.sampling.top_k = 3; });
    finish_run(bench.session);
    bench.frames(2);
    for (const char* name : {"run.next.0", "run.next.3", "run.attention", "run.cache"})
        EXPECT_TRUE(bench.has(name)) << name;
    for (int stage = 0; stage < 4; ++stage) {
        bench.press("run.stage." + std::to_string(stage));
        bench.frames(2);
        EXPECT_TRUE(bench.has("run.next.0"));
    }
}

TEST(RunAnswers, BarsAreEmptyUntilWhatIsWatchedIsDone) {
    RunBench bench(of_run<draw_run_answers>, ImVec2(360, 1600));
    ASSERT_TRUE(bench.has("run.next.0"));
    bench.session.running.watch = RunWatch{.step = 2};
    bench.frames(3);
    EXPECT_FALSE(bench.has("run.next.0"));
    EXPECT_TRUE(bench.has("run.next.track.0"));
    bench.session.running.watch.reset();
    bench.frames(3);
    EXPECT_TRUE(bench.has("run.next.0"));
}

TEST(RunAnswers, TheTokenThatIsDrawnIsAmongTheBars) {
    RunBench bench(of_run<draw_run_answers>);
    for (int seed = 0; seed < 40; ++seed) {
        RunPlace place = bench.place();
        place.sampling = {.temperature = 2, .top_k = 0, .top_p = 1, .seed = static_cast<std::uint64_t>(seed)};
        headcount::apply(bench.session, Intents{AtRun{SetRun{place}}});
        finish_run(bench.session);
        bench.frames(2);
        const RunNext& next = *bench.session.running.next;
        std::size_t at = 0;
        while (next.distribution.candidates[at].id != next.pick) ++at;
        EXPECT_TRUE(bench.has("run.next." + std::to_string(at))) << at;
    }
}

TEST(RunAnswers, APressOnARowOfTheTriangleChoosesItsToken) {
    RunBench bench(of_run<draw_run_answers>);
    const NamedRect* const grid = bench.screen.recorder.find("run.attention");
    ASSERT_TRUE(grid);
    bench.screen.hands.point(ImVec2(grid->min.x + 4, grid->min.y + 4));
    bench.frame();
    bench.screen.hands.button(true);
    bench.frame();
    bench.screen.hands.button(false);
    bench.frames(2);
    EXPECT_EQ(bench.place().position, 0);
}

TEST(RunLayers, AThumbnailChoosesItsHeadAndTabsShowTheRest) {
    RunBench bench(of_run<draw_run_layers>, ImVec2(900, 132));
    bench.press("run.thumb.2.3");
    EXPECT_EQ(bench.place().layer, 2);
    EXPECT_EQ(bench.place().head, 3);
    bench.press("run.tabs.1");
    EXPECT_EQ(bench.place().tab, RunTab::norms);
    finish_run(bench.session);
    bench.frames(2);
    EXPECT_TRUE(bench.has("run.norm.3"));
    bench.press("run.tabs.2");
    finish_run(bench.session);
    bench.frames(2);
    EXPECT_TRUE(bench.has("run.lens.3"));
}

struct HybridBench : Workbench {
    explicit HybridBench(test::DrawPanel draw, ImVec2 window) : Workbench(draw, "llama-2-7b", window) {
        Document document = session.document;
        document.architecture.layer.recurrence = test::states_in_two_of_three();
        headcount::apply(session, Intents{Replace{document}});
        test::show_small_run(session);
        finish_run(session);
        frames(3);
    }
};

TEST(RunLayers, OfAHybridOnlyThoseWithAttentionHaveThumbnails) {
    HybridBench bench(of_run<draw_run_layers>, ImVec2(900, 132));
    EXPECT_FALSE(bench.has("run.thumb.0.0"));
    EXPECT_TRUE(bench.has("run.thumb.1.0"));
    EXPECT_FALSE(bench.has("run.thumb.1.4"));
    EXPECT_FALSE(bench.has("run.thumb.2.0"));
    bench.press("run.thumb.1.3");
    EXPECT_EQ(bench.session.view.run.layer, 1);
    EXPECT_EQ(bench.session.view.run.head, 3);
}

TEST(RunPanels, AHeadIsOneOfItsOwnLayer) {
    HybridBench bench(of_run<draw_run_layers>, ImVec2(900, 132));
    const auto sixth_head_in = [&](std::int64_t layer) {
        RunPlace place = bench.session.view.run;
        place.layer = layer;
        place.head = 5;
        std::int64_t head = 0;
        bench.screen.frame([&](const Ui& ui) { head = RunPanel{ui, bench.session.running, place}.head(); });
        return head;
    };
    EXPECT_EQ(sixth_head_in(0), 5);
    EXPECT_EQ(sixth_head_in(1), 3);
}

TEST(RunPanels, StatesAreInTheDiagramOfTheirLayer) {
    HybridBench bench(test::draw_shown, ImVec2(900, 700));
    set_run(bench.session, [](RunPlace& place) { place.layer = 0; });
    bench.frames(3);
    for (const Tensor& tensor : bench.session.running.shown->values->model().graph.tensors) {
        if (tensor.role != Role::state) continue;
        bench.ask(GoTo{{tensor.id, 0, {}}});
        bench.frames(60);
        EXPECT_TRUE(bench.has("canvas." + tensor.id)) << tensor.id;
    }
}

TEST(RunPanels, DrawWithoutARun) {
    for (const test::DrawPanel draw :
         {test::DrawPanel(test::draw_run_settings_panel), test::DrawPanel(of_run<draw_run_transport>),
          test::DrawPanel(of_run<draw_run_tokens>), test::DrawPanel(of_run<draw_run_answers>),
          test::DrawPanel(of_run<draw_run_layers>), test::DrawPanel(of_run<draw_run_empty>),
          test::DrawPanel(test::draw_shown)}) {
        Workbench bench(draw);
        bench.frames(2);
        EXPECT_TRUE(bench.intents.empty());
    }
}

TEST(RunHeat, TellsNegativeZeroAndPositiveApart) {
    for (const Theme& theme : {dark_theme(), light_theme()}) {
        const ImU32 zero = heat_of(theme, theme.query, 0, 1);
        const ImU32 more = heat_of(theme, theme.query, 1, 1), less = heat_of(theme, theme.query, -1, 1);
        EXPECT_EQ(more, theme.query);
        EXPECT_NE(less, more);
        EXPECT_NE(less, zero);
        EXPECT_EQ(heat_of(theme, theme.query, 5, 0), zero) << "there is no scale";
        EXPECT_EQ(heat_of(theme, theme.query, std::numeric_limits<float>::quiet_NaN(), 1), theme.wrong);
        EXPECT_GT(contrast(attention_heat(theme, 1), theme.canvas),
                  contrast(attention_heat(theme, 0.1F), theme.canvas));
    }
}

}  // namespace
}  // namespace headcount
