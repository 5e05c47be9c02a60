// Claims about few colours, and about a GIF: all of it is there, what stays is not written again, and times add up.
#include "app/gl/gif.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "app/gl/few_colours.hpp"
#include "app/state/window_options.hpp"
#include "tests/support/scratch.hpp"

namespace headcount {
namespace {

using testing_data::Scratch;

TEST(FewColours, StayAsTheyAreWhereThereAreNoMore) {
    const std::vector<Colour> pixels{0x0E1014, 0xFFFFFF, 0x0E1014, 0x3D88F2};
    const FewColours few = few_colours(pixels, 3);
    ASSERT_EQ(few.palette.size(), 3U);
    for (const Colour each : pixels) EXPECT_EQ(few.palette[few.index.at(each)], each);
    EXPECT_TRUE(few_colours({}, 3).palette.empty());
}

TEST(FewColours, MeetInTheMiddleOfThoseBesideThem) {
    std::vector<Colour> pixels;
    for (Colour grey = 0; grey < 256; ++grey) pixels.push_back(grey * 0x010101U);
    pixels.push_back(0xFF0000);
    const FewColours few = few_colours(pixels, 16);
    EXPECT_EQ(few.palette.size(), 16U);
    EXPECT_EQ(std::set<Colour>(few.palette.begin(), few.palette.end()).size(), 16U);
    for (const Colour each : pixels) {
        const auto apart = [&](int by) {
            const auto is = static_cast<int>((each >> by) & 0xFFU);
            return std::abs(is - static_cast<int>((few.palette[few.index.at(each)] >> by) & 0xFFU));
        };
        EXPECT_LE(std::max({apart(0), apart(8), apart(16)}), 32) << std::hex << each;
    }
    EXPECT_EQ(few.palette[few.index.at(0xFF0000)], 0xFF0000U) << "one that nothing lies near";
}

Pixels picture(int width, int height, Colour ground) {
    Pixels pixels{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        for (const int by : {16, 8, 0}) {
            pixels.rgba.push_back(static_cast<std::uint8_t>(ground >> by));
            if (by == 0) pixels.rgba.push_back(255);
        }
    return pixels;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// What stands behind each of its frames' "graphics control" blocks: the time, and the frame's place and size.
struct FrameSaid {
    int hundredths = 0, left = 0, top = 0, width = 0, height = 0;

    bool operator==(const FrameSaid&) const = default;
};
std::vector<FrameSaid> frames_of(const std::string& gif) {
    std::vector<FrameSaid> frames;
    const auto number = [&](std::size_t at) {
        return static_cast<int>(static_cast<unsigned char>(gif[at]) | static_cast<unsigned char>(gif[at + 1]) << 8);
    };
    const std::string control{0x21, static_cast<char>(0xF9), 4};
    for (std::size_t at = gif.find(control); at != std::string::npos; at = gif.find(control, at + 1))
        if (gif[at + 8] == 0x2C)
            frames.push_back({number(at + 4), number(at + 9), number(at + 11), number(at + 13), number(at + 15)});
    return frames;
}

TEST(Gif, HasTheWholeFirstFrameAndOfTheOthersWhatIsNew) {
    if (!writes_gif()) GTEST_SKIP() << "built without giflib";
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "film.gif";
    Result<GifFile> gif = GifFile::open(file);
    ASSERT_TRUE(gif) << sentence(gif.error());
    Pixels pixels = picture(40, 30, 0x14171C);
    ASSERT_FALSE(gif->add(pixels, 1));
    for (const std::size_t pixel : {5U * 40 + 7, 6U * 40 + 9}) pixels.rgba[4 * pixel] = 200;
    ASSERT_FALSE(gif->add(pixels, 1.0 / 3));
    ASSERT_FALSE(gif->add(pixels, 1.0 / 3));
    ASSERT_FALSE(gif->add(picture(40, 30, 0xFFFFFF), 1.0 / 3));
    EXPECT_FALSE(std::filesystem::exists(file)) << "it is there once it is whole";
    ASSERT_FALSE(gif->finish());
    const std::string bytes = bytes_of(file);
    EXPECT_EQ(bytes.substr(0, 6), "GIF89a");
    EXPECT_EQ(bytes.back(), ';');
    EXPECT_NE(bytes.find("NETSCAPE2.0"), std::string::npos) << "it plays again and again";
    EXPECT_EQ(frames_of(bytes),
              (std::vector<FrameSaid>{{100, 0, 0, 40, 30}, {33, 7, 5, 3, 2}, {34, 0, 0, 1, 1}, {33, 0, 0, 40, 30}}));
}

TEST(Gif, ThatIsNotFinishedIsNotThere) {
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "film.gif";
    {
        Result<GifFile> gif = GifFile::open(file);
        EXPECT_EQ(static_cast<bool>(gif), writes_gif());
        if (gif) {
            EXPECT_FALSE(gif->add(picture(8, 8, 0x14171C), 1));
        }
    }
    EXPECT_TRUE(std::filesystem::is_empty(scratch.folder()));
}

}  // namespace
}  // namespace headcount
