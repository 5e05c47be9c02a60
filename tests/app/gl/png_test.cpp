// PNG files: what is written is a PNG of the right size, and what cannot be written says why.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "app/gl/pixels.hpp"

namespace headcount {
namespace {

Pixels chequered(int width, int height) {
    Pixels pixels{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int channel = 0; channel < 4; ++channel)
                pixels.rgba.push_back(channel == 3 || (x + y) % 2 == 0 ? 255 : 0);
    return pixels;
}

TEST(Png, WritesTheSignatureAndTheSize) {
    const auto file = std::filesystem::path(testing::TempDir()) / "headcount_png_test.png";
    const auto written = write_png(file, chequered(300, 2));
    ASSERT_TRUE(written) << sentence(written.error());
    EXPECT_EQ(*written, file);
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    ASSERT_GT(bytes.size(), 24U);
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
    EXPECT_EQ(bytes.substr(16, 8), std::string("\0\0\x01\x2c\0\0\0\x02", 8));  // width and height, big-endian
    std::filesystem::remove(file);
}

TEST(Png, HasTransparencyOnlyWhereThereIsSome) {
    const auto file = std::filesystem::path(testing::TempDir()) / "headcount_png_alpha_test.png";
    const auto colour_type = [&](const Pixels& pixels) {
        EXPECT_TRUE(write_png(file, pixels));
        std::ifstream in(file, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(in), {}};
        return bytes.size() > 25 ? int{bytes[25]} : -1;
    };
    Pixels pixels = chequered(8, 8);
    EXPECT_EQ(colour_type(pixels), 2) << "red, green, blue";
    pixels.rgba[3] = 0;
    EXPECT_EQ(colour_type(pixels), 6) << "with alpha";
    std::filesystem::remove(file);
}

TEST(Png, SaysWhichFileCannotBeWrittenAndWhy) {
    const auto written = write_png("/nonexistent/picture.png", chequered(2, 2));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().what, "cannot be written: No such file or directory");
    EXPECT_EQ(written.error().where, "/nonexistent/picture.png");
}

TEST(Png, SaysThatADiskIsFull) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    const auto written = write_png("/dev/full", chequered(64, 64));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().what, "cannot be written: No space left on device");
}

}  // namespace
}  // namespace headcount
