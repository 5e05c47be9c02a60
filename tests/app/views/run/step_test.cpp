// Claims about a run that goes step by step: each press of Step does what the view says, nothing shows what the step
// has not come to, and a token's chip lights what is that token's.
#include "app/diagram/panels.hpp"
#include "app/views/run/card.hpp"
#include "app/views/run/cells.hpp"
#include "core/tokenizer/tokenizer.hpp"
#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

using test::draw_shown;
using test::of_run;
using test::set_run;
using test::words_of_step;

// Of a model with three layers, whose prompt has three tokens; a token may see a few of the last ones only.
struct StepBench : test::Workbench {
    explicit StepBench(test::DrawPanel draw, ImVec2 window, const char* seen = nullptr)
        : Workbench(draw, seen ? "ministral-8b" : "llama-2-7b", window) {
        if (seen) {
            Document document = session.document;
            document.architecture = *with_field(document.architecture, Field::window, seen);
            headcount::apply(session, Intents{Replace{document}});
        }
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
    void go_to_matrix(const std::string& id) {
        headcount::apply(session, Intents{GoTo{{id, 0, {}}}});
        screen.hands.point({2, 2});  // a pointer that comes out of nowhere has not moved
        frames(60);
    }
    // The last row of a matrix in the diagram, or one above.
    void point_at_row(const std::string& id, float from_last, float rows) {
        const NamedRect* const all = screen.recorder.find("canvas." + id);
        ASSERT_TRUE(all) << id;
        const float share = 1 - (from_last + 0.5F) / rows;
        screen.hands.point({(all->min.x + all->max.x) / 2, all->min.y + share * (all->max.y - all->min.y)});
        frames(3);
    }
    void click() {
        for (const bool down : {true, false}) {
            screen.hands.button(down);
            frames(2);
        }
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
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));  // as wide as in a window of 1280
    EXPECT_EQ(bench.names("run.stage_now."), Names{});
    for (const int token : {3, 4}) {
        const std::string newest = "token " + std::to_string(token);
        const std::string before = words_of_step(bench.session);
        EXPECT_TRUE(before.starts_with("Next: embeds \xE2\x80\x9C")) << before;
        for (const char* what : {"embedded", "layer 0", "layer 1", "layer 2", "output head"}) {
            const std::string announced = words_of_step(bench.session);
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
    EXPECT_EQ(words_of_step(bench.session).find("embeds"), std::string::npos) << "at max a press makes a whole token";
    EXPECT_EQ(bench.names("run.stage_now."), Names{});
    test::make_tokens(bench.session, 30);
    EXPECT_TRUE(words_of_step(bench.session).starts_with("Nothing follows")) << words_of_step(bench.session);
}

TEST(RunStep, AChangeThatIsNotSeenIsSaidBesideWhatTheLastStepWas) {
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));
    set_run(bench.session, [](RunPlace& place) {
        place.experiments.changes.push_back({.change = *parse_change(Change::Kind::off, "layer.1.attention.head:0")});
    });
    for (int step = 0; step < 5; ++step) {
        bench.step();
        EXPECT_FALSE(bench.names("run.stage_now.").empty());
        const NamedRect* const button = bench.screen.recorder.find("run.beside");
        ASSERT_TRUE(button) << step;
        EXPECT_GT(button->max.x - button->min.x, 60) << "no icon alone";
    }
}

TEST(RunStep, TheBarNamesWhatAPressDoesAtThisSpeed) {
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));
    auto stale = std::make_shared<RunSnapshot>(*bench.session.running.shown);
    stale->stale = true;  // another prompt was typed
    bench.session.running.shown = stale;
    EXPECT_NE(words_of_step(bench.session).find("embeds"), std::string::npos) << words_of_step(bench.session);
    bench.session.view.run.speed = RunSpeed::most;
    EXPECT_EQ(words_of_step(bench.session).find("embeds"), std::string::npos) << words_of_step(bench.session);
}

TEST(RunStep, TheLastTokensHeadDrawsNothing) {
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));
    const std::int64_t room = bench.session.running.shown->of->options.capacity;
    test::make_tokens(bench.session, static_cast<int>(room) - 4);
    set_run(bench.session, [](RunPlace& place) { place.speed = RunSpeed::one; });
    for (int i = 0; i < 4; ++i) bench.step();
    ASSERT_EQ(bench.session.running.shown->layers_shown, 3);
    ASSERT_TRUE(bench.session.running.shown->over);
    EXPECT_NE(words_of_step(bench.session).find("output head"), std::string::npos);
    EXPECT_EQ(words_of_step(bench.session).find("draws"), std::string::npos) << words_of_step(bench.session);
}

