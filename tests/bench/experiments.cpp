// How long a head's switch in the Run view takes on the model that ships: the same tokens without it, its effect alone,
// and both texts going on, whose prompt has 64 tokens.
#include <benchmark/benchmark.h>

#include "app/state/run/trial.hpp"
#include "app/state/session.hpp"

namespace headcount {
namespace {

// The prompt is read, and nobody looks at experiments yet: those are the benchmark's.
Session reading_session(benchmark::State& state) {
    auto presets = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    if (!presets) {
        state.SkipWithError("presets cannot be read");
        return {};
    }
    Document document = document_of(presets->front());
    Session session = start_session(*std::move(presets), std::move(document));
    RunPlace place;
    place.prompt =
        "Once upon a time there was a little girl named Mia. She had a red ball. Tom had a dog. They went to the park "
        "and played with the ball all day. Then Mia gave the ball to Tom. Tom was happy. He gave";
    headcount::apply(session, Intents{AtRun{SetRun{std::move(place)}}, ShowWorkspace{run_view}});
    finish_run(session);
    return session;
}

// Another head each time, so that nothing of the one before can be kept.
void switch_head(benchmark::State& state) {
    const Session session = reading_session(state);
    const std::shared_ptr<const RunSnapshot> run = session.running.shown;
    if (!run || !run->values) return state.SkipWithError("the model that ships does not run");
    const Architecture& arch = run->values->model().architecture;
    RunTrials trials;
    const std::atomic<bool> never{false};
    RunExperiment asked;
    asked.position = std::ssize(run->tokens) - 1;
    std::int64_t head = 0;
    for ([[maybe_unused]] auto _ : state) {
        asked.changes = {{{.place = {.layer = head / arch.layer.attention.heads % arch.layers,
                                     .block = "attention",
                                     .head = head % arch.layer.attention.heads}}}};
        ++head;
        const std::optional<RunTrial> found = trials.find(run, asked, never);
        if (!found || found->wrong || found->changed == found->of) return state.SkipWithError("nothing was changed");
    }
    state.SetLabel(std::to_string(run->tokens.size()) + " tokens");
}

BENCHMARK(switch_head)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MinTime(0.5)
    ->Repetitions(9)
    ->ReportAggregatesOnly();

}  // namespace
}  // namespace headcount
