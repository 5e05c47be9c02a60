// The processor time that it takes to build one frame of the Explore view, beside that of Dear ImGui's own demo window
// and style editor. No OpenGL: what the graphics driver does with the frame is not ours.
#include "app/shell/frame.hpp"

#include <benchmark/benchmark.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/parts/panel_cache.hpp"
#include "app/shell/work.hpp"
#include "app/state/run/snapshot.hpp"
#include "app/ui/ui.hpp"
#include "tests/bench/frames.hpp"
#include "tests/bench/processor_time.hpp"

namespace headcount {
namespace {

void build_demo(benchmark::State& state) {
    Frames frames;
    for ([[maybe_unused]] auto _ : state) {
        frames.begin();
        // Side by side they fill the window, as the Explore view does.
        ImGui::SetNextWindowPos(ImVec2(0, 0));
        ImGui::SetNextWindowSize(ImVec2(800, 1000));
        ImGui::ShowDemoWindow();
        ImGui::SetNextWindowPos(ImVec2(800, 0));
        ImGui::SetNextWindowSize(ImVec2(800, 1000));
        ImGui::Begin("Style editor");
        ImGui::ShowStyleEditor();
        ImGui::End();
        ImGui::Render();
    }
}

// A session of Llama 2 7B, and what the program draws it with.
struct Explore {
    explicit Explore(Session started) : session(std::move(started)) {}

    // As the program's loop does it.
    void draw(PanelCache* cache) {
        frames.begin();
        recorder.begin_frame();
        memory.begin_frame();
        const Intents intents = draw_frame(ui, session, cache);
        headcount::apply(session, intents);
        ImGui::Render();
    }

    Session session;
    Frames frames;
    Recorder recorder;
    UiMemory memory;
    const Ui ui{frames.theme, frames.fonts, recorder, memory};
};

std::unique_ptr<Explore> explore(benchmark::State& state) {
    auto presets = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    const Preset* preset = presets ? find_preset(*presets, "llama-2-7b") : nullptr;
    if (!preset) {
        state.SkipWithError("the preset llama-2-7b cannot be read");
        return nullptr;
    }
    const Document document = document_of(*preset);
    return std::make_unique<Explore>(start_session(*std::move(presets), document));
}

void build_explore(benchmark::State& state) {
    const auto view = explore(state);
    PanelCache cache;
    for ([[maybe_unused]] auto _ : state) view->draw(&cache);
}

void build_explore_anew(benchmark::State& state) {
    const auto view = explore(state);
    for ([[maybe_unused]] auto _ : state) view->draw(nullptr);
}

// The way of a pointer that sweeps the window in rows, 7 pixels a frame, forth and back: over every panel, and over
// nearly everything in it that can be pointed at.
class Sweep {
  public:
    ImVec2 next() {
        const ImVec2 window = ImGui::GetIO().DisplaySize;
        at_.x += right_ ? step : -step;
        if (at_.x < 0 || at_.x >= window.x) {
            right_ = !right_;
            at_.x = std::clamp(at_.x, 0.0F, window.x - 1);
            at_.y += row;
            if (at_.y >= window.y) at_.y -= window.y;
        }
        return at_;
    }

