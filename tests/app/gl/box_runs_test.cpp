// Claims about what is left out of a picture and who draws the rest: nobody can see a difference.
#include "app/gl/box_runs.hpp"

#include "tests/app/gl/canvas_stage.hpp"

namespace headcount {
namespace {

using namespace test;

Box filled(float left, float top, float right, float bottom, Rgba fill) {
    return {.min_x = left, .min_y = top, .max_x = right, .max_y = bottom, .fill = fill};
}
Box hollow(float left, float top, float right, float bottom) {
    Box made = filled(left, top, right, bottom, 0);
    made.edge = green;
    made.edge_width = 2;
    made.radius = 12;
    return made;
}
Box heat(float left, float top, float right, float bottom, float cell) {
    Box made = filled(left, top, right, bottom, red);
    made.negative = blue;
    made.zero = grey;
    made.pattern = CellPattern::heat;
    made.columns_a_pixel = made.rows_a_pixel = 1 / cell;
    made.value_columns = 300;
    made.largest = 1;
    return made;
}

class BoxRuns : public CanvasTest {
  protected:
    void SetUp() override {
        open(400, 300);
        if (!offscreen) return;
        show_flat();
        for (int i = 0; i < 300 * 300; ++i) drawing.values.push_back(static_cast<float>(i * 7 % 19) / 9 - 1);
    }

    // The boxes one by one, so that none is left out, or drawn as one of many.
    Pixels apart(const std::vector<Box>& boxes) {
        Drawing one = drawing;
        offscreen->clear({0, 0, 0, 1});
        for (const Box& each : boxes) {
            one.boxes.clear();
            one.batches.clear();
            one.add(each);
            renderer->draw(one, offscreen->height());
        }
        return offscreen->read();
    }

    std::vector<BoxRun> runs() {
        const std::optional<Point> pixel = pixel_seen_flat(drawing, 1);
        return box_runs(drawing, drawing.batches.front(), pixel, holes_in(drawing, *pixel));
    }
};

TEST_F(BoxRuns, LeaveOutWhatALaterBoxCovers) {
    const std::vector<Box> boxes{filled(20, 20, 300, 220, red), filled(30, 10, 310, 210, opaque(0, 0, 255, 128)),
                                 filled(40.5F, 30.25F, 380, 280, white), hollow(50, 60, 350, 260)};
    for (const Box& each : boxes) drawing.add(each);
    const std::vector<Rect> holes = holes_in(drawing, {1, 1});
    ASSERT_EQ(holes.size(), 4U);
    EXPECT_EQ(holes[0], (Rect{{41.5F, 31.25F}, {300, 220}}));
    EXPECT_LE(holes[2].width(), 0) << "nothing is over the white one";
    EXPECT_EQ(holes[3], (Rect{{65, 75}, {335, 245}}));
    draw();
    EXPECT_EQ(pixels.rgba, apart(boxes).rgba);
}

TEST_F(BoxRuns, LeaveOutNothingBelowWhatShinesThrough) {
    drawing.add(filled(20, 20, 300, 220, red));
    drawing.add(filled(20, 20, 300, 220, opaque(0, 0, 255, 254)));
    drawing.add(heat(20, 20, 300, 220, 10));
    EXPECT_TRUE(holes_in(drawing, {1, 1}).empty());
}

TEST_F(BoxRuns, OfValuesAloneAreDrawnByWhoDrawsNothingElse) {
    std::vector<Box> boxes{heat(10, 10, 210, 110, 4), heat(10, 120, 210, 260, 2.5F), hollow(9, 9, 211, 111)};
    for (const Box& each : boxes) drawing.add(each);
    std::vector<BoxRun> made = runs();
    ASSERT_EQ(made.size(), 2U);
    EXPECT_EQ(made[0].needs, BoxNeeds::heat);
    EXPECT_EQ(made[0].count, 2U);
    EXPECT_EQ(made[1].needs, BoxNeeds::look);
    EXPECT_TRUE(made[1].holes);
    draw();
    EXPECT_EQ(pixels.rgba, apart(boxes).rgba);

    boxes[1] = heat(10, 120, 210, 260, 0.7F);  // cells smaller than pixels
    drawing.boxes[1] = boxes[1];
    made = runs();
    ASSERT_EQ(made.size(), 2U);
    EXPECT_EQ(made[1].needs, BoxNeeds::all);
    draw();
    EXPECT_EQ(pixels.rgba, apart(boxes).rgba);
}

TEST_F(BoxRuns, OfWhoDrawsValuesAloneLookAsOfWhoDrawsAll) {
    drawing.add(heat(10, 10, 210, 110, 4));
    draw();
    const Pixels alone = pixels;
    drawing.boxes[0].tab_width = 1;  // of no colour
    ASSERT_EQ(runs().front().needs, BoxNeeds::all);
    draw();
    EXPECT_EQ(pixels.rgba, alone.rgba);
}

TEST_F(BoxRuns, StayTogetherWhereTheyAreSmall) {
    for (int i = 0; i < 20; ++i) {
        const float x = static_cast<float>(15 * i);
        drawing.add(i % 2 == 0 ? heat(x, 10, x + 10, 20, 4) : filled(x, 10, x + 10, 20, red));
    }
    ASSERT_EQ(runs().size(), 1U);
    EXPECT_EQ(runs().front().needs, BoxNeeds::all);
    EXPECT_FALSE(runs().front().holes);
}

TEST_F(BoxRuns, AreNotSeenFlatWhereTheyStandOrLean) {
    EXPECT_TRUE(pixel_seen_flat(drawing, 1));
    drawing.view_projection[9] = 0.1F;
    EXPECT_FALSE(pixel_seen_flat(drawing, 1));
    drawing.view_projection[9] = 0;
    drawing.view_projection[11] = -0.001F;  // an eye that is not infinitely far
    EXPECT_TRUE(pixel_seen_flat(drawing, 1));
    Box standing = filled(0, 0, 10, 10, red);
    standing.top = 5;
    drawing.add(standing);
    EXPECT_FALSE(pixel_seen_flat(drawing, 1));
}

}  // namespace
}  // namespace headcount
