// A framebuffer with no window, a drawing in it, and its pixels.
#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "app/gl/offscreen.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/scene_renderer.hpp"

namespace headcount::test {

constexpr Rgba opaque(unsigned red, unsigned green, unsigned blue, unsigned alpha = 255) {
    return red | green << 8 | blue << 16 | alpha << 24;
}
inline constexpr Rgba white = opaque(255, 255, 255), red = opaque(255, 0, 0), green = opaque(0, 255, 0),
                      blue = opaque(0, 0, 255), grey = opaque(100, 100, 100);

// Tests that draw skip where there is no OpenGL at all.
class CanvasTest : public testing::Test {
  protected:
    static constexpr int width = 200, height = 120;

    void SetUp() override {
        open(width, height);
        if (offscreen) show_flat();
    }

    void open(int wide, int high) {
        renderer.reset();
        offscreen.reset();
        Result<Offscreen> made = Offscreen::create(wide, high);
        if (!made) GTEST_SKIP() << sentence(made.error());
        offscreen = std::make_unique<Offscreen>(*std::move(made));
        Result<SceneRenderer> drawer = SceneRenderer::create();
        ASSERT_TRUE(drawer) << sentence(drawer.error());
        renderer = std::make_unique<SceneRenderer>(*std::move(drawer));
        drawing.area = {{0, 0}, {static_cast<float>(wide), static_cast<float>(high)}};
    }

    // From above, a pixel of the drawing on each pixel, (0, 0) at the top left of the area.
    void show_flat() {
        const float wide = drawing.area.width(), high = drawing.area.height();
        drawing.view_projection = {2 / wide, 0, 0, 0, 0, -2 / high, 0, 0, 0, 0, 0, 0, -1, 1, 0, 1};
    }

    void draw() {
        offscreen->clear({0, 0, 0, 1});
        renderer->draw(drawing, offscreen->height());
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        pixels = offscreen->read();
        if (const char* folder = std::getenv("HEADCOUNT_KEEP_PICTURES"))
            (void)write_png(std::filesystem::path(folder) /
                                (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".png"),
                            pixels);
    }

    std::array<int, 3> pixel(int x, int y) const {
        const std::size_t at = 4 * static_cast<std::size_t>(y * pixels.width + x);
        return {pixels.rgba[at], pixels.rgba[at + 1], pixels.rgba[at + 2]};
    }

    // The colour there is this one, but for rounding.
    testing::AssertionResult is(int x, int y, Rgba colour, int tolerance = 2) const {
        const auto [r, g, b] = pixel(x, y);
        const int wanted[3] = {static_cast<int>(colour & 255), static_cast<int>(colour >> 8 & 255),
                               static_cast<int>(colour >> 16 & 255)};
        if (std::abs(r - wanted[0]) <= tolerance && std::abs(g - wanted[1]) <= tolerance &&
            std::abs(b - wanted[2]) <= tolerance)
            return testing::AssertionSuccess();
        return testing::AssertionFailure() << "at " << x << "," << y << " is " << r << "," << g << "," << b << ", not "
                                           << wanted[0] << "," << wanted[1] << "," << wanted[2];
    }

    std::unique_ptr<Offscreen> offscreen;
    std::unique_ptr<SceneRenderer> renderer;
    Drawing drawing;
    Pixels pixels;
};

inline constexpr Rgba black = opaque(0, 0, 0);

}  // namespace headcount::test
