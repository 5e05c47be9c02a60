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
    const auto failed = [&](const char* reason) {
        return Error{std::string("the picture cannot be written (") + reason + ")", file.string(),
                     "choose a folder that exists and that you may write to"};
    };
    // Beside the file until all of it is there, so that a disk that becomes full does not cost the picture before. A
    // device or a pipe has no place beside it.
    std::error_code ignored, failure;
    const std::filesystem::file_status there = std::filesystem::status(file, ignored);
    const bool direct = std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
    const std::filesystem::path target =
        std::filesystem::is_symlink(file, ignored) && !direct ? std::filesystem::weakly_canonical(file, ignored) : file;
    std::filesystem::path part = target;
    if (!direct) part += ".part";
    errno = 0;
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    if (!out) return failed(std::strerror(errno));
    const int stride = pixels.width * 4;
    const int written =
        stbi_write_png_to_func(append, &out, pixels.width, pixels.height, 4, pixels.rgba.data(), stride);
    out.close();
    const bool whole = written && out;
    const std::string reason = std::strerror(errno);
    if (whole && !direct) std::filesystem::rename(part, target, failure);
    if (whole && !failure) return file;
    if (!direct) std::filesystem::remove(part, ignored);
    return failed(failure ? failure.message().c_str() : reason.c_str());
}

}  // namespace headcount
