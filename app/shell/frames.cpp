// What stays the same for several frames is one.
#include "app/shell/frames.hpp"

#include <array>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

#include "app/gl/gif.hpp"
#include "app/gl/offscreen.hpp"
#include "core/base/text.hpp"
#include "core/base/write_file.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = "frames.txt";

// An empty folder, or a new one: frames of another time among these would be shown with them. Whether it is new.
Result<bool> make_folder(const fs::path& folder) {
    std::error_code problem;
    const bool made = fs::create_directories(folder, problem);
    if (problem) return Error{"the folder cannot be made: " + problem.message(), folder.string(), "name another one"};
    const bool empty = fs::is_empty(folder, problem);
    if (problem) return Error{"the folder cannot be read: " + problem.message(), folder.string(), "name another one"};
    if (!empty) return Error{"there are files in this folder", folder.string(), "name a new one, or empty it"};
    return made;
}

class IntoFolder final : public Filming {
  public:
    IntoFolder(Session session, const RenderOptions& options, SceneRenderer& scenes, float density, bool made)
        : Filming(std::move(session), options, scenes, density), made_(made) {}
    ~IntoFolder() override {
        if (whole_) return;
        std::error_code ignored;
        for (int i = 1; i <= count_; ++i) fs::remove(place() / name_of(i), ignored);
        if (made_) fs::remove(place(), ignored);
    }
    IntoFolder(const IntoFolder&) = delete;
    IntoFolder& operator=(const IntoFolder&) = delete;

  private:
    static std::string name_of(int number) {
        std::array<char, 16> name{};
        std::snprintf(name.data(), name.size(), "%04d.png", number);
        return name.data();
    }

    std::optional<Error> write(const FilmFrame& frame) override {
        std::array<char, 16> time{};
        std::snprintf(time.data(), time.size(), "%.2f", frame.seconds);
        const std::string name = name_of(++count_);
        list_ += "file " + name + "\nduration " + time.data() + '\n';
        const auto written = write_png(place() / name, frame.pixels);
        return written ? std::nullopt : std::optional(written.error());
    }

    Result<fs::path> finish() override {
        list_ += "file " + name_of(count_) + '\n';  // ffmpeg takes no notice of the last one's time otherwise
        Result<fs::path> written = write_text(place() / list_name, list_);
        whole_ = static_cast<bool>(written);
        return written;
    }

    const bool made_;     // here
    bool whole_ = false;  // all of it is there
    int count_ = 0;
    std::string list_ = "ffconcat version 1.0\n";
};

class IntoGif final : public Filming {
  public:
    IntoGif(Session session, const RenderOptions& options, SceneRenderer& scenes, float density, GifFile gif)
        : Filming(std::move(session), options, scenes, density), gif_(std::move(gif)) {}

  private:
    std::optional<Error> write(const FilmFrame& frame) override { return gif_.add(frame.pixels, frame.seconds); }

    Result<fs::path> finish() override {
        if (std::optional<Error> error = gif_.finish()) return *std::move(error);
        return place();
    }

    GifFile gif_;
};

}  // namespace

bool is_gif(const fs::path& file) { return lower(file.extension().string()) == ".gif"; }

Result<std::unique_ptr<Filming>> Filming::begin(Session session, const RenderOptions& options, SceneRenderer& scenes,
                                                float density) {
    if (is_gif(options.frames)) {
        Result<GifFile> gif = GifFile::open(options.frames);
        if (!gif) return gif.error();
        return std::unique_ptr<Filming>(
            std::make_unique<IntoGif>(std::move(session), options, scenes, density, *std::move(gif)));
    }
    const Result<bool> made = make_folder(options.frames);
    if (!made) return made.error();
    return std::unique_ptr<Filming>(std::make_unique<IntoFolder>(std::move(session), options, scenes, density, *made));
}

Result<std::optional<fs::path>> Filming::go_on() {
    Result<std::optional<FilmFrame>> next = film_.next();
    if (!next) return next.error();
    if (std::optional<FilmFrame>& frame = *next) {
        ++frames_;
        if (last_ && last_->pixels == frame->pixels) {
            last_->seconds += frame->seconds;
        } else {
            if (last_)
                if (std::optional<Error> error = write(*last_)) return *std::move(error);
            last_ = std::move(frame);
        }
    }
    if (!film_.over()) return std::optional<fs::path>();
    if (std::optional<Error> error = write(*last_)) return *std::move(error);
    Result<fs::path> written = finish();
    if (!written) return written.error();
    return std::optional(*std::move(written));
}

Result<fs::path> write_frames(Session session, const RenderOptions& options, SceneRenderer* scenes, float density) {
    if (!scenes) {
        Result<Offscreen> offscreen = Offscreen::create(options.size.width, options.size.height);
        if (!offscreen) return offscreen.error();
        Result<SceneRenderer> own = SceneRenderer::create();
        return own ? write_frames(std::move(session), options, &*own) : own.error();
    }
    Result<std::unique_ptr<Filming>> filming = Filming::begin(std::move(session), options, *scenes, density);
    if (!filming) return filming.error();
    while (true) {
        Result<std::optional<fs::path>> written = (*filming)->go_on();
        if (!written) return written.error();
        if (*written) return **std::move(written);
    }
}

}  // namespace headcount
