// What of a run the canvas has: numbers of the rows that are there, and tokens as they were read.

#include "app/diagram/panels.hpp"
#include "tests/support/small_run.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::session_of;

// As a view draws it that shows the run: of as many tokens as it has read.
NumberSource numbers_where_run(const Session& session) {
    Shown drawn = session;
    drawn.derived.shown.input = session.running.shown->values->input();
    return numbers_of_run(DiagramOf(drawn, session.view, session.running.shown));
}

TEST(CanvasNumbers, AreNoneWhereTheOnlyRowIsToCome) {
    Session session = session_of("llama-2-7b");
    Document windowed = session.document;
    windowed.architecture = windowed.base = *with_field(windowed.architecture, Field::window, "1");
    headcount::apply(session, Intents{Replace{windowed}});
    test::show_small_run(session);
    finish_run(session);
    const auto kept = [&] { return numbers_where_run(session)("layer.attention.key_cache", 0); };
    ASSERT_TRUE(kept());
    EXPECT_EQ(kept()->rows, 1);
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
    ASSERT_FALSE(session.running.shown->whole());
    EXPECT_FALSE(kept()) << "the window holds the newest token alone, and its layers are to come";
}

TEST(CanvasNumbers, SayHowManyTokensTheRunHasWhileARowIsToCome) {
    Session session = session_of("llama-2-7b");
    test::show_small_run(session);
    finish_run(session);
    const auto queries = [&] { return *numbers_where_run(session)("layer.attention.queries", 0); };
    EXPECT_EQ(queries().tokens, queries().rows);
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
    EXPECT_EQ(queries().tokens, queries().rows + 1);
}

TEST(CanvasNumbers, AreNotGivenToRowsOfOtherTokens) {
    Session session = session_of("llama-2-7b");
    test::show_small_run(session);
    finish_run(session);
    Document decoding = session.document;
    decoding.input.tokens = 1;
    decoding.input.cached = 2;
    headcount::apply(session, Intents{Replace{decoding}});
    const NumberSource numbers = numbers_of_run(session);
    EXPECT_FALSE(numbers("layer.attention.queries", 0)) << "the only row is of the third token";
    EXPECT_TRUE(numbers("layer.attention.query.weight", 0));
    decoding.input = Input{};
    headcount::apply(session, Intents{Replace{decoding}});
    EXPECT_FALSE(numbers_of_run(session)("layer.attention.queries", 0)) << "a hundred rows are of no run";
    EXPECT_FALSE(tokens_of_run(session)->drawn);
}

TEST(CanvasNumbers, AModelThatRunsUnaskedReadsTheTokensOfItsRunUntilOthersAreSet) {
    Session session = session_of("tiny-stories");
    headcount::apply(session, {});
    finish_run(session);
    headcount::apply(session, {});
    const std::int64_t read = session.running.shown->values->tokens();
    EXPECT_NE(read, Input{}.tokens);
    EXPECT_EQ(session.document.input.tokens, read);
    EXPECT_TRUE(tokens_of_run(session)->drawn);
    EXPECT_EQ(numbers_of_run(session)("layer.attention.queries", 0)->rows, read) << "none is empty";
    Document other = session.document;
    other.input.tokens = read + 1;
    headcount::apply(session, Intents{Replace{other}});
    headcount::apply(session, {});
    EXPECT_EQ(session.document.input.tokens, read + 1);
    EXPECT_FALSE(numbers_of_run(session)("layer.attention.queries", 0));
    other.input.tokens = Input{}.tokens;
    headcount::apply(session, Intents{Replace{other}});
    headcount::apply(session, {});
    EXPECT_EQ(session.document.input.tokens, Input{}.tokens) << "it is set, if to the number that one begins with";
    other.input.tokens = read;
    headcount::apply(session, Intents{Replace{other}, OpenPreset{"llama-2-7b"}});
    EXPECT_EQ(session.document.input.tokens, Input{}.tokens) << "what was lent does not go along";
}

TEST(CanvasNumbers, SayWhoseTheyAreAndWhatWasRead) {
    Session session = session_of("llama-2-7b");
    EXPECT_FALSE(values_of_run(session)) << "nothing has run";
    session.view.run.source = RunSource::shipped;
    session.view.run.shows = RunShows::diagram;
    session.view.run.layer = 2;
    headcount::apply(session, Intents{ShowWorkspace{run_view}});
    finish_run(session);
    const Result<DiagramOf> drawn = diagram_in_view(session);
    ASSERT_TRUE(drawn);
    EXPECT_EQ(drawn->counted().input.tokens, std::ssize(session.running.shown->tokens)) << "as many rows as were read";
    const std::optional<ValuesShown> values = values_of_run(*drawn);
    ASSERT_TRUE(values);
    EXPECT_EQ(values->layers.at(std::string(main_layer)), 2);
    EXPECT_EQ(values->first.at(1), "Once");
    EXPECT_EQ(values->last, "little");
}

TEST(CanvasNumbers, ARunIsNotHeldOnceItIsGivenBack) {
    test::Workbench bench([](const Ui& ui, const Session& session) { return draw_canvas(ui, session); }, "llama-2-7b",
                          ImVec2(940, 700));
    test::show_small_run(bench.session);
    finish_run(bench.session);
    bench.frames(3);
    const std::weak_ptr<const RunValues> values = bench.session.running.shown->values;
    headcount::apply(bench.session, Intents{AtRun{FreeRun{}}});
    finish_run(bench.session);
    bench.session.running.runner->wait_until_calm();
    headcount::apply(bench.session, Intents{AtRun{TakeRun{}}});
    EXPECT_TRUE(values.expired());
}

// How wide the tooltip of the first token's chip is, where the run's tokens are read as this text.
float width_of_chips_tooltip(std::string_view text) {
    test::Workbench bench([](const Ui& ui, const Session& session) { return draw_canvas(ui, session); }, "llama-2-7b",
                          ImVec2(940, 700));
    test::show_small_run(bench.session);
    finish_run(bench.session);
    RunSnapshot run = *bench.session.running.shown;
    for (RunToken& token : run.tokens) token.text = text;
    bench.session.running.shown = std::make_shared<const RunSnapshot>(std::move(run));
    bench.frames(3);
    bench.point_at("canvas.tokens");
    bench.frames(40);
    const NamedRect* const tooltip = bench.screen.recorder.find("tooltip");
    return tooltip ? tooltip->max.x - tooltip->min.x : 0;
}

TEST(CanvasNumbers, ATokenIsNoFormula) {
    const std::string letters(40, 'a');
    const float plain = width_of_chips_tooltip("-" + letters);
    EXPECT_GT(plain, 0);
    for (const char* mark : {"_", "^", "\\"}) EXPECT_EQ(width_of_chips_tooltip(mark + letters), plain) << mark;
    EXPECT_EQ(width_of_chips_tooltip("\"_" + letters.substr(1)), plain) << "with a quote of its own";
}

TEST(CanvasNumbers, ATokenOfSpacesIsDots) {
    Session session = session_of("llama-2-7b");
    test::show_small_run(session);
    finish_run(session);
    RunSnapshot run = *session.running.shown;
    run.tokens.at(1).text = "  ";
    run.tokens.at(2).text = " time";
    session.running.shown = std::make_shared<const RunSnapshot>(std::move(run));
    EXPECT_EQ(token_of_run(session, 1), "“··”");
    EXPECT_EQ(token_of_run(session, 2), "“time”");
}

}  // namespace
}  // namespace headcount
