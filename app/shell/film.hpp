// What moves, frame by frame: the way to a place, a tour's steps, the words of a run.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/gl/pixels.hpp"
#include "app/gl/scene_renderer.hpp"
#include "app/state/session.hpp"
#include "app/state/window_options.hpp"
#include "core/base/result.hpp"

namespace headcount {

// How fast frames follow each other while something moves. The clock of what moves goes by less than that from one to
// the next, so that one can follow: a quarter as fast as in the window.
inline constexpr double seen_seconds = 1.0 / 25, clock_seconds = 1.0 / 100;

// A frame, and for how long it is seen.
struct FilmFrame {
    Pixels pixels;
    double seconds = 0;

    bool operator==(const FilmFrame&) const = default;
};

// The same session gives the same frames.
class Film {
  public:
    // Of the tour that runs its steps from this one on, each behind its question with the answer; else to the place
    // `at`, where that is not the whole model; else as many words as the Run view's model makes. It draws in the OpenGL
    // context that is current, then and for each frame. `density`: dots for each length of the window.
    Film(Session session, const RenderOptions& options, SceneRenderer& scenes, float density = 1);
    ~Film();
    Film(const Film&) = delete;
    Film& operator=(const Film&) = delete;

    // The next one; nothing where it is not there yet, since what it shows is being computed, or where there are no
    // more. It takes about as long as a frame of the window. Errors: those of draw_picture.
    Result<std::optional<FilmFrame>> next();

    bool over() const { return scene_ == scenes_.size(); }
    // Of its scenes (steps, answers, words, the way), which is on now, from 0.
    std::size_t scene() const { return scene_; }
    // The same of all, and how far what that shows is learned; whoever keeps the frames counts them.
    FilmProgress progress() const {
        const int learns = to_learn_ > 0 ? learns_ : 0;
        return {.scene = scene_, .scenes = scenes_.size(), .learnt = learns - to_learn_, .to_learn = learns};
    }

  private:
    class Stage;
    // What begins it, after which everything moves until it rests; nothing: all stays. Then it is seen for so long.
    struct Scene {
        std::function<void()> begin;
        double seconds = 0;
    };

    void plan(const RenderOptions& options);
    void begin_work();

    Session session_;
    std::unique_ptr<Stage> stage_;
    std::vector<Scene> scenes_;
    std::size_t scene_ = 0;
    bool begun_ = false;             // the scene has
    bool moves_ = false;             // something did in the last frame
    int built_ = 0;                  // frames of it
    int learns_ = 0, to_learn_ = 0;  // steps of a training, before it can be seen: all, and those that are left
};

}  // namespace headcount
