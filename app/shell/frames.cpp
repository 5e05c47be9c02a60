// The clock is stepped, and what comes of it drawn; what stays the same for several frames is one.
#include "app/shell/frames.hpp"

#include <array>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "app/gl/offscreen.hpp"
#include "app/shell/slide.hpp"
#include "app/shell/work.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/page.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/tour_run.hpp"
#include "core/base/write_file.hpp"

namespace headcount {
namespace {

constexpr double before_seconds = 1, step_seconds = 4, word_seconds = 0.7, end_seconds = 2;
constexpr int most_words = 16;
constexpr const char* list_name = "frames.txt";
constexpr int fewest_built = 3, most_built = 600;  // from one rest to the next

// ImGui's context as it was comes back.
class OtherContext {
  public:
    OtherContext() { ImGui::SetCurrentContext(nullptr); }
    ~OtherContext() { ImGui::SetCurrentContext(before_); }
    OtherContext(const OtherContext&) = delete;
    OtherContext& operator=(const OtherContext&) = delete;

  private:
    ImGuiContext* before_ = ImGui::GetCurrentContext();
};

// The window with nobody before it.
class Stage {
  public:
    Stage(Session& session, const Slide& slide, SceneRenderer& scenes, PictureSize size, const TakeFrame& take,
          float density)
        : session_(session), slide_(slide), scenes_(scenes), take_(take), density_(density) {
        interface_.paint_with([](const Drawing&) {});
        ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(size.width), static_cast<float>(size.height));
        interface_.prepare(session.view, 1, ImGui::GetIO().DisplaySize);
        interface_.refine(static_cast<float>(slide.pixels) * density);  // once and not for each frame
        session.view.reduced_motion = true;
        for (int i = 0; i < fewest_built || (interface_.moving() && i < most_built); ++i) build();
        session.view.reduced_motion = false;
    }

    // What is seen, for so long.
    std::optional<Error> show(double seconds) {
        ImGui::GetIO().DeltaTime = 1e-6F;
        const Result<Pixels> pixels = draw_slide(interface_, backend_, scenes_, session_, slide_, {}, density_);
        return pixels ? take_(*pixels, seconds) : pixels.error();
    }

    // All that moves, until it rests, and that for so long.
    std::optional<Error> go(double seconds) {
        for (int i = 0; i < fewest_built || (interface_.moving() && i < most_built); ++i) {
            build();
            if (auto error = show(seen_seconds)) return error;
        }
        return show(seconds);
    }

  private:
    void build() {
        ImGui::GetIO().DeltaTime = static_cast<float>(clock_seconds);
        if (interface_.prepare(session_.view, 1, ImGui::GetIO().DisplaySize)) backend_.forget_fonts();
        backend_.begin_frame();
        const Intents intents = interface_.draw(session_);
        headcount::apply(session_, intents);
    }

    Session& session_;
    const Slide& slide_;
    SceneRenderer& scenes_;
    const TakeFrame& take_;
    const float density_;
    const OtherContext other_;
    Interface interface_;
    const OpenGlBackend backend_;
};

std::optional<Error> show_tour(Session& session, Stage& stage) {
    std::optional<Error> error = stage.show(step_seconds);
    while (!error && session.run && session.view.show.step + 1 < session.run->tour.steps.size()) {
        headcount::apply(session, Intents{StepTour{.by = 1, .whole = true}});
        work_for_step(session);
        error = stage.go(step_seconds);
    }
    return error;
}

std::optional<Error> show_words(Session& session, Stage& stage) {
    std::optional<Error> error = stage.show(before_seconds);
    for (int i = 0; i < most_words && !error && session.running.runner; ++i) {
        session.running.runner->step();
        finish_run(session);
        error = stage.go(word_seconds);
    }
    return error ? error : stage.show(end_seconds);
}

}  // namespace

std::optional<Error> draw_frames(Session session, const RenderOptions& options, SceneRenderer& scenes,
                                 const TakeFrame& take, float density) {
    if (options.slide.of == Slide::Of::diagram) session.view.chrome = false;  // it fills the picture
    const bool words = !session.run && options.at.id.empty();
    if (words) {
        session.view.run.speed = RunSpeed::most;  // a step is a word
        finish_run(session);
    }
    Stage stage(session, options.slide, scenes, options.size, take, density);
    if (session.run) return show_tour(session, stage);
    if (words) return show_words(session, stage);
    if (auto error = stage.show(before_seconds)) return error;
    go_to(model_in_view(session).look, options.at);
    return stage.go(end_seconds);
}

namespace {

// An empty folder, or a new one: frames of another time among these would be shown with them.
std::optional<Error> make_folder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) return Error{"the folder cannot be made: " + problem.message(), folder.string(), "name another one"};
    const bool empty = std::filesystem::is_empty(folder, problem);
    if (problem) return Error{"the folder cannot be read: " + problem.message(), folder.string(), "name another one"};
    if (!empty) return Error{"there are files in this folder", folder.string(), "name a new one, or empty it"};
    return std::nullopt;
}

// Where the frames go, one behind the other.
class Frames {
  public:
    explicit Frames(const RenderOptions& options) : options_(options) {}

    std::optional<Error> take(const Pixels& pixels, double seconds) {
        std::optional<Error> error;
        if (seconds_ > 0 && !(pixels == last_)) error = write();
        last_ = pixels;
        seconds_ += seconds;
        return error;
    }

    std::optional<Error> finish() {
        std::optional<Error> error = write();
        if (error) return error;
        list_ += "file " + name_ + '\n';  // ffmpeg takes no notice of the last one's time otherwise
        const auto written = write_text(options_.frames / list_name, list_);
        return written ? std::nullopt : std::optional(written.error());
    }

  private:
    std::optional<Error> write() {
        const double seconds = std::exchange(seconds_, 0);
        std::array<char, 16> name{}, time{};
        std::snprintf(name.data(), name.size(), "%04d.png", ++count_);
        std::snprintf(time.data(), time.size(), "%.2f", seconds);
        name_ = name.data();
        list_ += "file " + name_ + "\nduration " + time.data() + '\n';
        const auto written = write_png(options_.frames / name_, last_);
        return written ? std::nullopt : std::optional(written.error());
    }

    const RenderOptions& options_;
    Pixels last_;
    double seconds_ = 0;  // that the last one is seen for; 0: there is none to be written
    int count_ = 0;
    std::string name_, list_ = "ffconcat version 1.0\n";
};

}  // namespace

Result<std::filesystem::path> write_frames(Session session, const RenderOptions& options, SceneRenderer* scenes,
                                           float density) {
    if (!scenes) {
        Result<Offscreen> offscreen = Offscreen::create(options.size.width, options.size.height);
        if (!offscreen) return offscreen.error();
        Result<SceneRenderer> own = SceneRenderer::create();
        return own ? write_frames(std::move(session), options, &*own) : own.error();
    }
    if (auto error = make_folder(options.frames)) return *std::move(error);
    Frames frames(options);
    std::optional<Error> error = draw_frames(
        std::move(session), options, *scenes,
        [&](const Pixels& pixels, double seconds) { return frames.take(pixels, seconds); }, density);
    if (!error) error = frames.finish();
    if (error) return *std::move(error);
    return options.frames / list_name;
}

}  // namespace headcount
