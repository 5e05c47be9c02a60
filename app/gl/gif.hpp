// Pictures one after the other in one file, as browsers and slides play them: an animated GIF.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "app/gl/pixels.hpp"
#include "core/base/result.hpp"

namespace headcount {

// A GIF 89a that plays again and again. A frame has the colours that are new in it, at most 255: where it has more,
// those that lie near each other become one. What stays as it was is not written again.
class GifFile {
  public:
    // Errors: this build writes none; those of OutputFile.
    static Result<GifFile> open(const std::filesystem::path& file);

    GifFile(GifFile&&) noexcept;
    GifFile& operator=(GifFile&&) noexcept;
    ~GifFile();  // without `finish` nothing has happened

    // All of one size; seen for so long. Errors: a side is longer than the format can say (65,535).
    std::optional<Error> add(const Pixels& pixels, double seconds);
    std::optional<Error> finish();

  private:
    struct Writer;
    explicit GifFile(std::unique_ptr<Writer> writer);

    std::unique_ptr<Writer> writer_;
};

}  // namespace headcount