// As those of a gradient have, which are of a token of a line.
TEST(RunCard, WhatATermComesToStandsBelowFactorsThatLeaveNoRoom) {
    static std::vector<CardLine> lines;
    static float room;
    const auto draw = [](const Ui& ui, const Session& session) {
        const RunSnapshot& run = *session.running.shown;
        const TensorIndex queries = cell_of(run.values->model().graph, {"layer.attention.queries"})->tensor;
        Result<Explanation> made = explain(numbers_of(*run.values), {queries, 1, 0, 1, 5});
        for (Term& term : made->terms) term.name = "a token of line 128";
        lines = CardLines(ui, RunCard{run.values->model().graph, *made, "", ""}).lines;
        room = ui.px(run_card_width - 2 * card_padding);
        std::erase_if(lines,
                      [](const CardLine& line) { return line.pieces.empty() || line.pieces.front().text.empty(); });
        return of_run<draw_run_transport>(ui, session);
    };
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));
    bench.screen.frame([&](const Ui& ui) { draw(ui, bench.session); });
    ASSERT_EQ(lines.size(), most_card_terms);
    for (const CardLine& line : lines) {
        EXPECT_TRUE(line.value.empty()) << line.value;
        EXPECT_LE(line.pieces.back().x + line.pieces.back().width, room);
    }
}

// Its words are one line, and what they come to stands in it or below.
TEST(RunCard, AStepBehindTheSumIsNoLineAroundItsResult) {
    static std::vector<CardLine> lines;
    static float room;
    const auto draw = [](const Ui& ui, const Session& session) {
        const RunSnapshot& run = *session.running.shown;
        const RunValues& values = *run.values;
        const Result<Explanation> made = explain(numbers_of(values), {*values.attention_tensor(1), 1, 0, 2, 2});
        lines = CardLines(ui, RunCard{values.model().graph, *made, "", ""}).lines;
        room = ui.px(run_card_width - 2 * card_padding);
        return of_run<draw_run_transport>(ui, session);
    };
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));
    bench.screen.frame([&](const Ui& ui) { draw(ui, bench.session); });
    const auto step = std::ranges::find_if(
        lines, [](const CardLine& line) { return line.text.find("over the sum") != std::string::npos; });
    ASSERT_NE(step, lines.end());
    EXPECT_LE(step->pieces.back().width, room) << "what is underlined is as wide as its words";
    const auto words = bench.screen.ui().fonts.table.size;
    EXPECT_TRUE(step->height <= 1.6F * words || step->value.empty()) << "of two lines it stands below";
    ASSERT_TRUE(!step->value.empty() || (step + 1 != lines.end() && !(step + 1)->value.empty()));
}

TEST(RunStep, ATokenIsNoFormula) {
    static std::string said;
    const auto draw = [](const Ui& ui, const Session& session) {
        const RunSnapshot& run = *session.running.shown;
        const TensorIndex queries = cell_of(run.values->model().graph, {"layer.attention.queries"})->tensor;
        const Result<Explanation> made = explain(numbers_of(*run.values), {queries, 1, 0, 1, 5});
        said = CardLines(ui, RunCard{run.values->model().graph, *made, "", place_words(run, made->cell)})
                   .lines.front()
                   .text;
        return of_run<draw_run_transport>(ui, session);
    };
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));
    auto named = std::make_shared<RunSnapshot>(*bench.session.running.shown);
    named->tokens[1].text = "\"a_b^2\\n";
    const std::string next = std::to_string(*bench.session.running.next->pick);
    const Result<Tokenizer> tokenizer =
        Tokenizer::from_json(R"({"model":{"type":"BPE","vocab":{"\"a_b^2":)" + next + R"(},"merges":[]}})", "FILE");
    ASSERT_TRUE(tokenizer) << sentence(tokenizer.error());
    named->tokenizer = std::make_shared<const Tokenizer>(*tokenizer);
    bench.session.running.shown = named;
    EXPECT_NE(words_of_step(bench.session).find("\"a\\_b\\^2"), std::string::npos) << words_of_step(bench.session);
    bench.screen.frame([&](const Ui& ui) { draw(ui, bench.session); });
    EXPECT_NE(said.find("\"a\\_b\\^2\\\\n"), std::string::npos) << said;
}

TEST(RunStep, LayersThatTheStepHasNotComeToAreEmpty) {
    StepBench bench(of_run<draw_run_layers>, ImVec2(900, 132));
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
    StepBench bench(of_run<draw_run_answers>, ImVec2(360, 1600));
    bench.step();
    const auto rows = [&](std::int64_t layer) {
        const RunPanel panel{bench.screen.ui(), bench.session.running, bench.session.view.run};
        return rows_there(panel, *panel.run(), layer);
    };
    for (std::int64_t layer = 0; layer < 3; ++layer) EXPECT_EQ(rows(layer), 3);
    EXPECT_FALSE(bench.has("run.looks_at"));
    bench.step();
    EXPECT_EQ(rows(0), 4);
    EXPECT_EQ(rows(1), 3);
    EXPECT_TRUE(bench.has("run.looks_at"));
}

