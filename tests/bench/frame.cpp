// The processor time that it takes to build one frame of the Explore view, beside that of Dear ImGui's own demo window
// and style editor. No OpenGL: what the graphics driver does with the frame is not ours.
#include <benchmark/benchmark.h>
#include <imgui.h>

#include "app/shell/explore.hpp"
#include "app/shell/panel_cache.hpp"
#include "app/ui/ui.hpp"

namespace headcount {
namespace {

// An ImGui context of the size of a window, with the program's fonts and no back end.
class Frames {
  public:
    Frames() : fonts(load()) { apply_style(theme, 1); }
    ~Frames() { ImGui::DestroyContext(); }
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    void begin() {
        ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
        ImGui::NewFrame();
    }

    const Theme theme = dark_theme();
    const Fonts fonts;

  private:
    static Fonts load() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = ImVec2(1600, 1000);
#if IMGUI_VERSION_NUM >= 19200
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
        const Fonts loaded = load_embedded_fonts(*io.Fonts, 1);
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        return loaded;
    }
};

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

// With the cache as the program has it, or with every panel drawn anew in every frame.
void draw_frames(benchmark::State& state, PanelCache* cache) {
    auto presets = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    const Preset* preset = presets ? find_preset(*presets, "llama-2-7b") : nullptr;
    if (!preset) {
        state.SkipWithError("the preset llama-2-7b cannot be read");
        return;
    }
    const Document document = document_of(*preset);
    Session session = start_session(*std::move(presets), document);
    Frames frames;
    Recorder recorder;
    UiMemory memory;
    const Ui ui{frames.theme, frames.fonts, recorder, memory};
    for ([[maybe_unused]] auto _ : state) {
        frames.begin();
        recorder.begin_frame();
        memory.begin_frame();
        const Intents intents = draw_explore(ui, session, cache);
        headcount::apply(session, intents);
        ImGui::Render();
    }
}

void build_explore(benchmark::State& state) {
    PanelCache cache;
    draw_frames(state, &cache);
}

void build_explore_anew(benchmark::State& state) {
    draw_frames(state, nullptr);
}

BENCHMARK(build_demo)->Unit(benchmark::kMicrosecond)->MinTime(0.2)->Repetitions(9)->ReportAggregatesOnly();
BENCHMARK(build_explore)->Unit(benchmark::kMicrosecond)->MinTime(0.2)->Repetitions(9)->ReportAggregatesOnly();
BENCHMARK(build_explore_anew)->Unit(benchmark::kMicrosecond)->MinTime(0.2)->Repetitions(9)->ReportAggregatesOnly();

}  // namespace
}  // namespace headcount