  private:
    static constexpr float step = 7, row = 61;
    ImVec2 at_{0, 20};
    bool right_ = true;
};

// Frames that are built because something happens: the pointer moves, and things light up under it.
void build_explore_pointing(benchmark::State& state) {
    const auto view = explore(state);
    PanelCache cache;
    Sweep sweep;
    for ([[maybe_unused]] auto _ : state) {
        const ImVec2 pointer = sweep.next();
        ImGui::GetIO().MousePos = pointer;
        view->draw(&cache);
    }
}

// Frames in which the document changes, as in a drag of the width's slider: it is counted, laid out and drawn anew.
void build_explore_dragging(benchmark::State& state) {
    const auto view = explore(state);
    PanelCache cache;
    int frame = 0;
    for ([[maybe_unused]] auto _ : state) {
        // From 3,072 to 5,120 and back, in the slider's steps: 32 heads of a whole and even size.
        constexpr int steps = 32;
        const int place = frame++ % (2 * steps), step = place < steps ? place : 2 * steps - place;
        Replace replace{view->session.document, Field::dim, false};
        replace.document.architecture.dim = 3072 + 64 * step;
        const Intent intent = std::move(replace);
        headcount::apply(view->session, {&intent, 1});
        view->draw(&cache);
    }
}

// The Compare view with two models of different structure, zoomed on one side, which the other one follows.
void build_compare_zooming(benchmark::State& state) {
    const auto view = explore(state);
    const std::array<Intent, 2> opens{ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"deepseek-v3"}}};
    headcount::apply(view->session, opens);
    PanelCache cache;
    int frame = 0;
    for ([[maybe_unused]] auto _ : state) {
        constexpr int way = 40;
        ImGui::GetIO().MousePos = ImVec2(250, 300);
        ImGui::GetIO().MouseWheel = frame++ / way % 2 == 0 ? 0.5F : -0.5F;
        view->draw(&cache);
    }
}

// The same while a field of one side is dragged: both are laid out anew.
void build_compare_dragging(benchmark::State& state) {
    const auto view = explore(state);
    const std::array<Intent, 2> opens{ShowWorkspace{compare_view}, AtCompare{CompareWithPreset{"llama-3-8b"}}};
    headcount::apply(view->session, opens);
    PanelCache cache;
    int frame = 0;
    for ([[maybe_unused]] auto _ : state) {
        Replace replace{view->session.document, Field::dim, false};
        replace.document.architecture.dim = 3072 + 64 * (frame++ % 32);
        const Intent intent = std::move(replace);
        headcount::apply(view->session, {&intent, 1});
        view->draw(&cache);
    }
}

// The canvas with its values while the computation moves: the model that ships has read a story, and the picture goes
// from operation to operation with one of its words.
void build_run_playing(benchmark::State& state) {
    const auto view = explore(state);
    Session& session = view->session;
    RunPlace place = session.view.run;
    place.shows = RunShows::diagram;
    place.prompt = "One day, Tom was in the park. Tom had a red ball. Then Lily came. Tom gave the ball to Lily.";
    const std::array<Intent, 2> opens{ShowWorkspace{run_view}, AtRun{SetRun{place}}};
    headcount::apply(session, opens);
    work_for_picture(session);
    if (!session.running.shown || !session.running.shown->values) {
        state.SkipWithError("the model that ships does not run");
        return;
    }
    PanelCache cache;
    std::size_t operations = 0;
    std::vector<double> frames;
    for ([[maybe_unused]] auto _ : state) {
        if (!session.running.watch || !session.running.watch->playing) {
            const Intent again = AtRun{WatchRun{RunWatch{.playing = true}}};
            headcount::apply(session, {&again, 1});
        }
        const std::size_t before = session.running.watch->step;
        const double begin = processor_microseconds();
        view->draw(&cache);
        frames.push_back(processor_microseconds() - begin);
        operations += session.running.watch && session.running.watch->step != before ? 1 : 0;
    }
    if (operations == 0 && frames.size() > 300) state.SkipWithError("the computation does not move");
    std::ranges::sort(frames);
    if (frames.empty()) return;
    state.counters["one_in_a_hundred_us"] = frames[frames.size() * 99 / 100];
    state.counters["worst_us"] = frames.back();
}

void medians(benchmark::internal::Benchmark* each) {
    each->Unit(benchmark::kMicrosecond)->MinTime(0.2)->Repetitions(9)->ReportAggregatesOnly();
}

BENCHMARK(build_demo)->Apply(medians);
BENCHMARK(build_explore)->Apply(medians);
BENCHMARK(build_explore_pointing)->Apply(medians);
BENCHMARK(build_explore_dragging)->Apply(medians);
BENCHMARK(build_explore_anew)->Apply(medians);
BENCHMARK(build_compare_zooming)->Apply(medians);
BENCHMARK(build_compare_dragging)->Apply(medians);
BENCHMARK(build_run_playing)->Apply(medians);

}  // namespace
}  // namespace headcount
