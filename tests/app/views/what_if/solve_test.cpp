// Claims about Solve: answers are the engine's, what is typed is asked for as it is typed, and a press adopts.
#include "app/state/what_if/page.hpp"
#include "app/views/what_if/panels.hpp"
#include "core/base/text.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::Workbench;

const ImVec2 solve_size(1570, 1800);

// Settings and answers, one below the other.
Intents draw_solve_tab(const Ui& ui, const Session& session) {
    Intents intents = draw_what_if_settings_panel(ui, session);
    for (Intent& each : draw_what_if_panel(ui, session)) intents.push_back(std::move(each));
    return intents;
}

class SolveBench : public Workbench {
  public:
    explicit SolveBench(std::string_view preset = "llama-2-7b", ImVec2 window = solve_size)
        : Workbench(draw_solve_tab, preset, window) {
        ask(ShowWorkspace{what_if_view});
        ask(AtWhatIf{ShowWhatIfTab{WhatIfTab::solve}});
    }
    void wish(const SolvePlace& place) { ask(AtWhatIf{SetWish{place}}); }
    const FoundSolve& found() const { return *session.what_if.solve; }
    const SolvePlace& place() const { return session.view.what_if.solve; }
};

TEST(WhatIfSolve, HoldsWhatTheModelHasBeforeAnythingIsTyped) {
    SolveBench bench;
    ASSERT_FALSE(bench.found().answers.answers.empty()) << bench.found().answers.problem;
    EXPECT_EQ(bench.found().answers.answers.front().parameters.total, 6'738'415'616);
    EXPECT_EQ(bench.found().answers.answers.front().values, std::vector<std::int64_t>{32});
    EXPECT_TRUE(bench.has("solve.answers.row.0"));
}

TEST(WhatIfSolve, ReadsAmountsAsPeopleTypeThem) {
    SolveBench bench;
    bench.type("solve.amount.field", "8.03 B");
    EXPECT_EQ(bench.place().wished[0], "8.03 B");
    EXPECT_EQ(bench.found().answers.wish.amount, 8'030'000'000);
    EXPECT_EQ(bench.found().answers.answers, *solve(bench.arch(), bench.found().answers.wish));
    bench.press("solve.held.1");
    bench.frames(3);
    EXPECT_EQ(bench.place().held, Metric::memory);
    bench.type("solve.amount.field", "24 GiB");
    EXPECT_EQ(bench.found().answers.wish.amount, std::int64_t{24} << 30);
    for (const Answer& answer : bench.found().answers.answers) EXPECT_LE(answer.amount, std::int64_t{24} << 30);
    EXPECT_EQ(bench.place().wished[0], "8.03 B") << "each amount is kept";
}

TEST(WhatIfSolve, SaysWhatIsWrongWithAnAmountAndKeepsIt) {
    SolveBench bench;
    bench.type("solve.amount.field", "many");
    EXPECT_TRUE(bench.has("solve.amount.error"));
    EXPECT_EQ(bench.place().wished[0], "many");
    EXPECT_TRUE(bench.found().answers.answers.empty());
    EXPECT_FALSE(bench.has("solve.problem.error")) << "it is said once, where it was typed";
    bench.press("solve.amount.reset");
    bench.frames(3);
    EXPECT_EQ(bench.place().wished[0], "");
    EXPECT_FALSE(bench.has("solve.amount.error"));
    EXPECT_FALSE(bench.found().answers.answers.empty());
}

TEST(WhatIfSolve, ABudgetThatNothingMeetsIsASentence) {
    SolveBench bench;
    SolvePlace place;
    place.held = Metric::memory;
    place.wished[1] = "1 MiB";
    bench.wish(place);
    EXPECT_NE(bench.found().answers.problem.find("the nearest possible is"), std::string::npos);
    EXPECT_TRUE(bench.has("solve.problem.error"));
    EXPECT_FALSE(bench.has("solve.answers.row.0"));
}

TEST(WhatIfSolve, NamesNoOptionOfTheCommandLine) {
    SolveBench bench;
    SolvePlace place;
    place.wished[0] = "5";
    place.size = "1";
    bench.wish(place);
    const std::string total = bench.found().answers.problem;
    EXPECT_NE(total.find("the nearest possible is"), std::string::npos) << total;
    EXPECT_NE(bench.found().sizes.problem.find("the nearest possible is"), std::string::npos);
    place.held = Metric::memory;
    place.wished[1] = "1 MiB";
    bench.wish(place);
    EXPECT_FALSE(bench.found().answers.problem.empty());
    for (const std::string& said : {total, bench.found().sizes.problem, bench.found().answers.problem})
        EXPECT_EQ(said.find("--"), std::string::npos) << said;
}

TEST(WhatIfSolve, AnEditedModelKeepsItsOwnProportions) {
    SolveBench bench;
    EXPECT_GT(bench.found().sizes.siblings, 1u);
    Document document = bench.session.document;
    document.architecture.layer.feed_forward.width = std::int64_t{14336};
    bench.ask(Replace{document, Field::ffn_dim});
    bench.type("solve.size.field", "13B");
    EXPECT_EQ(bench.found().sizes.siblings, 1u) << "which is what the words below say";
    ASSERT_FALSE(bench.found().sizes.sizes.empty()) << bench.found().sizes.problem;
    for (const SizedModel& each : bench.found().sizes.sizes)
        EXPECT_NEAR(each.proportions.ffn_per_width, 3.5, 0.05) << "not 2.7, of the published ones";
}

TEST(WhatIfSolve, APressAdoptsAnAnswerAsOneEdit) {
    SolveBench bench;
    SolvePlace place;
    place.wished[0] = "8B";
    place.free = {Field::dim, Field::layers};
    bench.wish(place);
    const Answer second = bench.found().answers.answers.at(1);
    bench.press("solve.answers.row.1");
    EXPECT_EQ(*field_number(bench.arch(), Field::dim), second.values[0]);
    EXPECT_EQ(*field_number(bench.arch(), Field::layers), second.values[1]);
    EXPECT_EQ(bench.session.derived.shown.parameters.total, second.parameters.total);
    headcount::apply(bench.session, Intents{Undo{}});
    EXPECT_EQ(bench.session.derived.shown.parameters.total, 6'738'415'616) << "one step back";
}

TEST(WhatIfSolve, SeveralConditionsHoldAtOnceEachInARow) {
    SolveBench bench("llama-3-8b");
    SolvePlace place;
    place.free = {Field::dim, Field::layers};
    place.goals = {{Metric::memory, false, "12 GiB"}, {Metric::tokens_per_second, true, ""}};
    place.held = Metric::total;
    bench.wish(place);
    const FoundAnswers& found = bench.found().answers;
    ASSERT_FALSE(found.answers.empty()) << found.problem << found.problems[0] << found.problems[1];
    EXPECT_EQ(found.wish.goals.size(), 2u);
    EXPECT_FALSE(found.own[1].empty()) << "what the model has, where nothing was typed";
    for (const Answer& answer : found.answers)
        for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(found.wish.goals[i].keeps(answer.figures[i]));
    bench.type("solve.goal0.amount.field", "13 GiB");
    EXPECT_EQ(bench.place().goals[0].typed, "13 GiB");
    EXPECT_EQ(bench.found().answers.wish.goals[0].amount, 13.0 * (1 << 30));
    bench.type("solve.goal0.amount.field", "little");
    EXPECT_TRUE(bench.has("solve.goal0.amount.error"));
    EXPECT_TRUE(bench.found().answers.answers.empty());
    EXPECT_FALSE(bench.has("solve.problem.error")) << "it is said once, where it was typed";
}

TEST(WhatIfSolve, ConditionsAndFreeNumbersComeAndGoByPressing) {
    SolveBench bench("llama-3-8b");
    bench.press("solve.goal.add");
    bench.frames(3);
    bench.press("solve.goal.add.1");
    bench.frames(3);
    ASSERT_EQ(bench.place().goals.size(), 1u);
    EXPECT_EQ(bench.place().goals[0].metric, Metric::active);
    EXPECT_TRUE(bench.place().goals[0].least);
    bench.press("solve.goal0");
    bench.frames(3);
    bench.press("solve.goal0.0");
    bench.frames(3);
    EXPECT_TRUE(bench.place().goals.empty());
    SolvePlace place;
    place.free = {Field::dim, Field::layers};
    bench.wish(place);
    EXPECT_EQ(bench.found().answers.wish.free.size(), 3u) << "heads go along with the width";
    bench.press("solve.free.layers");
    bench.frames(3);
    EXPECT_EQ(bench.place().free, std::vector<Field>{Field::dim});
    bench.press("solve.any_shape.toggle");
    bench.frames(3);
    EXPECT_TRUE(bench.place().any_shape);
    EXPECT_EQ(bench.found().answers.wish.free.size(), 1u);
}

TEST(WhatIfFront, DrawsWhatNoAnswerBeatsAndAPressAdoptsIt) {
    Workbench bench(draw_what_if_panel, "llama-3-8b", solve_size);
    bench.ask(ShowWorkspace{what_if_view});
    SolvePlace place;
    place.across = Metric::weights;
    bench.ask(AtWhatIf{SetWish{place}});
    bench.ask(AtWhatIf{ShowWhatIfTab{WhatIfTab::front}});
    const FoundFront& found = *bench.session.what_if.front;
    ASSERT_GT(found.front.size(), 1u) << found.answers.problem;
    EXPECT_TRUE(found.figures);
    EXPECT_TRUE(bench.has("front.chart"));
    const Answer first = found.answers.answers[found.front.front()];
    bench.press("front.chart.0");
    EXPECT_EQ(*field_number(bench.arch(), Field::dim), first.values[0]);
}

TEST(WhatIfSolve, FindsTheSameShapeInAnotherSizeAlongTheFamily) {
    SolveBench bench;
    bench.type("solve.size.field", "13B");
    ASSERT_FALSE(bench.found().sizes.sizes.empty()) << bench.found().sizes.problem;
    EXPECT_GT(bench.found().sizes.siblings, 2u);
    EXPECT_EQ(bench.found().sizes.sizes.front().parameters.total, 13'015'864'320) << "Llama 2 13B";
    bench.press("solve.sizes.row.0");
    EXPECT_EQ(bench.arch().dim, 5120);
    EXPECT_EQ(bench.arch().layers, 40);
}

TEST(WhatIfSolve, SaysWhatABudgetIsBestSpentOn) {
    SolveBench bench;
    bench.type("solve.budget.field", "5.76e23");
    EXPECT_NEAR(bench.found().training.best.tokens / 1e12, 1.39, 0.01);
    EXPECT_NEAR(bench.found().training.here.tokens, 5.76e23 / (6 * 6'738'415'616.0), 1e9);
    EXPECT_EQ(bench.found().training.laws.size(), scaling_laws().size() - 1) << "one is of mixtures";
    EXPECT_TRUE(bench.has("solve.laws.row.0"));
    bench.press("solve.best");
    bench.frames(3);
    EXPECT_EQ(bench.place().size, "69.3 B") << "the same shape in the size that suits it";
    bench.type("solve.budget.field", "1e300");
    EXPECT_TRUE(bench.has("solve.budget.error"));
}

TEST(WhatIfSolve, FollowsTheModel) {
    SolveBench bench;
    Document document = bench.session.document;
    document.architecture.layers = 40;
    bench.ask(Replace{document, Field::layers});
    EXPECT_EQ(bench.found().answers.answers.front().values, std::vector<std::int64_t>{40});
    bench.ask(OpenPreset{"mixtral-8x7b"});
    EXPECT_EQ(bench.found().of.architecture, bench.arch());
    EXPECT_FALSE(bench.has("solve.best")) << "a mixture's budget is of its active parameters";
}

TEST(WhatIfSolve, OfAnImpossibleModelHasSentences) {
    SolveBench bench("llama-2-7b", ImVec2(900, 600));
    Document document = bench.session.document;
    document.architecture.layer.attention.heads = 30;
    bench.ask(Replace{document, Field::heads});
    EXPECT_TRUE(bench.found().answers.answers.empty());
    EXPECT_TRUE(bench.found().sizes.sizes.empty());
    EXPECT_TRUE(bench.has("solve.problem.error"));
}

}  // namespace
}  // namespace headcount
