// Claims about a computation that is watched in the diagram of a run: its card covers none of what it speaks of, and
// every number comes into the picture.
#include <algorithm>
#include <optional>
#include <string>

#include "app/diagram/view.hpp"
#include "app/state/in_view.hpp"
#include "tests/app/views/run/bench.hpp"

namespace headcount {
namespace {

using test::draw_shown;
using test::Workbench;

const ImVec2 in_the_middle(940, 730);

// Of the model that ships, in the room that the picture has in a window of 1280x720.
TEST(RunWatched, TheCardCoversNoOperandOfAnyOperation) {
    for (const ImVec2 room : {ImVec2(702, 570), in_the_middle}) {
        Workbench bench(draw_shown, "llama-2-7b", room);
        bench.session.view.reduced_motion = true;
        bench.session.view.workspace = run_view;
        bench.session.view.run.shows = RunShows::diagram;
        look_at_run(bench.session);
        finish_run(bench.session);
        bench.frames(3);
        const std::size_t steps = watch_steps(*bench.session.running.shown->values).size();
        ASSERT_GT(steps, 90U);
        for (std::size_t step = 0; step < steps; ++step) {
            bench.ask(AtRun{WatchRun{RunWatch{.step = step, .done = 1}}});
            bench.frames(6);
            const NamedRect* const card = bench.screen.recorder.find("run.card");
            ASSERT_TRUE(card) << step;
            for (const NamedRect& each : bench.screen.recorder.all()) {
                if (!each.name.starts_with("canvas.lit.")) continue;
                const float across = std::min(card->max.x, each.max.x) - std::max(card->min.x, each.min.x);
                const float down = std::min(card->max.y, each.max.y) - std::max(card->min.y, each.min.y);
                EXPECT_FALSE(across > 1 && down > 1)
                    << room.x << ": step " << step << " " << each.name << " " << across << " x " << down;
            }
        }
    }
}

TEST(RunWatched, ItIsNotSaidWhatAWordLooksAtBeforeThatIsMade) {
    Workbench bench(test::of_run<draw_run_answers>, "llama-2-7b", ImVec2(312, 900));
    test::show_small_run(bench.session);
    test::set_run(bench.session, [](RunPlace& place) { place.shows = RunShows::diagram; });
    finish_run(bench.session);
    const RunValues& values = *bench.session.running.shown->values;
    const TensorIndex made = *values.attention_tensor(0, false);
    const std::vector<WatchStep> steps = watch_steps(values);
    std::size_t softmax = 0;
    while (values.model().graph.nodes[steps[softmax].node].output != made) ++softmax;
    const auto says = [&](std::size_t step, double done) {
        bench.ask(AtRun{WatchRun{RunWatch{.step = step, .done = done}}});
        bench.frames(2);
        return bench.has("run.looks_at");
    };
    EXPECT_FALSE(says(softmax - 1, 1));
    EXPECT_FALSE(says(softmax, 0.5));
    EXPECT_TRUE(says(softmax, 1));
    EXPECT_TRUE(says(softmax + 1, 0));
}

TEST(RunWatched, TheLastNumberOfARowComesIntoThePictureToo) {
    static std::optional<RunWatch> drawn;
    const auto draw = [](const Ui& ui, const Session& session) {
        Intents intents = draw_shown(ui, session);
        const Result<DiagramOf> of = diagram_in_view(session);
        const auto composed = of ? canvas_of(ui, *of).composed : std::nullopt;
        drawn = composed ? composed->watch : std::nullopt;
        return intents;
    };
    Workbench bench(draw, "llama-2-7b", in_the_middle);
    test::show_small_run(bench.session);
    finish_run(bench.session);
    bench.frames(3);
    headcount::apply(bench.session, Intents{AtRun{WatchRun{RunWatch{.step = 3, .playing = true, .once = true}}}});
    bench.frames(300);
    EXPECT_EQ(drawn, (RunWatch{.step = 3, .done = 1}));
}

}  // namespace
}  // namespace headcount
