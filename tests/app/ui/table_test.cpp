// Claims about the table: cheap however long, exact about what is pressed, legible however narrow.
#include "app/ui/table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/support/screen.hpp"

namespace headcount {
namespace {

using test::Screen;

constexpr std::array<TableColumn, 3> columns = {
    {{.title = "Step", .width = 100, .minimum = 60},
     {.title = "Elements", .width = 80, .minimum = 70, .align = Align::right, .mono = true},
     {.title = "Meaning", .width = 120, .minimum = 40}}};

class TableTest : public ::testing::Test {
  protected:
    TableTest() { screen.window = ImVec2(400, 300); }

    auto drawing() {
        return [this](const Ui& ui) {
            filled = 0;
            last =
                table(ui, "table", columns, {.rows = rows, .height = 250, .scroll_to = scroll_to, .selected = selected},
                      [this](int index, TableRow& row) {
                          ++filled;
                          row.cells[0].text = row.keep("row " + std::to_string(index));
                          row.cells[1].text = "819,200";
                          row.selected = index == selected;
                      });
            if (last.clicked) selected = *last.clicked;
        };
    }

    Screen screen;
    TableResult last;
    int rows = 100'000, filled = 0, selected = -1, scroll_to = -1;
};

TEST_F(TableTest, ColumnsWithoutRoomAreCountedInTheHeadings) {
    screen.frames(3, drawing());
    EXPECT_EQ(screen.recorder.find("table.left_out"), nullptr);
    screen.window = ImVec2(150, 300);
    screen.frames(3, drawing());
    const NamedRect* const sign = screen.recorder.find("table.left_out");
    ASSERT_NE(sign, nullptr);
    EXPECT_LE(sign->max.x, 150);
    EXPECT_GE(sign->max.x - sign->min.x, text_width(screen.ui().fonts.caption, "+1"));
}

TEST_F(TableTest, AHeadingThatIsWiderThanItsColumnHasMoreLinesWhereItMay) {
    constexpr std::array long_ones{TableColumn{.title = "Student", .width = 120},
                                   TableColumn{.title = "Feed-forward of one layer", .width = 90},
                                   TableColumn{.title = "Last", .width = 60}};
    float first_row[2] = {}, height[2] = {};
    for (const int lines : {1, 3}) {
        const auto at = static_cast<std::size_t>(lines / 3);
        screen.frames(3, [&](const Ui& ui) {
            height[at] = headings_height(ui, long_ones, lines);
            table(ui, "table", long_ones, {.rows = 3, .height = 250, .heading_lines = lines},
                  [](int, TableRow& row) { row.cells[0].text = "Ada"; });
        });
        first_row[at] = screen.recorder.find("table.row.0")->min.y;
    }
    EXPECT_GT(height[1], height[0] + screen.ui().fonts.caption.size);
    EXPECT_NEAR(first_row[1] - first_row[0], height[1] - height[0], 1);
}

TEST_F(TableTest, OnlyVisibleRowsAreAskedFor) {
    screen.frames(3, drawing());
    EXPECT_GT(filled, 5);
    EXPECT_LT(filled, 30);
}

TEST_F(TableTest, AnEmptyTableIsNoTrouble) {
    rows = 0;
    screen.frames(2, drawing());
    EXPECT_EQ(filled, 0);
}

TEST_F(TableTest, PressingARowReportsItsIndex) {
    screen.press("table.row.4", drawing());
    EXPECT_EQ(selected, 4);
    screen.frame(drawing());
    EXPECT_EQ(last.hovered, 4);
}

TEST_F(TableTest, ScrollToBringsAFarRowIntoView) {
    screen.frame(drawing());
    scroll_to = 90'000;
    screen.frames(2, drawing());
    scroll_to = -1;
    screen.frames(2, drawing());
    EXPECT_NE(screen.recorder.find("table.row.90000"), nullptr);
    screen.press("table.row.90000", drawing());
    EXPECT_EQ(selected, 90'000);
}

TEST_F(TableTest, ArrowKeysMoveTheSelection) {
    screen.press("table.row.2", drawing());
    screen.key(ImGuiKey_DownArrow, drawing());
    screen.frames(2, drawing());
    screen.key(ImGuiKey_DownArrow, drawing());
    screen.frames(2, drawing());
    EXPECT_GE(selected, 3);
    const int before = selected;
    screen.key(ImGuiKey_UpArrow, drawing());
    screen.frames(2, drawing());
    EXPECT_EQ(selected, before - 1);
}

TEST_F(TableTest, ControlCAsksForACopy) {
    screen.press("table.row.2", drawing());
    screen.hands.control(true);
    screen.hands.key(ImGuiKey_C, true);
    screen.frame(drawing());
    EXPECT_TRUE(last.copy);
    screen.hands.key(ImGuiKey_C, false);
    screen.hands.control(false);
    screen.frame(drawing());
    EXPECT_FALSE(last.copy);
}

TEST(ColumnEdges, WantedWidthsWhereThereIsRoomAndTheLastTakesTheRest) {
    const auto edges = column_edges(columns, 500, 1);
    EXPECT_EQ(edges[1], 100);
    EXPECT_EQ(edges[2], 180);
    EXPECT_EQ(edges[3], 500);
}

TEST(ColumnEdges, AllGiveWayTowardsTheirMinimum) {
    const auto edges = column_edges(columns, 235, 1);
    EXPECT_LT(edges[1], 100);
    EXPECT_GE(edges[1], 60);
    EXPECT_GE(edges[2] - edges[1], 70);
    EXPECT_EQ(edges[3], 235);
}

TEST(ColumnEdges, TheLastColumnsHaveTheirMinimumOrNothing) {
    const std::array<TableColumn, 3> all{TableColumn{"a", 100, 60}, TableColumn{"b", 80, 70}, TableColumn{"c", 90, 80}};
    const auto whole = column_edges(all, 215, 1), without = column_edges(all, 205, 1), one = column_edges(all, 120, 1);
    EXPECT_GE(whole[3] - whole[2], 80);
    EXPECT_EQ(without[2], 205);
    EXPECT_EQ(without[3], 205);
    EXPECT_GE(without[1], 60);
    EXPECT_EQ(one[1], 120);
}

TEST(ColumnEdges, NothingGoesBeyondTheWidth) {
    for (float width = 1; width < 600; width += 7)
        for (const float scale : {1.0F, 1.6F, 3.0F}) {
            const auto edges = column_edges(columns, width, scale);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                EXPECT_LE(edges[i], edges[i + 1]);
                EXPECT_LE(edges[i + 1], width);
            }
        }
}

TEST(TableRow, KeptTextStaysWhereItIs) {
    TableRow row;
    std::vector<std::string_view> kept;
    for (int i = 0; i < 100; ++i) kept.push_back(row.keep("cell " + std::to_string(i)));
    for (int i = 0; i < 100; ++i) EXPECT_EQ(kept[static_cast<std::size_t>(i)], "cell " + std::to_string(i));
}

}  // namespace
}  // namespace headcount
