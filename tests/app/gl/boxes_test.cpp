// Boxes and lines drawn and read back pixel by pixel: faces, edges, corners, the order, and how many calls that takes.
#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "tests/app/gl/canvas_stage.hpp"

namespace headcount {
namespace {

using namespace test;

Box box(float left, float top, float right, float bottom, Rgba fill) {
    return Box{.min_x = left, .min_y = top, .max_x = right, .max_y = bottom, .fill = fill};
}

class Boxes : public CanvasTest {};
class Lines : public CanvasTest {};
class Slabs : public CanvasTest {
  protected:
    // The plane's (100, 60) in the middle of the picture, seen from the near side at 45 degrees, y downward.
    void tilt(float side = 0) {
        const glm::mat4 lens = glm::scale(glm::mat4(1), glm::vec3(1, -1, 1)) *
                               glm::perspective(glm::radians(20.0F), 200.0F / 120.0F, 10.0F, 2000.0F);
        const glm::mat4 look = glm::lookAt(glm::vec3(side, 240, 240), glm::vec3(0), glm::vec3(0, 0, 1));
        glm::mat4 view = lens * look * glm::translate(glm::mat4(1), glm::vec3(-100, -60, 0));
        const auto x_of = [&](float x) {
            const glm::vec4 p = view * glm::vec4(x, 60, 0, 1);
            return p.x / p.w;
        };
        const auto y_of = [&](float y) {
            const glm::vec4 p = view * glm::vec4(100, y, 0, 1);
            return p.y / p.w;
        };
        view =
            glm::scale(glm::mat4(1), glm::vec3(x_of(150) < x_of(50) ? -1 : 1, y_of(90) > y_of(30) ? -1 : 1, 1)) * view;
        std::copy_n(glm::value_ptr(view), 16, drawing.view_projection.begin());
    }
    std::array<int, 2> seen_at(float x, float y, float height) const {
        const glm::vec4 p = glm::make_mat4(drawing.view_projection.data()) * glm::vec4(x, y, height, 1);
        return {static_cast<int>((p.x / p.w + 1) / 2 * width), static_cast<int>((1 - p.y / p.w) / 2 * height_of)};
    }
    static constexpr float height_of = height;
};

TEST_F(Boxes, CoverTheirPixelsAndNoOthers) {
    drawing.add(box(10, 20, 50, 40, red));
    draw();
    for (const auto& [x, y] : {std::pair{10, 20}, std::pair{49, 20}, std::pair{10, 39}, std::pair{49, 39}})
        EXPECT_TRUE(is(x, y, red));
    for (const auto& [x, y] : {std::pair{9, 20}, std::pair{50, 20}, std::pair{10, 19}, std::pair{10, 40}})
        EXPECT_TRUE(is(x, y, black));
}

TEST_F(Boxes, BetweenPixelsCountByWhatTheyCover) {
    drawing.add(box(10.25F, 20, 50, 40.5F, white));
    drawing.add(box(70, 20, 70.25F, 40, white));
    draw();
    EXPECT_TRUE(is(10, 30, opaque(191, 191, 191)));
    EXPECT_TRUE(is(30, 40, opaque(128, 128, 128)));
    EXPECT_TRUE(is(10, 40, opaque(96, 96, 96)));
    EXPECT_TRUE(is(70, 30, opaque(64, 64, 64))) << "thinner than a pixel";
}

TEST_F(Boxes, HaveAnEdgeInsideAndATabOnTheLeft) {
    Box paper = box(10, 20, 50, 40, grey);
    paper.edge = white;
    paper.edge_width = 2;
    paper.tab = red;
    paper.tab_width = 4;
    drawing.add(paper);
    draw();
    for (const auto& [x, y] :
         {std::pair{49, 30}, std::pair{48, 30}, std::pair{30, 20}, std::pair{30, 21}, std::pair{30, 39}})
        EXPECT_TRUE(is(x, y, white));
    EXPECT_TRUE(is(47, 30, grey));
    EXPECT_TRUE(is(30, 22, grey));
    EXPECT_TRUE(is(10, 30, red));
    EXPECT_TRUE(is(13, 20, red));
    EXPECT_TRUE(is(14, 30, grey));
}

TEST_F(Boxes, WithoutAFillAreAnEdgeAlone) {
    Box frame = box(10, 20, 50, 40, 0);
    frame.edge = opaque(255, 255, 255, 128);
    frame.edge_width = 1;
    drawing.add(frame);
    draw();
    EXPECT_TRUE(is(10, 30, opaque(128, 128, 128)));
    EXPECT_TRUE(is(30, 30, black));
}

TEST_F(Boxes, HaveRoundedCornersThatAreSmooth) {
    Box round = box(10, 20, 60, 70, white);
    round.radius = 10;
    drawing.add(round);
    draw();
    EXPECT_TRUE(is(10, 20, black));
    EXPECT_TRUE(is(59, 69, black));
    EXPECT_TRUE(is(20, 20, white));
    EXPECT_TRUE(is(13, 23, white, 40));  // on the diagonal the circle passes at 10 - 10 / sqrt(2) = 2.93
    int between = 0, covered = 0;
    for (int y = 20; y < 30; ++y)
        for (int x = 10; x < 20; ++x) {
            const int light = pixel(x, y)[0];
            covered += light;
            between += light > 8 && light < 247;
        }
    EXPECT_GT(between, 8);
    EXPECT_NEAR(covered / 255.0, 3.14159 / 4 * 100, 0.6) << "a quarter of a circle";
}

TEST_F(Boxes, HaveDashesThatAreAsLongAsTheGaps) {
    Box ghost = box(10, 20, 110, 100, 0);
    ghost.edge = white;
    ghost.edge_width = 1;
    ghost.dash = 4;
    drawing.add(ghost);
    draw();
    int lit = 0, changes = 0;
    for (int x = 10; x < 110; ++x) {
        lit += pixel(x, 20)[0];
        changes += (pixel(x, 20)[0] > 127) != (pixel(x - 1, 20)[0] > 127);
    }
    EXPECT_NEAR(lit / 255.0, 50, 3);
    EXPECT_NEAR(changes, 25, 2);
    EXPECT_TRUE(is(10, 20, white)) << "a corner";
    EXPECT_TRUE(is(109, 99, white)) << "a corner";
    EXPECT_TRUE(is(60, 60, black));
}

TEST_F(Boxes, LieOnWhatCameBeforeThem) {
    drawing.add(box(10, 20, 50, 40, red));
    drawing.add(Line{.from_x = 0, .from_y = 30, .to_x = 100, .to_y = 30, .width = 4, .colour = green});
    drawing.add(box(30, 20, 40, 40, opaque(0, 0, 255, 128)));
    drawing.add(Line{.from_x = 35, .from_y = 0, .to_x = 35, .to_y = 100, .width = 2, .colour = white});
    draw();
    EXPECT_EQ(drawing.batches.size(), 4U);
    EXPECT_TRUE(is(15, 25, red));
    EXPECT_TRUE(is(15, 30, green));
    EXPECT_TRUE(is(32, 30, opaque(0, 127, 128)));
    EXPECT_TRUE(is(32, 25, opaque(127, 0, 128)));
    EXPECT_TRUE(is(35, 30, white));
}

TEST_F(Boxes, StayInsideTheAreaOfTheDrawing) {
    drawing.area = {{20, 10}, {120, 90}};
    show_flat();
    drawing.add(box(-50, -50, 500, 500, red));
    draw();
    EXPECT_TRUE(is(20, 10, red));
    EXPECT_TRUE(is(119, 89, red));
    for (const auto& [x, y] : {std::pair{19, 10}, std::pair{20, 9}, std::pair{120, 50}, std::pair{50, 90}})
        EXPECT_TRUE(is(x, y, black));
}

TEST_F(Boxes, InTwelveBatchesTakeAtMostSixtyCallsHoweverMany) {
    for (const int a_batch : {1, 800}) {
        drawing.clear();
        drawing.values.assign(100, 1.0F);
        for (int i = 0; i < 12 * a_batch; ++i) {
            const float x = static_cast<float>(i % 190);
            if (i / a_batch % 2 == 0)
                drawing.add(box(x, 10, x + 5, 15, red));
            else
                drawing.add(Line{.from_x = x, .from_y = 50, .to_x = x + 5, .to_y = 60, .colour = green});
        }
        draw();
        EXPECT_EQ(drawing.batches.size(), 12U);
        EXPECT_LE(renderer->calls(), 60U);
        EXPECT_GT(renderer->calls(), 24U);
        EXPECT_TRUE(is(3, 12, red));
    }
    drawing.clear();
    draw();
    EXPECT_EQ(renderer->calls(), 0U);
}

// Two models of a comparison are painted one after the other.
TEST_F(Boxes, OfTwoDrawingsInOnePictureKeepToTheirSides) {
    if (!offscreen) GTEST_SKIP();
    drawing.area = {{0, 0}, {100, 120}};
    show_flat();
    Drawing second = drawing;
    second.area = {{100, 0}, {200, 120}};
    drawing.add(box(-50, 10, 300, 110, red));
    second.add(box(-50, 10, 300, 110, green));
    offscreen->clear({0, 0, 0, 1});
    for (const Drawing* each : {&drawing, &second}) {
        renderer->draw(*each, offscreen->height());
        EXPECT_LE(renderer->calls(), 60U);
    }
    pixels = offscreen->read();
    for (const auto& [x, colour] :
         {std::pair{1, red}, std::pair{99, red}, std::pair{100, green}, std::pair{198, green}})
        EXPECT_TRUE(is(x, 60, colour));
}

TEST_F(Lines, HaveTheirWidthAndRoundEnds) {
    drawing.add(Line{.from_x = 20, .from_y = 50, .to_x = 80, .to_y = 50, .width = 10, .colour = white});
    drawing.add(Line{.from_x = 120, .from_y = 20.5F, .to_x = 180, .to_y = 20.5F, .width = 0.5F, .colour = white});
    draw();
    EXPECT_TRUE(is(50, 45, white));
    EXPECT_TRUE(is(50, 54, white));
    EXPECT_TRUE(is(50, 44, black));
    EXPECT_TRUE(is(50, 55, black));
    EXPECT_TRUE(is(16, 50, white, 10)) << "the round end";
    EXPECT_TRUE(is(14, 50, black));
    EXPECT_TRUE(is(15, 45, black)) << "beside the round end";
    EXPECT_TRUE(is(150, 20, opaque(128, 128, 128))) << "thinner than a pixel";
    EXPECT_TRUE(is(150, 21, black));
}

TEST_F(Lines, PointWithTheirTipAtTheEnd) {
    drawing.add(
        Line{.from_x = 20, .from_y = 60.5F, .to_x = 100, .to_y = 60.5F, .width = 1, .arrow = 20, .colour = white});
    draw();
    EXPECT_TRUE(is(50, 60, white));
    EXPECT_TRUE(is(50, 62, black));
    EXPECT_TRUE(is(81, 69, white)) << "0.55 of 20 on either side";
    EXPECT_TRUE(is(81, 51, white));
    EXPECT_TRUE(is(81, 73, black));
    EXPECT_TRUE(is(97, 60, white));
    EXPECT_TRUE(is(101, 60, black));
    EXPECT_TRUE(is(90, 68, black));
}

TEST_F(Slabs, ShowTheirTopAndADarkerSide) {
    tilt();
    Box slab = box(70, 40, 130, 80, opaque(200, 100, 0));
    slab.top = 20;
    drawing.add(slab);
    draw();
    const auto [top_x, top_y] = seen_at(100, 60, 20);
    EXPECT_TRUE(is(top_x, top_y, opaque(200, 100, 0)));
    const auto [side_x, side_y] = seen_at(100, 80, 10);
    EXPECT_GT(side_y, top_y);
    EXPECT_TRUE(is(side_x, side_y, opaque(144, 72, 0), 3));
    const auto [back_x, back_y] = seen_at(100, 40, 20);
    EXPECT_TRUE(is(back_x, back_y - 3, black));
    const auto [rim_x, rim_y] = seen_at(100, 80, 20);
    for (int y = rim_y - 2; y <= rim_y + 2; ++y)
        EXPECT_GT(pixel(rim_x, y)[0], 140) << "nothing shines through at " << y;
}

TEST_F(Slabs, ShowTheSideThatIsTowardsTheEye) {
    for (const float side : {-200.0F, 200.0F}) {
        tilt(side);
        drawing.clear();
        Box slab = box(70, 40, 130, 80, opaque(200, 100, 0));
        slab.top = 30;
        drawing.add(slab);
        draw();
        const auto [left_x, left_y] = seen_at(70, 60, 15);
        const auto [right_x, right_y] = seen_at(130, 60, 15);
        EXPECT_TRUE(is(side < 0 ? left_x : right_x, side < 0 ? left_y : right_y, opaque(116, 58, 0), 3));
    }
}

TEST_F(Slabs, AreFlatFromStraightAbove) {
    Box slab = box(70, 40, 130, 80, red);
    slab.top = 30;
    drawing.add(slab);
    draw();
    EXPECT_TRUE(is(70, 40, red));
    EXPECT_TRUE(is(129, 79, red));
    EXPECT_TRUE(is(130, 79, black));
    EXPECT_TRUE(is(100, 80, black));
}

TEST_F(Slabs, LieInThePlaneWithLinesOfOneWidth) {
    tilt();
    drawing.add(Line{.from_x = 30, .from_y = 20, .to_x = 170, .to_y = 20, .width = 4, .colour = white});
    drawing.add(Line{.from_x = 30, .from_y = 100, .to_x = 170, .to_y = 100, .width = 4, .colour = white});
    drawing.add(Line{.from_x = 70, .from_y = 60, .to_x = 130, .to_y = 60, .width = 4, .colour = white, .height = 20});
    draw();
    for (const auto& [y, height] : {std::pair{20.0F, 0.0F}, std::pair{100.0F, 0.0F}, std::pair{60.0F, 20.0F}}) {
        const auto [at_x, at_y] = seen_at(100, y, height);
        int lit = 0;
        for (int row = at_y - 6; row <= at_y + 6; ++row) lit += pixel(at_x, row)[0];
        EXPECT_NEAR(lit / 255.0, 4, 0.1);
    }
}

}  // namespace
}  // namespace headcount
