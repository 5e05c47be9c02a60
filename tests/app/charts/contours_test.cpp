// Claims about lines of equal values: where they run, and where their labels stand.
#include "app/charts/contours.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace headcount {
namespace {

using Values = std::vector<std::optional<double>>;

// Of so many columns and rows.
template <class Of>
Values values_of(std::size_t columns, std::size_t rows, Of&& of) {
    Values values;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            values.push_back(of(static_cast<double>(column), static_cast<double>(row)));
    return values;
}

TEST(Contours, OfAPlaneAreStraightLinesFromEdgeToEdge) {
    const Values plane = values_of(5, 4, [](double x, double y) { return 2 * x + 3 * y; });
    const std::vector<double> levels{5.5, 100};
    const std::vector<Contour> found = contours(plane, 5, levels);
    ASSERT_EQ(found.size(), 1U) << "what is nowhere reached has no line";
    EXPECT_EQ(found[0].level, 5.5);
    ASSERT_EQ(found[0].lines.size(), 1U);
    for (const ImVec2& at : found[0].lines[0]) EXPECT_NEAR(2 * at.x + 3 * at.y, 5.5, 1e-5);
    const ImVec2 from = found[0].lines[0].front(), to = found[0].lines[0].back();
    EXPECT_EQ(std::min(from.y, to.y), 0);
    EXPECT_EQ(std::min(from.x, to.x), 0);
}

TEST(Contours, AroundAHillAreClosed) {
    const Values hill = values_of(9, 9, [](double x, double y) { return -std::hypot(x - 4, y - 4); });
    const std::vector<double> levels{-2.5};
    const std::vector<Contour> found = contours(hill, 9, levels);
    ASSERT_EQ(found.at(0).lines.size(), 1U);
    const std::vector<ImVec2>& line = found[0].lines[0];
    EXPECT_EQ(line.front().x, line.back().x);
    EXPECT_EQ(line.front().y, line.back().y);
    for (const ImVec2& at : line) EXPECT_NEAR(std::hypot(at.x - 4, at.y - 4), 2.5, 0.1);
}

TEST(Contours, DoNotCrossAtASaddleAndLeaveOutWhatHasNoValue) {
    const std::vector<double> levels{0.5};
    const std::vector<Contour> saddle = contours(Values{1, 0, 0, 1}, 2, levels);
    EXPECT_EQ(saddle.at(0).lines.size(), 2U);
    Values plane = values_of(5, 2, [](double x, double y) { return x + 10 * y; });
    const std::vector<double> five{5};
    EXPECT_EQ(contours(plane, 5, five).at(0).lines.size(), 1U);
    plane[2].reset();
    EXPECT_EQ(contours(plane, 5, five).at(0).lines.size(), 2U) << "one at each side of the hole";
    EXPECT_TRUE(contours(Values{1, 2, 3}, 1, five).empty());
    EXPECT_TRUE(contours(Values{}, 4, five).empty());
}

TEST(Contours, HaveTheirLabelsInsideAndApart) {
    const ChartArea inside{{0, 0}, {400, 300}};
    const ImVec2 size(40, 16);
    std::vector<ChartArea> taken;
    for (int i = 0; i < 8; ++i) {
        const float y = 150 + 2 * static_cast<float>(i);  // nearer to each other than a label is tall
        const std::vector<std::vector<ImVec2>> line{{{0, y}, {400, y}}};
        const std::optional<ChartArea> box = label_on(line, size, inside, taken, {});
        if (!box) continue;
        EXPECT_GE(box->min.x, 0);
        EXPECT_LE(box->max.x, 400);
        for (const ChartArea& other : taken)
            EXPECT_TRUE(box->max.x <= other.min.x || other.max.x <= box->min.x || box->max.y <= other.min.y ||
                        other.max.y <= box->min.y);
        taken.push_back(*box);
    }
    EXPECT_GE(taken.size(), 4U);
    const std::vector<std::vector<ImVec2>> brief{{{10, 10}, {40, 10}}};
    EXPECT_FALSE(label_on(brief, size, inside, {}, {})) << "a line that its label would hide";
}

TEST(Contours, HaveTheirLabelsBesideOtherLinesWhereThereIsRoom) {
    const ChartArea inside{{0, 0}, {400, 300}};
    const std::vector<std::vector<ImVec2>> line{{{0, 100}, {400, 100}}}, other{{{200, 0}, {200, 300}}};
    const std::optional<ChartArea> box = label_on(line, ImVec2(40, 16), inside, {}, other);
    ASSERT_TRUE(box);
    EXPECT_TRUE(box->max.x < 200 || box->min.x > 200);
}

}  // namespace
}  // namespace headcount