TEST(RunStep, TheDiagramHasNoNumbersOfWhatIsToCome) {
    StepBench bench(draw_shown, ImVec2(940, 730));
    const auto rows = [&](const char* id) {
        Shown drawn = bench.session;  // of as many tokens as were read
        drawn.derived.shown.input = bench.session.running.shown->values->input();
        const DiagramOf of(drawn, bench.session.view, bench.session.running.shown);
        const std::optional<CellNumbers> numbers = numbers_of_run(of)(id, 0);
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

TEST(RunStep, TheLayerThatIsLookedAtIsTheOneThatTheStepHasComeTo) {
    StepBench bench(draw_shown, ImVec2(940, 730));
    for (const std::int64_t layer : {0, 0, 1, 2, 2}) {  // embedded, three layers, the head
        bench.step();
        EXPECT_EQ(bench.session.view.run.layer, layer);
    }
    set_run(bench.session, [](RunPlace& place) { place.speed = RunSpeed::most; });
    test::make_tokens(bench.session, 1);
    set_run(bench.session, [](RunPlace& place) { place.layer = 1; });
    test::make_tokens(bench.session, 1);
    EXPECT_EQ(bench.session.view.run.layer, 1) << "a whole token at a time";
}

TEST(RunStep, ARowThatIsToComeSaysNoNumber) {
    StepBench bench(draw_shown, ImVec2(940, 730));
    const std::string queries = "layer.attention.queries";
    bench.step();
    bench.go_to_matrix(queries);
    bench.point_at_row(queries, 0, 4);
    EXPECT_FALSE(bench.has("run.card"));
    bench.click();
    ASSERT_EQ(bench.session.view.run.trail.size(), 1U);
    EXPECT_FALSE(bench.has("run.card")) << "it is pinned, and not there";
    bench.step();
    EXPECT_TRUE(bench.has("run.card.close")) << "now it is";
}

TEST(RunStep, AWindowsNewestRowIsToComeToo) {
    StepBench bench(draw_shown, ImVec2(940, 730), "2");
    bench.step();
    for (const char* id : {"layer.attention.key_cache", "layer.attention.value_cache"}) {
        bench.go_to_matrix(id);
        bench.point_at_row(id, 0, 2);
        EXPECT_FALSE(bench.has("run.card")) << id;
        bench.point_at_row(id, 1, 2);
        EXPECT_TRUE(bench.has("run.card")) << id;
    }
}

TEST(RunStep, APinnedCellThatIsNotThereSilencesNoOther) {
    StepBench bench(draw_shown, ImVec2(940, 730));
    const std::string queries = "layer.attention.queries";
    bench.step();
    bench.go_to_matrix(queries);
    bench.point_at_row(queries, 0, 4);
    bench.click();
    ASSERT_EQ(bench.session.view.run.trail.size(), 1U);
    bench.point_at_row(queries, 2, 4);  // an earlier token's
    EXPECT_TRUE(bench.has("run.card"));
    EXPECT_FALSE(bench.has("run.card.close")) << "it is not this one that is pinned";
    EXPECT_GE(bench.names("canvas.lit." + queries).size(), 2U) << "and the pinned one";
}

TEST(RunStep, TheSentenceThatARunWasPausedFitsWhereItStands) {
    StepBench bench(of_run<draw_run_transport>, ImVec2(702, 48));
    set_run(bench.session, [](RunPlace& place) { place.speed = RunSpeed::half; });
    headcount::apply(bench.session, Intents{AtRun{PlayRun{}}, ShowWorkspace{explore_view}});
    headcount::apply(bench.session, Intents{ShowWorkspace{run_view}});
    bench.rest();
    EXPECT_TRUE(bench.session.running.shown->rested);
    EXPECT_TRUE(bench.has("run.remark.Paused when you left this view"));
}

// A chip is pointed at elsewhere.
Intents draw_with_chip(const Ui& ui, const Session& session) {
    pointed_in_run(ui).chip = 1;
    return draw_shown(ui, session);
}

Intents draw_answers_with_chip(const Ui& ui, const Session& session) {
    pointed_in_run(ui).chip = 1;
    return of_run<draw_run_answers>(ui, session);
}

TEST(RunChip, LightsInTheDiagramTheColumnOfThoseWhoLookAtIt) {
    StepBench bench(draw_with_chip, ImVec2(940, 730));
    bench.go_to_matrix("layer.attention.head.weights");
    const NamedRect *const lit = bench.screen.recorder.find("canvas.lit.layer.attention.head.weights"),
                           *const all = bench.screen.recorder.find("canvas.layer.attention.head.weights");
    ASSERT_TRUE(lit && all);
    const float side = (all->max.x - all->min.x) / 3;
    EXPECT_NEAR(lit->min.x, all->min.x + side, 3) << "the second column";
    EXPECT_NEAR(lit->max.x, all->min.x + 2 * side, 3);
    EXPECT_NEAR(lit->min.y, all->min.y + side, 3) << "from the token itself on";
    EXPECT_NEAR(lit->max.y, all->max.y, 3);
}

TEST(RunChip, LightsTheColumnOfTheAttentionMapToo) {
    StepBench plain(of_run<draw_run_answers>, ImVec2(360, 1600));
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
        Intents intents = of_run<draw_run_tokens>(ui, session);
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
