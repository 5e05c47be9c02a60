// The processor time of one frame of the canvas (layout, culling, boxes, lines, where labels go; not what Dear ImGui
// does with it) at every place that one can go to, how it grows with the model, and OpenGL's calls for one frame.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/diagram/view.hpp"
#include "app/gl/offscreen.hpp"
#include "app/gl/scene_renderer.hpp"
#include "app/shell/frame.hpp"
#include "core/arch/fields.hpp"
#include "tests/bench/frames.hpp"
#include "tests/bench/processor_time.hpp"

namespace headcount {
namespace {

constexpr int zoom_frames = 48, drag_frames = 48, growth_frames = 120;

// A place of the canvas, as the program's user goes there.
struct Level {
    const char* name;
    const char* id;
    std::int64_t copy = 0;
    bool cell = false, tilted = false;
    bool alike = true;  // of two models that differ in one number, both are seen alike there
    bool log_sides = false;
};
constexpr std::array<Level, 11> levels{{{"model", ""},
                                        {"model tilted", "", 0, false, true},
                                        {"layer", "layer"},
                                        {"attention", "layer.attention"},
                                        {"attention tilted", "layer.attention", 0, false, true},
                                        {"feed-forward", "layer.feed_forward"},
                                        {"head", "layer.attention.head"},
                                        {"matrix", "layer.attention.query.weight"},
                                        {"table", "embedding.weight", 0, false, false, false},
                                        {"cells", "layer.attention.query.weight", 0, true},
                                        {"head by logarithm", "layer.attention.head", 0, false, false, false, true}}};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// What a model's canvas is drawn with, in a window of 1600 by 1000.
class Canvas {
  public:
    Canvas(Frames& frames, std::vector<Preset> presets, const Document& document)
        : session_(start_session(std::move(presets), document)),
          ui_{frames.theme, frames.fonts, recorder_, memory_},
          canvas_(kept<CanvasView>(ui_, "canvas.explore")) {
        frames.begin();
        draw_frame(ui_, session_, nullptr);  // tells the canvas how large it is
        ImGui::Render();
        far_ = canvas_.camera;
        session_.look.askings = canvas_.askings + 1;  // the pages behind are wanted, as if one were on the way
    }

    void go_to(const Level& level) {
        session_.look.log_sides = level.log_sides;
        build();
        canvas_.camera = far_;
        if (level.tilted) {
            canvas_.camera.tilt = 0.85;
            canvas_.camera.turn = 0.35;
        }
        const std::optional<Stop> stop = level.cell ? find_cell(canvas_.atlas, level.id, level.copy, {5, 17})
                                                    : find_place(canvas_.atlas, level.id, level.copy);
        if (stop) canvas_.camera = camera_at(*stop, canvas_.atlas, canvas_.lens(), ui_.scale);
        there_ = canvas_.camera;
    }

    // A frame in which the camera is a little nearer or farther away than in the one before.
    double zoom(int frame) {
        canvas_.camera = there_;
        canvas_.camera.zoom *= std::pow(1.004, std::abs(frame % 25 - 12));
        return timed();
    }

    // A frame in which a slider has been dragged on, so that everything is laid out anew.
    double drag(int frame) {
        Replace replace{session_.document, Field::ffn_dim, false};
        const std::int64_t width =
            *session_.derived.base.bindings[Symbol::ffn_dim] + std::int64_t{8} * std::abs(frame % 33 - 16) + 8;
        if (auto edited = with_field(replace.document.architecture, Field::ffn_dim, std::to_string(width)))
            replace.document.architecture = *edited;
        const Intent intent = std::move(replace);
        headcount::apply(session_, {&intent, 1});
        return timed();
    }

    // As the program does it: see app/diagram/canvas.cpp.
    void build() {
        lay_out_canvas(ui_, session_, canvas_);
        canvas_.seen = seen_pages(canvas_.atlas, canvas_.lens());
        canvas_.way = way_here(canvas_.atlas, canvas_.lens(), canvas_.seen);
        compose_canvas(ui_, session_, canvas_);
    }

    const Drawing& drawing() const { return canvas_.drawing; }
    std::size_t bytes() const;

  private:
    double timed() {
        const double begin = processor_microseconds();
        build();
        return processor_microseconds() - begin;
    }

