// Claims about cutting a part out of a picture.
#include "app/gl/pixels.hpp"

#include <gtest/gtest.h>

namespace headcount {
namespace {

// Each pixel says in red and green where it was.
Pixels board(int width, int height) {
    Pixels pixels{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int value : {x, y, 0, 255}) pixels.rgba.push_back(static_cast<std::uint8_t>(value));
    return pixels;
}

TEST(CutOut, HasThePixelsOfItsPlace) {
    const Pixels part = cut_out(board(8, 6), {2, 1, 5, 3}, 1);
    EXPECT_EQ(part.width, 3);
    EXPECT_EQ(part.height, 2);
    ASSERT_EQ(part.rgba.size(), 3u * 2 * 4);
    EXPECT_EQ(part.rgba[0], 2);
    EXPECT_EQ(part.rgba[1], 1);
    EXPECT_EQ(part.rgba[part.rgba.size() - 4], 4);
    EXPECT_EQ(part.rgba[part.rgba.size() - 3], 2);
}

TEST(CutOut, CountsInPointsOfADenserScreen) {
    const Pixels part = cut_out(board(8, 6), {1, 0, 3, 2}, 2);
    EXPECT_EQ(part.width, 4);
    EXPECT_EQ(part.height, 4);
    EXPECT_EQ(part.rgba[0], 2);
}

TEST(CutOut, EndsAtThePicturesEdgesAndIsAllWhereNothingIsAskedFor) {
    EXPECT_EQ(cut_out(board(8, 6), {-3, -3, 100, 2}, 1).width, 8);
    EXPECT_EQ(cut_out(board(8, 6), {}, 1), board(8, 6));
    EXPECT_EQ(cut_out(board(8, 6), {5, 5, 5, 6}, 1), board(8, 6));
}

}  // namespace
}  // namespace headcount
