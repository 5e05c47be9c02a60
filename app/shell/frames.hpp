// What moves, as pictures one after the other: the way to a place, a tour's steps, the words of a run.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "app/gl/pixels.hpp"
#include "app/gl/scene_renderer.hpp"
#include "app/state/options.hpp"
#include "app/state/session.hpp"
#include "core/base/result.hpp"

namespace headcount {

// How fast frames follow each other while something moves. The clock of what moves goes by less than that from one to
// the next, so that one can follow: a quarter as fast as in the window.
inline constexpr double seen_seconds = 1.0 / 25, clock_seconds = 1.0 / 100;

// A frame, and for how long it is seen.
using TakeFrame = std::function<std::optional<Error>(const Pixels& pixels, double seconds)>;

// Of the tour that runs its steps from this one on; else to the place `at`, where that is not the whole model; else as
// many words as the Run view's model makes. The same session gives the same frames. Errors: those of draw_picture, and
// what `take` returns, which ends it. It draws in the OpenGL context that is current.
// `density`: dots for each length of the window.
std::optional<Error> draw_frames(Session session, const RenderOptions& options, SceneRenderer& scenes,
                                 const TakeFrame& take, float density = 1);

// Writes them where the options say: numbered PNG files in a folder of their own, with a list of how long each is seen
// that ffmpeg reads. Returns the list. Without `scenes` it makes a context of its own.
Result<std::filesystem::path> write_frames(Session session, const RenderOptions& options,
                                           SceneRenderer* scenes = nullptr, float density = 1);

}  // namespace headcount
