// What of a run the canvas has: numbers of the rows that are there, and tokens as they were read.

#include "app/diagram/panels.hpp"
#include "tests/support/small_run.hpp"
#include "tests/support/workbench.hpp"

namespace headcount {
namespace {

using test::session_of;

TEST(CanvasNumbers, AreNoneWhereTheOnlyRowIsToCome) {
    Session session = session_of("llama-2-7b");
    Document windowed = session.document;
    windowed.architecture = windowed.base = *with_field(windowed.architecture, Field::window, "1");
    headcount::apply(session, Intents{Replace{windowed}});
    test::show_small_run(session);
    finish_run(session);
    const auto kept = [&] { return numbers_of_run(session)("layer.attention.key_cache", 0); };
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
    const auto queries = [&] { return *numbers_of_run(session)("layer.attention.queries", 0); };
    EXPECT_EQ(queries().tokens, queries().rows);
    headcount::apply(session, Intents{AtRun{StepRun{}}});
    finish_run(session);
    EXPECT_EQ(queries().tokens, queries().rows + 1);
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
