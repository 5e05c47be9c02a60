// Cutting a part out of a picture, and writing one: the only place that knows stb_image_write.
#include "app/gl/pixels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

#include "core/base/write_file.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace headcount {

namespace {

void append(void* file, void* bytes, int size) {
    static_cast<OutputFile*>(file)->write({static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
}

}  // namespace

Pixels cut_out(const Pixels& whole, const std::array<float, 4>& edges, float density) {
    const auto pixel = [&](float edge, int most) {
        return static_cast<int>(std::clamp(std::round(edge * density), 0.0F, static_cast<float>(most)));
    };
    const int left = pixel(edges[0], whole.width), top = pixel(edges[1], whole.height);
    const int right = pixel(edges[2], whole.width), bottom = pixel(edges[3], whole.height);
    if (right <= left || bottom <= top) return whole;
    Pixels part{right - left, bottom - top, {}};
    for (int row = top; row < bottom; ++row) {
        const auto from = (static_cast<std::ptrdiff_t>(row) * whole.width + left) * 4;
        const auto first = whole.rgba.begin() + from;
        part.rgba.insert(part.rgba.end(), first, first + static_cast<std::ptrdiff_t>(part.width) * 4);
    }
    return part;
}

Result<std::filesystem::path> write_png(const std::filesystem::path& file, const Pixels& pixels) {
    assert(pixels.rgba.size() == std::size_t{4} * static_cast<std::size_t>(pixels.width * pixels.height));
    Result<OutputFile> out = OutputFile::open(file);
    if (!out) return out.error();
    const int stride = pixels.width * 4;
    if (!stbi_write_png_to_func(append, &*out, pixels.width, pixels.height, 4, pixels.rgba.data(), stride))
        return Error{"there is no memory for the picture", file.string(), "make it smaller"};
    if (std::optional<Error> error = out->finish()) return *std::move(error);
    return file;
}

}  // namespace headcount
