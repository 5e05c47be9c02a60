// How long a head's switch in the Run view takes on the model that ships: the same tokens without it, its effect alone,
// and both texts going on. Each head in turn, so that nothing of the one before can be kept; the median of them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

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

void switch_head(benchmark::State& state) {
    const Session session = reading_session(state);
    const std::shared_ptr<const RunSnapshot> run = session.running.shown;
    if (!run || !run->values) return state.SkipWithError("the model that ships does not run");
    const Architecture& arch = run->values->model().architecture;
    RunTrials trials;
    const std::atomic<bool> never{false};
    RunExperiment asked;
    asked.position = std::ssize(run->tokens) - 1;
    std::vector<double> times;  // ms
    for ([[maybe_unused]] auto _ : state)
        for (std::int64_t head = 0; head < arch.layers * arch.layer.attention.heads; ++head) {
            asked.changes = {{{.place = {.layer = head / arch.layer.attention.heads,
                                         .block = "attention",
                                         .head = head % arch.layer.attention.heads}}}};
            const auto start = std::chrono::steady_clock::now();
            const std::optional<RunTrial> found = trials.find(run, asked, never);
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
            if (!found || found->wrong || found->changed == found->of)
                return state.SkipWithError("nothing was changed");
        }
    std::ranges::sort(times);
    state.counters["median_ms"] = times[times.size() / 2];
    state.SetLabel(std::to_string(run->tokens.size()) + " tokens");
}

BENCHMARK(switch_head)->Iterations(1);

}  // namespace
}  // namespace headcount
