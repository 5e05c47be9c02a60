// Pictures without a window: what is drawn comes back pixel by pixel, and wrong sizes are refused.
#include "app/gl/offscreen.hpp"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace headcount {
namespace {

std::array<int, 4> pixel(const Pixels& pixels, int x, int y) {
    const std::size_t at = 4 * static_cast<std::size_t>(y * pixels.width + x);
    return {pixels.rgba[at], pixels.rgba[at + 1], pixels.rgba[at + 2], pixels.rgba[at + 3]};
}

TEST(Offscreen, GivesAnOpenGl33ContextWithNoDisplay) {
    if (!HEADCOUNT_EGL) GTEST_SKIP() << "without EGL a display is needed";
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    const Result<Offscreen> offscreen = Offscreen::create(8, 8);
    ASSERT_TRUE(offscreen) << sentence(offscreen.error());
}

TEST(Offscreen, ReadsBackWhatWasDrawnAndOpaque) {
    const Result<Offscreen> offscreen = Offscreen::create(33, 7);
    ASSERT_TRUE(offscreen) << sentence(offscreen.error());
    offscreen->clear({1.0F, 0.2F, 0.0F, 0.5F});
    const Pixels pixels = offscreen->read();
    ASSERT_EQ(pixels.rgba.size(), 33U * 7U * 4U);
    for (const auto& [x, y] : {std::pair{0, 0}, std::pair{32, 6}, std::pair{16, 3}})
        EXPECT_EQ(pixel(pixels, x, y), (std::array{255, 51, 0, 255}));
}

TEST(Offscreen, GivesTheTopRowFirst) {
    const Result<Offscreen> offscreen = Offscreen::create(10, 5);
    ASSERT_TRUE(offscreen) << sentence(offscreen.error());
    offscreen->clear({0.0F, 0.0F, 0.0F, 1.0F});
    glEnable(GL_SCISSOR_TEST);
    glScissor(9, 4, 1, 1);  // OpenGL counts rows from the bottom: the top right corner
    glClearColor(1.0F, 1.0F, 1.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    const Pixels pixels = offscreen->read();
    EXPECT_EQ(pixel(pixels, 9, 0), (std::array{255, 255, 255, 255}));
    for (const auto& [x, y] : {std::pair{0, 0}, std::pair{0, 4}, std::pair{9, 4}, std::pair{9, 1}})
        EXPECT_EQ(pixel(pixels, x, y), (std::array{0, 0, 0, 255}));
}

TEST(Offscreen, TwoPicturesDoNotDisturbEachOther) {
    const Result<Offscreen> first = Offscreen::create(4, 4);
    ASSERT_TRUE(first) << sentence(first.error());
    { ASSERT_TRUE(Offscreen::create(9, 2)); }
    const Result<Offscreen> second = Offscreen::create(5, 3);
    ASSERT_TRUE(second) << sentence(second.error());
    second->clear({0.0F, 0.0F, 1.0F, 1.0F});
    EXPECT_EQ(pixel(second->read(), 4, 2), (std::array{0, 0, 255, 255}));
}

TEST(Offscreen, RefusesSizesThatAreEmptyOrTooLarge) {
    const Result<Offscreen> empty = Offscreen::create(0, 600);
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().what, "a picture of 0x600 pixels is empty");
    const Result<Offscreen> large = Offscreen::create(10'000'000, 600);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().what, "a picture of 10000000x600 pixels is too large");
    EXPECT_NE(large.error().fix.find("use at most"), std::string::npos);
}

}  // namespace
}  // namespace headcount
