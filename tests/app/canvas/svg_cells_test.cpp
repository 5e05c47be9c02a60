// Claims about cells in SVG documents: lines, the future, heat.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "tests/app/canvas/svg_stage.hpp"

namespace headcount {
namespace {

using namespace svg_stage;
using testing::HasSubstr;
using testing::Not;

// A box of 10 by 8 cells of 10 pixels, in the middle of the document.
Box celled(CellPattern pattern) {
    return {.min_x = -50,
            .min_y = -40,
            .max_x = 50,
            .max_y = 40,
            .fill = red,
            .pattern = pattern,
            .ink = green,
            .columns_a_pixel = 0.1F,
            .rows_a_pixel = 0.1F};
}

TEST(Svg, LinesLieBetweenCellsAndNotOnTheBorder) {
    const Element root = drawn(celled(CellPattern::cells));
    ASSERT_EQ(root.all("path").size(), 1U);
    const std::string& lines = root.all("path")[0]->attributes.at("d");
    EXPECT_EQ(count_of(lines, 'V'), 9U);
    EXPECT_EQ(count_of(lines, 'H'), 7U);
    EXPECT_THAT(lines, HasSubstr("M60.5 10V90")) << "on the first pixel of the second column";
    EXPECT_THAT(lines, Not(HasSubstr("M50.5")));
}

TEST(Svg, LinesFadeWithTheSizeOfCells) {
    Box box = celled(CellPattern::cells);
    box.columns_a_pixel = 0.2F;
    box.rows_a_pixel = 0.5F;
    const Element root = drawn(box);
    ASSERT_EQ(root.all("path").size(), 1U) << "rows are too small";
    const Element& lines = *root.all("path")[0];
    EXPECT_EQ(count_of(lines.attributes.at("d"), 'V'), 19U);
    EXPECT_LT(lines.number("stroke-opacity"), 0.6);
    EXPECT_GT(lines.number("stroke-opacity"), 0.2);
}

TEST(Svg, LinesOfAMatrixOfMillionsAreThoseThatAreSeen) {
    Box box = celled(CellPattern::cells);
    box.min_x = -164;
    box.max_x = 164;
    box.first_column = 123'456'789;
    box.column_fraction = 0.4F;
    const Element root = drawn(box);
    EXPECT_LE(count_of(root.all("path")[0]->attributes.at("d"), 'V'), 21U);
    EXPECT_GE(count_of(root.all("path")[0]->attributes.at("d"), 'V'), 20U);
}

// Whether a point of the document is inside a path of straight lines, by how often a ray from it meets them.
bool inside(const std::string& path, double x, double y) {
    std::istringstream words(path);
    std::vector<Point> points;
    char letter = 0;
    Point at;
    while (words >> letter && letter != 'Z') {
        if (letter != 'V') words >> at.x;
        if (letter != 'H') words >> at.y;
        points.push_back(at);
    }
    bool in = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point a = points[i], b = points[(i + 1) % points.size()];
        const auto ax = static_cast<double>(a.x), ay = static_cast<double>(a.y), by = static_cast<double>(b.y);
        if ((ay > y) == (by > y)) continue;
        if (x < ax + (static_cast<double>(b.x) - ax) * (y - ay) / (by - ay)) in = !in;
    }
    return in;
}

TEST(Svg, TheFutureIsEmptyWhereverTheDiagonalLies) {
    for (const double cell : {10.0, 2.5, 1.0})
        for (const int diagonal : {-60, -3, 0, 4, 60})
            for (const float fraction : {0.0F, 0.3F}) {
                Box box = celled(CellPattern::causal);
                box.ink = 0;
                box.first_row = 1000;
                box.first_column = 1002;
                box.diagonal = diagonal;
                box.columns_a_pixel = box.rows_a_pixel = static_cast<float>(1 / cell);
                box.column_fraction = box.row_fraction = fraction;
                const Element root = drawn(box);
                const std::string path = root.all("path").empty() ? "" : root.all("path")[0]->attributes.at("d");
                for (double x = 50; x < 150; x += 1.7)
                    for (double y = 10; y < 90; y += 1.3) {
                        const double column = (x - 50) / cell + static_cast<double>(fraction),
                                     row = (y - 10) / cell + static_cast<double>(fraction);
                        const double ahead = std::floor(column) + 1002 - std::floor(row) - 1000 - diagonal;
                        // A straight diagonal is within a cell of the steps.
                        if (cell < 1.5 && std::abs(column + 2 - row - diagonal) < 1.6) continue;
                        const double edge =
                            std::min(std::abs(column - std::round(column)), std::abs(row - std::round(row)));
                        if (edge * cell < 0.02) continue;
                        ASSERT_EQ(inside(path, x, y), ahead <= 0)
                            << "cell " << cell << " diagonal " << diagonal << " at " << x << " " << y << " " << path;
                    }
            }
}

TEST(Svg, HeatIsARectangleAValue) {
    Box box = celled(CellPattern::heat);
    box.ink = green;
    box.negative = blue;
    box.zero = 0xFF000000;
    box.largest = 2;
    box.value_columns = 10;
    Drawing drawing = empty_drawing();
    drawing.values.assign(80, 0.0F);
    drawing.values[0] = 2;
    drawing.values[11] = -5;
    drawing.values[12] = std::numeric_limits<float>::quiet_NaN();
    drawing.add(box);
    const Element root = drawn(drawing);
    ASSERT_EQ(rects(root).size(), 80U);
    EXPECT_EQ(rects(root)[0]->attributes.at("fill"), "#ff0000");
    EXPECT_EQ(rects(root)[1]->attributes.at("fill"), "#000000");
    EXPECT_EQ(rects(root)[11]->attributes.at("fill"), "#0000ff");
    EXPECT_EQ(rects(root)[11]->number("x"), 60);
    EXPECT_EQ(rects(root)[11]->number("y"), 20);
    EXPECT_THAT(root.all("path")[0]->attributes.at("d"), testing::StrEq("M70 30L80 20"));
}

TEST(Svg, HeatOfTooManyValuesIsLeftOutAndSaysSo) {
    Box box = celled(CellPattern::heat);
    box.columns_a_pixel = box.rows_a_pixel = 2;
    Drawing drawing = empty_drawing();
    drawing.add(box);
    const std::string svg = svg_of(drawing, plain_look());
    EXPECT_TRUE(rects(parsed(svg)).empty());
    EXPECT_THAT(svg, HasSubstr("<!-- A heat map of more than 10000 values is left out. -->"));
}

}  // namespace
}  // namespace headcount
