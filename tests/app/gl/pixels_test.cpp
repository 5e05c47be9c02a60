// Claims about what is read back of a picture with nothing behind it.
#include "app/gl/pixels.hpp"

#include <gtest/gtest.h>

#include "app/gl/offscreen.hpp"

namespace headcount {
namespace {

TEST(Backing, WithNothingBehindColoursAreTheirOwnAndSeenThrough) {
    const Result<Offscreen> offscreen = Offscreen::create(4, 4);
    ASSERT_TRUE(offscreen) << sentence(offscreen.error());
    const Result<Framebuffer> framebuffer = Framebuffer::create(3, 2);
    ASSERT_TRUE(framebuffer) << sentence(framebuffer.error());
    framebuffer->clear({0.4F, 0.2F, 0, 0.4F});  // red and half of green, multiplied by their alpha
    const Pixels through = framebuffer->read(Backing::none);
    ASSERT_EQ(through.rgba.size(), 3U * 2U * 4U);
    EXPECT_EQ(through.rgba[0], 255);
    EXPECT_NEAR(through.rgba[1], 128, 2);
    EXPECT_EQ(through.rgba[2], 0);
    EXPECT_EQ(through.rgba[3], 102);
    EXPECT_EQ(framebuffer->read().rgba[3], 255);
    framebuffer->clear({});
    EXPECT_EQ(framebuffer->read(Backing::none).rgba, std::vector<std::uint8_t>(24, 0));
}

TEST(Framebuffer, LeavesTheOtherOneAsItWas) {
    const Result<Offscreen> offscreen = Offscreen::create(2, 2);
    ASSERT_TRUE(offscreen) << sentence(offscreen.error());
    offscreen->clear({0, 1, 0, 1});
    {
        const Result<Framebuffer> other = Framebuffer::create(8, 8);
        ASSERT_TRUE(other) << sentence(other.error());
        other->clear({1, 0, 0, 1});
    }
    EXPECT_EQ(offscreen->read().rgba[1], 255);
    EXPECT_FALSE(Framebuffer::create(10'000'000, 8));
}

}  // namespace
}  // namespace headcount
