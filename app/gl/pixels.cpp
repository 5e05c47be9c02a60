// Writing a picture: the only place that knows stb_image_write, and zlib, which packs six times as fast as it.
#include "app/gl/pixels.hpp"

#include <cassert>
#include <cstddef>
#include <cstdlib>

#include "core/base/write_file.hpp"

#if HEADCOUNT_ZLIB
#include <zlib.h>

namespace headcount {
namespace {

// As stb_image_write asks for it: the packed bytes lie in memory of malloc; null: there is none.
unsigned char* pack(unsigned char* bytes, int size, int* packed_size, int) {
    constexpr int quick = 3;  // smaller than by stb_image_write; the next level takes twice as long for nothing
    uLongf room = compressBound(static_cast<uLong>(size));
    auto* const packed = static_cast<unsigned char*>(std::malloc(room));
    if (!packed || compress2(packed, &room, bytes, static_cast<uLong>(size), quick) != Z_OK) {
        std::free(packed);
        return nullptr;
    }
    *packed_size = static_cast<int>(room);
    return packed;
}

}  // namespace
}  // namespace headcount
#define STBIW_ZLIB_COMPRESS headcount::pack
#endif

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

constexpr std::size_t alpha = 3;  // of four channels

bool is_opaque(const Pixels& pixels) {
    for (std::size_t i = alpha; i < pixels.rgba.size(); i += alpha + 1)
        if (pixels.rgba[i] != 255) return false;
    return true;
}

std::vector<std::uint8_t> without_alpha(const Pixels& pixels) {
    std::vector<std::uint8_t> rgb;
    rgb.reserve(pixels.rgba.size() / (alpha + 1) * alpha);
    for (auto at = pixels.rgba.begin(); at != pixels.rgba.end(); at += alpha + 1) rgb.insert(rgb.end(), at, at + alpha);
    return rgb;
}

}  // namespace

Result<std::filesystem::path> write_png(const std::filesystem::path& file, const Pixels& pixels) {
    assert(pixels.rgba.size() == std::size_t{4} * static_cast<std::size_t>(pixels.width * pixels.height));
    Result<OutputFile> out = OutputFile::open(file);
    if (!out) return out.error();
    // What is drawn is flat: its rows repeat themselves, and compress best and three times as fast as they are.
    stbi_write_force_png_filter = 0;
    const bool opaque = is_opaque(pixels);
    const int channels = opaque ? 3 : 4;
    const std::vector<std::uint8_t> rgb = opaque ? without_alpha(pixels) : std::vector<std::uint8_t>();
    if (!stbi_write_png_to_func(append, &*out, pixels.width, pixels.height, channels,
                                opaque ? rgb.data() : pixels.rgba.data(), pixels.width * channels))
        return Error{"there is no memory for the picture", file.string(), "make it smaller"};
    if (std::optional<Error> error = out->finish()) return *std::move(error);
    return file;
}

}  // namespace headcount
