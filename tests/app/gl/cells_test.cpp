// The cells of matrices, read back: lines where cells meet, the future empty, values as colours, at every size.
#include <limits>

#include "tests/app/gl/canvas_stage.hpp"

namespace headcount {
namespace {

using namespace test;

constexpr float infinity = std::numeric_limits<float>::infinity();

// A square of 100 pixels at (20, 10), its cells `cell` pixels wide.
Box matrix(CellPattern pattern, float cell, Rgba fill) {
    Box box{.min_x = 20, .min_y = 10, .max_x = 120, .max_y = 110, .fill = fill, .pattern = pattern};
    box.columns_a_pixel = box.rows_a_pixel = 1 / cell;
    return box;
}

class Cells : public CanvasTest {};

TEST_F(Cells, HaveLinesExactlyWhereTheyMeet) {
    Box grid = matrix(CellPattern::cells, 20, white);
    grid.ink = black;
    drawing.add(grid);
    draw();
    for (int cell = 0; cell < 5; ++cell) {
        const int x = 20 + 20 * cell, y = 10 + 20 * cell;
        EXPECT_TRUE(is(x, 15, cell == 0 ? white : black));
        EXPECT_TRUE(is(25, y, cell == 0 ? white : black)) << "a border is no line between cells";
        EXPECT_TRUE(is(x + 1, 15, white));
        EXPECT_TRUE(is(x + 19, 15, white));
        EXPECT_TRUE(is(25, y + 19, white));
    }
    EXPECT_TRUE(is(119, 109, white));
}

TEST_F(Cells, ThatAreTinyAreOneColourWithNoPattern) {
    for (const float cell : {3.4F, 2.9F, 2.0F, 1.3F, 1.01F, 0.7F, 0.013F}) {
        drawing.clear();
        Box grid = matrix(CellPattern::cells, cell, white);
        grid.ink = black;
        drawing.add(grid);
        draw();
        for (int y = 11; y < 109; ++y)
            for (int x = 21; x < 119; ++x) ASSERT_EQ(pixel(x, y), pixel(21, 11)) << "cells of " << cell;
    }
}

TEST_F(Cells, FadeEvenlyBeforeTheyAreTiny) {
    Box grid = matrix(CellPattern::cells, 4.37F, white);
    grid.ink = black;
    drawing.add(grid);
    draw();
    // Moire would be slow waves of light and dark: the mean of each stretch of pixels is nearly the same.
    double least = 255, most = 0;
    for (int start = 21; start + 35 < 119; ++start) {
        double sum = 0;
        for (int x = start; x < start + 35; ++x) sum += pixel(x, 12)[0];
        least = std::min(least, sum / 35);
        most = std::max(most, sum / 35);
    }
    EXPECT_LT(most - least, 4);
}

// The piece of a 128,256 x 16,384 matrix from row 128,000 and column 16,300 on, with 50 pixels a cell.
TEST_F(Cells, OfAHugeMatrixLineUpExactlyFarFromItsOrigin) {
    Box piece{.min_x = 0, .min_y = 0, .max_x = 200, .max_y = 120, .fill = white, .pattern = CellPattern::causal};
    piece.ink = red;
    piece.first_row = 128'000;
    piece.first_column = 16'300;
    piece.row_fraction = 0.5F;
    piece.column_fraction = 0.25F;
    piece.columns_a_pixel = piece.rows_a_pixel = 1.0F / 50;
    piece.diagonal = 16'301 - 128'000;  // row 128,000 sees columns up to 16,301
    drawing.add(piece);
    draw();
    // Columns meet at 37.5, 87.5, ...: half a pixel of line in each of two; rows at 25, 75.
    EXPECT_TRUE(is(37, 10, opaque(255, 128, 128)));
    EXPECT_TRUE(is(38, 10, opaque(255, 128, 128)));
    EXPECT_TRUE(is(36, 10, white));
    EXPECT_TRUE(is(39, 10, white));
    EXPECT_TRUE(is(10, 25, red));
    EXPECT_TRUE(is(10, 24, white));
    EXPECT_TRUE(is(10, 75, red));
    EXPECT_TRUE(is(86, 20, white)) << "column 16,301 of row 128,000";
    EXPECT_TRUE(is(90, 20, black)) << "column 16,302 of row 128,000 is the future";
    EXPECT_TRUE(is(90, 30, white)) << "column 16,302 of row 128,001";
    EXPECT_TRUE(is(140, 30, black));
    EXPECT_TRUE(is(140, 80, white)) << "column 16,303 of row 128,002";
}

TEST_F(Cells, OfTheFutureAreEmpty) {
    Box scores = matrix(CellPattern::causal, 20, white);
    drawing.add(scores);
    draw();
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 5; ++column)
            EXPECT_TRUE(is(20 + 20 * column + 10, 10 + 20 * row + 10, column <= row ? white : black));
    drawing.clear();
    scores.diagonal = 2;
    drawing.add(scores);
    draw();
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 5; ++column)
            EXPECT_TRUE(is(20 + 20 * column + 10, 10 + 20 * row + 10, column <= row + 2 ? white : black));
}