    Session session_;
    Recorder recorder_;
    UiMemory memory_;
    const Ui ui_;
    CanvasView& canvas_;
    Camera far_, there_;
};

template <class Thing>
std::size_t size_of(const std::vector<Thing>& things) {
    return things.size() * sizeof(Thing);
}

// What is kept of the pages and of the drawing.
std::size_t Canvas::bytes() const {
    std::size_t sum = size_of(canvas_.drawing.boxes) + size_of(canvas_.drawing.lines) +
                      size_of(canvas_.drawing.batches) + size_of(canvas_.drawing.values) +
                      size_of(canvas_.drawing.labels) + size_of(canvas_.drawing.regions) + size_of(canvas_.atlas.pages);
    for (const Page& page : canvas_.atlas.pages) {
        const Scene& scene = page.scene;
        sum += size_of(scene.slabs) + size_of(scene.labels) + size_of(scene.wires) + size_of(scene.marks) +
               size_of(scene.frames) + size_of(scene.doors);
        for (const Wire& wire : scene.wires) sum += size_of(wire.points);
    }
    return sum;
}

std::vector<Preset> presets() {
    auto loaded = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    return loaded ? *std::move(loaded) : std::vector<Preset>{};
}

// The slowest of all presets and levels; `frame` builds the frame of that number.
template <class Frame>
void slowest(benchmark::State& state, int count, Frame frame) {
    const std::vector<Preset> all = presets();
    if (all.empty()) state.SkipWithError("the presets cannot be read");
    double worst = 0;
    for ([[maybe_unused]] auto _ : state)
        for (const Preset& preset : all) {
            Frames frames;
            Canvas canvas(frames, all, document_of(preset));
            for (const Level& level : levels) {
                canvas.go_to(level);
                std::vector<double> times;
                for (int i = 0; i < count; ++i) times.push_back(frame(canvas, i));
                const double middle = median(std::move(times));
                if (middle <= worst) continue;
                worst = middle;
                state.SetLabel(preset.id + ", " + level.name);
            }
        }
    state.counters["worst_us"] = worst;
}

void canvas_zooming(benchmark::State& state) {
    slowest(state, zoom_frames, [](Canvas& canvas, int frame) { return canvas.zoom(frame); });
}

void canvas_dragging(benchmark::State& state) {
    slowest(state, drag_frames, [](Canvas& canvas, int frame) { return canvas.drag(frame); });
}

// One model beside one that is much larger in one way. Frames of both alternate, so that whatever else the machine does
// falls on both. The counters are for the level at which the larger one costs most.
void grow(benchmark::State& state, const Document& small, const Document& large) {
    double zooming = 0, dragging = 0, bytes = 0;
    std::string where_zooming, where_dragging, where_bytes;
    for ([[maybe_unused]] auto _ : state) {
        Frames frames;
        const std::vector<Preset> all = presets();
        Canvas one(frames, all, small), many(frames, all, large);
        for (const Level& level : levels) {
            if (!level.alike) continue;
            one.go_to(level);
            many.go_to(level);
            const auto ratio = [&](auto frame) {
                std::vector<double> times_one, times_many;
                for (int i = 0; i < growth_frames; ++i) {
                    times_one.push_back(frame(one, i));
                    times_many.push_back(frame(many, i));
                }
                return median(std::move(times_many)) / median(std::move(times_one));
            };
            const auto keep = [&](double now, double& worst, std::string& where) {
                if (now > worst) where = level.name;
                worst = std::max(now, worst);
            };
            keep(ratio([](Canvas& canvas, int i) { return canvas.zoom(i); }), zooming, where_zooming);
            keep(static_cast<double>(many.bytes()) / static_cast<double>(one.bytes()), bytes, where_bytes);
            keep(ratio([](Canvas& canvas, int i) { return canvas.drag(i); }), dragging, where_dragging);
        }
    }
    state.SetLabel(where_zooming + " / " + where_dragging + " / " + where_bytes);
    state.counters["zooming"] = zooming;
    state.counters["dragging"] = dragging;
    state.counters["bytes"] = bytes;
}

// Llama 2 7B with other values of these fields.
Document with(std::initializer_list<std::pair<Field, const char*>> fields, std::int64_t tokens = 100) {
    const std::vector<Preset> all = presets();
    Document document = document_of(*find_preset(all, "llama-2-7b"));
    for (const auto& [field, value] : fields)
        if (auto edited = with_field(document.architecture, field, value)) document.architecture = *edited;
    document.base = document.architecture;
    document.input.tokens = tokens;
    return document;
}

void canvas_more_layers(benchmark::State& state) {
    grow(state, with({{Field::layers, "1"}}), with({{Field::layers, "1000"}}));
}

void canvas_more_heads(benchmark::State& state) {
    grow(state, with({{Field::head_dim, "128"}, {Field::kv_heads, "1"}, {Field::heads, "1"}}),
         with({{Field::head_dim, "128"}, {Field::heads, "1024"}, {Field::kv_heads, "1024"}}));
}

void canvas_more_words(benchmark::State& state) {
    grow(state, with({{Field::vocab, "1000"}}), with({{Field::vocab, "1000000"}}));
}

void canvas_more_tokens(benchmark::State& state) { grow(state, with({}, 100), with({}, 1'000'000)); }

// Of the renderer itself, over all presets and levels.
void canvas_calls(benchmark::State& state) {
    // Few pixels, because only the calls count: without a graphics card each pixel would be work.
    Result<Offscreen> offscreen = Offscreen::create(16, 16);
    if (!offscreen) return state.SkipWithError(sentence(offscreen.error()).c_str());
    Result<SceneRenderer> renderer = SceneRenderer::create();
    if (!renderer) return state.SkipWithError(sentence(renderer.error()).c_str());
    std::size_t most = 0;
    const std::vector<Preset> all = presets();
    for ([[maybe_unused]] auto _ : state)
        for (const Preset& preset : all) {
            Frames frames;
            Canvas canvas(frames, all, document_of(preset));
            for (const Level& level : levels)
                for (int frame = 0; frame < 25; frame += 4) {
                    if (frame == 0) canvas.go_to(level);
                    canvas.zoom(frame);
                    renderer->draw(canvas.drawing(), offscreen->height());
                    if (renderer->calls() <= most) continue;
                    most = renderer->calls();
                    state.SetLabel(preset.id + ", " + level.name);
                }
        }
    state.counters["most"] = static_cast<double>(most);
}

void once(benchmark::internal::Benchmark* each) { each->Iterations(1)->Unit(benchmark::kMillisecond); }

BENCHMARK(canvas_zooming)->Apply(once);
BENCHMARK(canvas_dragging)->Apply(once);
BENCHMARK(canvas_more_layers)->Apply(once);
BENCHMARK(canvas_more_heads)->Apply(once);
BENCHMARK(canvas_more_words)->Apply(once);
BENCHMARK(canvas_more_tokens)->Apply(once);
BENCHMARK(canvas_calls)->Apply(once);

}  // namespace
}  // namespace headcount
