// Where frames of what moves are written: numbered pictures in a folder, or an animated GIF.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/shell/film.hpp"

namespace headcount {

// Whether it is called as a GIF is.
bool is_gif(const std::filesystem::path& file);

// A film that is being written, by one frame after the other, so that whoever does it can do something else meanwhile.
// Numbered PNG files in a folder of their own, with a list of how long each is seen that ffmpeg reads; or a GIF.
class Filming {
  public:
    // As the options say. Errors: there is something in the folder, or it cannot be made; those of GifFile.
    static Result<std::unique_ptr<Filming>> begin(Session session, const RenderOptions& options, SceneRenderer& scenes,
                                                  float density = 1);
    virtual ~Filming() = default;  // without having come to its end nothing of it is left
    Filming(const Filming&) = delete;
    Filming& operator=(const Filming&) = delete;

    // One frame more. What was written, once that is all: the list, or the GIF. Errors: those of Film, and of writing.
    Result<std::optional<std::filesystem::path>> go_on();

    const Film& film() const { return film_; }
    std::size_t frames() const { return frames_; }                 // so far
    const std::filesystem::path& place() const { return place_; }  // the folder, or the GIF

  protected:
    Filming(Session session, const RenderOptions& options, SceneRenderer& scenes, float density)
        : film_(std::move(session), options, scenes, density), place_(options.frames) {}

  private:
    virtual std::optional<Error> write(const FilmFrame& frame) = 0;
    virtual Result<std::filesystem::path> finish() = 0;

    Film film_;
    const std::filesystem::path place_;
    std::size_t frames_ = 0;
    std::optional<FilmFrame> last_;  // which is written once it is known for how long it is seen
};

// All of it. Returns what was written. Without `scenes` it makes a context of its own.
Result<std::filesystem::path> write_frames(Session session, const RenderOptions& options,
                                           SceneRenderer* scenes = nullptr, float density = 1);

}  // namespace headcount