TEST_F(Cells, BeforeAWindowAreEmpty) {
    // Which columns a row sees, where tokens are cut into chunks of a window: those of its own token's chunk.
    const auto chunk_begin = [](int row, int first) { return (row + first) / 2 * 2 - first; };
    for (const int first : {-1, 0, 1}) {  // the position of the first token in its chunk; below 0 a window that slides
        drawing.clear();
        Box scores = matrix(CellPattern::causal, 20, white);
        scores.value_columns = 2;
        scores.values = static_cast<std::uint32_t>(first + 1);
        drawing.add(scores);
        draw();
        for (int row = 0; row < 5; ++row)
            for (int column = 0; column < 5; ++column) {
                const int begin = first < 0 ? row - 1 : chunk_begin(row, first);
                const bool seen = column <= row && column >= begin;
                EXPECT_TRUE(is(20 + 20 * column + 10, 10 + 20 * row + 10, seen ? white : black))
                    << "row " << row << ", column " << column << ", first " << first;
            }
    }
}

TEST_F(Cells, ThatAreTinyHaveASmoothDiagonal) {
    drawing.add(matrix(CellPattern::causal, 0.01F, white));
    draw();
    for (int i = 1; i < 99; ++i) {
        EXPECT_TRUE(is(20 + i, 10 + i, opaque(128, 128, 128), 6));
        EXPECT_TRUE(is(20 + i - 1, 10 + i, white, 35));
        EXPECT_TRUE(is(20 + i + 1, 10 + i, black, 35));
    }
}

TEST_F(Cells, HaveTheColoursOfTheirValues) {
    drawing.values = {99, 0, 1, 0.5F, -1, -0.5F, 7, -7, 0.25F, 0};  // the first belongs to nobody
    Box map = matrix(CellPattern::heat, 100.0F / 3, red);
    map.negative = blue;
    map.zero = white;
    map.values = 1;
    map.value_columns = 3;
    map.largest = 1;
    drawing.add(map);
    draw();
    const Rgba wanted[3][3] = {
        {white, red, opaque(255, 128, 128)}, {blue, opaque(128, 128, 255), red}, {blue, opaque(255, 191, 191), white}};
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            EXPECT_TRUE(is(20 + 33 * column + 16, 10 + 33 * row + 16, wanted[row][column])) << row << ", " << column;
}

TEST_F(Cells, ThatAreNoNumberAreHatched) {
    drawing.values = {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity, 0};
    Box map = matrix(CellPattern::heat, 50, red);
    map.negative = blue;
    map.zero = white;
    map.ink = black;
    map.value_columns = 2;
    map.largest = 1;
    drawing.add(map);
    draw();
    const auto has = [&](int column, int row, Rgba colour) {
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 12; ++x)
                if (is(40 + 50 * column + x, 30 + 50 * row + y, colour, 12)) return true;
        return false;
    };
    EXPECT_TRUE(has(0, 0, black) && has(0, 0, white)) << "no number";
    EXPECT_TRUE(has(1, 0, black) && has(1, 0, red)) << "infinite";
    EXPECT_TRUE(has(0, 1, black) && has(0, 1, blue)) << "infinite, negative";
    EXPECT_FALSE(has(1, 1, black));
}

TEST_F(Cells, SmallerThanAPixelShowTheMeanOfTheirValues) {
    for (int i = 0; i < 400 * 400; ++i) drawing.values.push_back((i + i / 400) % 2 == 0 ? 1.0F : 0.0F);
    Box map = matrix(CellPattern::heat, 0.25F, black);
    map.zero = white;
    map.value_columns = 400;
    map.largest = 1;
    drawing.add(map);
    draw();
    for (int i = 1; i < 99; ++i) EXPECT_TRUE(is(20 + i, 50, opaque(128, 128, 128), 3));
}

// A second frame has more values than the first, and a third none: the buffers follow.
TEST_F(Cells, FollowFromFrameToFrame) {
    for (const int columns : {2, 50, 5}) {
        drawing.clear();
        for (int i = 0; i < columns * columns; ++i) drawing.values.push_back(i == columns * columns - 1 ? 1.0F : 0.0F);
        Box map = matrix(CellPattern::heat, 100.0F / static_cast<float>(columns), red);
        map.zero = white;
        map.value_columns = columns;
        map.largest = 1;
        drawing.add(map);
        draw();
        EXPECT_TRUE(is(119, 109, red));
        EXPECT_TRUE(is(21, 11, white));
    }
}

}  // namespace
}  // namespace headcount
