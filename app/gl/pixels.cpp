// Writing a picture: the only place that knows stb_image_write.
#include "app/gl/pixels.hpp"

#include <cassert>
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
