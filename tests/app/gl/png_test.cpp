// PNG files: what is written is a PNG of the right size, and what cannot be written says why.
#include "app/gl/png.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

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

TEST(Png, SaysWhichFileCannotBeWrittenAndWhy) {
    const auto written = write_png("/nonexistent/picture.png", chequered(2, 2));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().what, "the picture cannot be written (No such file or directory)");
    EXPECT_EQ(written.error().where, "/nonexistent/picture.png");
}

TEST(Png, ThatCannotBeWrittenLeavesThePictureBeforeAsItWas) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / "headcount_png_kept";
    fs::create_directories(folder);
    const fs::path file = folder / "picture.png", beside = folder / "picture.png.part";
    ASSERT_TRUE(write_png(file, chequered(4, 4)));
    EXPECT_FALSE(fs::exists(beside));
    const auto size = fs::file_size(file);
    fs::create_directories(beside);  // what is written first has no place
    EXPECT_FALSE(write_png(file, chequered(64, 64)));
    EXPECT_EQ(fs::file_size(file), size);
    fs::remove(beside);
    ASSERT_TRUE(write_png(file, chequered(64, 64)));
    EXPECT_GT(fs::file_size(file), size);
    fs::remove_all(folder);
}

TEST(Png, WritesThroughALink) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / "headcount_png_link";
    fs::remove_all(folder);
    fs::create_directories(folder);
    ASSERT_TRUE(write_png(folder / "picture.png", chequered(4, 4)));
    const auto size = fs::file_size(folder / "picture.png");
    fs::create_symlink("picture.png", folder / "link.png");
    ASSERT_TRUE(write_png(folder / "link.png", chequered(64, 64)));
    EXPECT_TRUE(fs::is_symlink(folder / "link.png"));
    EXPECT_GT(fs::file_size(folder / "picture.png"), size);
    fs::remove_all(folder);
}

TEST(Png, SaysThatADiskIsFull) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    const auto written = write_png("/dev/full", chequered(64, 64));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().what, "the picture cannot be written (No space left on device)");
}

}  // namespace
}  // namespace headcount
