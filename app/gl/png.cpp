// The only place that knows stb_image_write.
#include "app/gl/png.hpp"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>

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
    static_cast<std::ofstream*>(file)->write(static_cast<const char*>(bytes), size);
}

}  // namespace

Result<std::filesystem::path> write_png(const std::filesystem::path& file, const Pixels& pixels) {
    assert(pixels.rgba.size() == std::size_t{4} * static_cast<std::size_t>(pixels.width * pixels.height));
    const auto failed = [&] {
        return Error{std::string("the picture cannot be written (") + std::strerror(errno) + ")", file.string(),
                     "choose a folder that exists and that you may write to"};
    };
    errno = 0;
    std::ofstream out(file, std::ios::binary);
    if (!out) return failed();
    const int stride = pixels.width * 4;
    const int written =
        stbi_write_png_to_func(append, &out, pixels.width, pixels.height, 4, pixels.rgba.data(), stride);
    out.close();
    if (!written || !out) return failed();
    return file;
}

}  // namespace headcount
