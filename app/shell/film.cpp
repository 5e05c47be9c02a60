// The clock is stepped, and what comes of it drawn.
#include "app/shell/film.hpp"

#include <algorithm>
#include <utility>

#include "app/shell/slide.hpp"
#include "app/shell/work.hpp"
#include "app/state/in_view.hpp"
#include "app/state/run/page.hpp"
#include "app/state/run/runner.hpp"
#include "app/state/tour_run.hpp"

namespace headcount {
namespace {

constexpr double before_seconds = 1, step_seconds = 4, word_seconds = 0.7, end_seconds = 2;
constexpr int most_words = 16;
constexpr int fewest_built = 3, most_built = 600;  // from one rest to the next
constexpr int learnt_at_once = 12;                 // steps of a training, in about the time of a frame

// ImGui's context as it was comes back.
class KeptContext {
  public:
    explicit KeptContext(ImGuiContext* meanwhile) { ImGui::SetCurrentContext(meanwhile); }
    ~KeptContext() { ImGui::SetCurrentContext(before_); }
    KeptContext(const KeptContext&) = delete;
    KeptContext& operator=(const KeptContext&) = delete;

  private:
    ImGuiContext* before_ = ImGui::GetCurrentContext();
};

}  // namespace

// The window with nobody before it.
class Film::Stage {
  public:
    Stage(Session& session, const RenderOptions& options, SceneRenderer& scenes, float density)
        : session_(session), slide_(options.slide), scenes_(scenes), density_(density) {
        const KeptContext kept(nullptr);
        parts_.emplace();
        own_ = ImGui::GetCurrentContext();
        Interface& interface = parts_->interface;
        interface.paint_with([](const Drawing&) {});
        ImGui::GetIO().DisplaySize =
            ImVec2(static_cast<float>(options.size.width), static_cast<float>(options.size.height));
        interface.prepare(session.view, 1, ImGui::GetIO().DisplaySize);
        interface.refine(static_cast<float>(slide_.pixels) * density);  // once and not for each frame
    }
    ~Stage() {
        const KeptContext kept(own_);
        parts_.reset();
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    // What is seen, for so long.
    Result<FilmFrame> show(double seconds) {
        const KeptContext kept(own_);
        ImGui::GetIO().DeltaTime = 1e-6F;
        Result<Pixels> pixels = draw_slide(parts_->interface, parts_->backend, scenes_, session_, slide_, {}, density_);
        if (!pixels) return pixels.error();
        return FilmFrame{*std::move(pixels), seconds};
    }

    // Everything is at once where it would come to rest.
    void settle() {
        const KeptContext kept(own_);
        session_.view.reduced_motion = true;
        for (int i = 0; i < fewest_built || (parts_->interface.moving() && i < most_built); ++i) make_frame();
        session_.view.reduced_motion = false;
    }

    // The clock goes on. Whether anything still moves.
    bool build() {
        const KeptContext kept(own_);
        make_frame();
        return parts_->interface.moving();
    }

  private:
    struct Parts {
        Interface interface;
        const OpenGlBackend backend;
    };

    void make_frame() {
        Interface& interface = parts_->interface;
        ImGui::GetIO().DeltaTime = static_cast<float>(clock_seconds);
        if (interface.prepare(session_.view, 1, ImGui::GetIO().DisplaySize)) parts_->backend.forget_fonts();
        parts_->backend.begin_frame();
        const Intents intents = interface.draw(session_);
        headcount::apply(session_, intents);
    }

    Session& session_;
    const Slide slide_;
    SceneRenderer& scenes_;
    const float density_;
    ImGuiContext* own_ = nullptr;
    std::optional<Parts> parts_;  // which are gone before their context is left
};

Film::Film(Session session, const RenderOptions& options, SceneRenderer& scenes, float density)
    : session_(std::move(session)) {
    if (options.slide.of == Slide::Of::diagram) session_.view.chrome = false;  // it fills the picture
    plan(options);
    begin_work();
    stage_ = std::make_unique<Stage>(session_, options, scenes, density);
}

Film::~Film() = default;

void Film::begin_work() { learns_ = to_learn_ = begin_work_for_step(session_); }

void Film::plan(const RenderOptions& options) {
    if (session_.run) {
        scenes_.push_back({{}, step_seconds});
        for (std::size_t presses = presses_left(session_); presses > 0; --presses)
            scenes_.push_back({[this] {
                                   headcount::apply(session_, Intents{StepTour{1}});
                                   begin_work();
                               },
                               step_seconds});
        return;
    }
    scenes_.push_back({{}, before_seconds});
    if (!options.at.id.empty()) {
        scenes_.push_back({[this, at = options.at] { go_to(model_in_view(session_).look, at); }, end_seconds});
        return;
    }
    session_.view.run.speed = RunSpeed::most;  // a step is a word
    finish_run(session_);
    for (int i = 0; i < most_words && session_.running.runner; ++i)
        scenes_.push_back({[this] {
                               session_.running.runner->step();
                               finish_run(session_);
                           },
                           word_seconds});
    scenes_.push_back({{}, end_seconds});
}

Result<std::optional<FilmFrame>> Film::next() {
    if (over()) return std::optional<FilmFrame>();
    const Scene& scene = scenes_[scene_];
    if (!std::exchange(begun_, true) && scene.begin) scene.begin();
    if (to_learn_ > 0) {
        const int steps = std::min(to_learn_, learnt_at_once);
        learn(session_, steps);
        to_learn_ -= steps;
        return std::optional<FilmFrame>();
    }
    const bool moves = scene.begin && (built_ < fewest_built || (moves_ && built_ < most_built));
    if (moves) {
        moves_ = stage_->build();
        ++built_;
    } else if (scene_ == 0) {
        stage_->settle();
    }
    Result<FilmFrame> frame = stage_->show(moves ? seen_seconds : scene.seconds);
    if (!frame) return frame.error();
    if (!moves) {
        ++scene_;
        begun_ = false;
        built_ = 0;
    }
    return std::optional(*std::move(frame));
}

}  // namespace headcount
