// Loading OpenGL, and the calls that every frame makes.
#include "app/gl/opengl.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <cstddef>

namespace headcount {

namespace {

// What was drawn over nothing has been multiplied by it.
void divide_by_alpha(Pixels& pixels) {
    for (std::size_t i = 0; i < pixels.rgba.size(); i += 4) {
        const unsigned alpha = pixels.rgba[i + 3];
        if (alpha == 0) continue;
        for (std::size_t part = i; part < i + 3; ++part)
            pixels.rgba[part] =
                static_cast<std::uint8_t>(std::min(255U, (pixels.rgba[part] * 255U + alpha / 2) / alpha));
    }
}

}  // namespace

std::optional<Error> load_opengl(OpenGlLoader loader) {
#ifdef __EMSCRIPTEN__
    static_cast<void>(loader);  // the browser has them linked already, and no context below WebGL 2
#else
    const int version = gladLoadGL(loader);
    if (version < GLAD_MAKE_VERSION(3, 3))
        return Error{version == 0 ? "OpenGL could not be loaded" : "OpenGL is older than 3.3", "OpenGL",
                     "update the graphics driver, or install Mesa (Debian: libgl1-mesa-dri)"};
#endif
    return std::nullopt;
}

void clear_frame(int width, int height, const std::array<float, 4>& rgba) {
    glViewport(0, 0, width, height);
    glClearColor(rgba[0], rgba[1], rgba[2], rgba[3]);
    glClear(GL_COLOR_BUFFER_BIT);
}

Pixels read_frame(int width, int height, Backing backing) {
    const std::size_t stride = 4 * static_cast<std::size_t>(width);
    Pixels pixels{width, height, std::vector<std::uint8_t>(stride * static_cast<std::size_t>(height))};
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.rgba.data());
    if (backing == Backing::solid)
        for (std::size_t i = 3; i < pixels.rgba.size(); i += 4) pixels.rgba[i] = 255;
    else
        divide_by_alpha(pixels);
    // OpenGL's first row is the bottom one.
    for (int row = 0; row < height / 2; ++row) {
        const auto top = pixels.rgba.begin() + static_cast<std::ptrdiff_t>(stride) * row;
        const auto bottom = pixels.rgba.begin() + static_cast<std::ptrdiff_t>(stride) * (height - 1 - row);
        std::swap_ranges(top, top + static_cast<std::ptrdiff_t>(stride), bottom);
    }
    return pixels;
}

}  // namespace headcount
