// The camera over the plane, flat and tilted, from the whole model to one cell of millions.
#include "app/canvas/camera.hpp"

#include <gtest/gtest.h>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

constexpr int rounds = 4000;
constexpr Rect camera_area{{16, 40}, {1116, 660}};

// Somewhere over a picture as large as a screen, as near as a camera can be; every second one from straight above.
Camera random_camera(Chance& chance, double most = most_zoom) {
    Camera camera{.x = chance.between(0, 1900), .y = chance.between(0, 1200), .zoom = chance.ratio(least_zoom, most)};
    if (chance.coin()) return camera;
    camera.tilt = chance.between(0, most_tilt);
    camera.turn = chance.between(-3.2, 3.2);
    return camera;
}

Point random_point(Chance& chance, const Rect& inside = camera_area) {
    return {static_cast<float>(chance.between(inside.min.x, inside.max.x)),
            static_cast<float>(chance.between(inside.min.y, inside.max.y))};
}

double apart(Point a, Point b) { return std::hypot(static_cast<double>(a.x - b.x), static_cast<double>(a.y - b.y)); }

TEST(Camera, WhatIsSeenAtAPointOfTheScreenIsShownThere) {
    Chance chance(1);
    int seen = 0;
    for (int i = 0; i < rounds; ++i) {
        const Lens lens(random_camera(chance), camera_area);
        const Point screen = random_point(chance);
        const std::optional<WorldPoint> world = lens.unproject(screen);
        if (!world) continue;  // above the horizon
        ++seen;
        EXPECT_LT(apart(lens.project(*world), screen), 0.01) << text_of(lens.camera());
        EXPECT_TRUE(!lens.camera().flat() || lens.seen().contains(*world)) << text_of(lens.camera());
    }
    EXPECT_GT(seen, rounds * 3 / 4);
}

TEST(Camera, WhatIsShownAtAPointOfTheScreenIsFoundThere) {
    Chance chance(2);
    for (int i = 0; i < rounds; ++i) {
        const Camera camera = random_camera(chance);
        const Lens lens(camera, camera_area);
        const double reach = 300 / camera.zoom;
        const WorldPoint world{camera.x + chance.between(-reach, reach), camera.y + chance.between(-reach, reach)};
        const std::optional<WorldPoint> found = lens.unproject(lens.project(world));
        ASSERT_TRUE(found) << text_of(camera);
        // Where a pixel is many, as towards the horizon, so is the error of one.
        EXPECT_LT(std::hypot(found->x - world.x, found->y - world.y) * camera.zoom, 0.01) << text_of(camera);
    }
}

TEST(Camera, TheTargetIsInTheMiddle) {
    Chance chance(3);
    for (int i = 0; i < rounds; ++i) {
        const Camera camera = random_camera(chance);
        EXPECT_LT(apart(Lens(camera, camera_area).project(WorldPoint{camera.x, camera.y}), camera_area.centre()), 1e-3);
    }
}

TEST(Camera, ZoomingLeavesWhatIsUnderThePointerThere) {
    Chance chance(4);
    for (int i = 0; i < rounds; ++i) {
        const Camera camera = random_camera(chance);
        const Point screen = random_point(chance);
        const std::optional<WorldPoint> under = Lens(camera, camera_area).unproject(screen);
        const Camera nearer = zoomed_at(camera, camera_area, screen, chance.ratio(0.1, 10));
        EXPECT_GE(nearer.zoom, least_zoom);
        EXPECT_LE(nearer.zoom, most_zoom);
        EXPECT_EQ(nearer.tilt, camera.tilt);
        EXPECT_EQ(nearer.turn, camera.turn);
        if (!under) continue;
        EXPECT_LT(apart(Lens(nearer, camera_area).project(*under), screen), 0.01)
            << text_of(camera) << " to " << nearer.zoom << " at " << screen.x << ", " << screen.y;
    }
}

TEST(Camera, ZoomingThereAndBackComesBack) {
    Chance chance(5);
    for (int i = 0; i < rounds; ++i) {
        const Camera camera = random_camera(chance, 1e5);
        const Point screen = random_point(chance);
        const double factor = chance.ratio(1, 50);
        const Camera back = zoomed_at(zoomed_at(camera, camera_area, screen, factor), camera_area, screen, 1 / factor);
        EXPECT_NEAR((back.x - camera.x) * camera.zoom, 0, 0.01) << text_of(camera);
        EXPECT_NEAR((back.y - camera.y) * camera.zoom, 0, 0.01) << text_of(camera);
        EXPECT_NEAR(back.zoom / camera.zoom, 1, 1e-9) << text_of(camera);
    }
}

TEST(Camera, PanningTakesThePictureAlong) {
    Chance chance(6);
    for (int i = 0; i < rounds; ++i) {
        const Camera camera = random_camera(chance);
        const Point from = random_point(chance), to = random_point(chance);
        const auto held = Lens(camera, camera_area).unproject(from), there = Lens(camera, camera_area).unproject(to);
        const Camera moved = panned(camera, camera_area, from, to);
        EXPECT_EQ(moved.zoom, camera.zoom);
        if (!held || !there) {
            EXPECT_EQ(moved, camera);
            continue;
        }
        EXPECT_LT(apart(Lens(moved, camera_area).project(*held), to), 0.01) << text_of(camera);
    }
}

TEST(Camera, TheWayBetweenTwoStartsAndEndsThereAndZoomsSteadily) {
    Chance chance(7);
    for (int i = 0; i < rounds / 8; ++i) {
        const Camera from = random_camera(chance), to = random_camera(chance);
        EXPECT_EQ(between(from, to, 0), from);
        EXPECT_EQ(between(from, to, 1), to);
        double zoom = from.zoom;
        const double ratio = to.zoom / from.zoom;
        for (int step = 1; step <= 20; ++step) {
            const Camera camera = between(from, to, step / 20.0);
            EXPECT_TRUE(ratio > 1 ? camera.zoom >= zoom : camera.zoom <= zoom)
                << text_of(from) << " to " << text_of(to);
            EXPECT_NEAR(camera.zoom / (from.zoom * std::pow(ratio, step / 20.0)), 1, 1e-9);
            zoom = camera.zoom;
            // Never beside the straight line, never beyond its ends.
            EXPECT_GE(camera.x, std::min(from.x, to.x) - 1e-9);
            EXPECT_LE(camera.x, std::max(from.x, to.x) + 1e-9);
        }
    }
}

TEST(Camera, OnTheWayOnePointOfThePictureStaysAtRest) {
    Chance chance(8);
    for (int i = 0; i < rounds / 8; ++i) {
        Camera from = random_camera(chance), to = random_camera(chance);
        from.tilt = from.turn = to.tilt = to.turn = 0;
        if (std::abs(to.zoom / from.zoom - 1) < 0.1) continue;
        // Where both show it at the same place: (p - a) za = (p - b) zb.
        const auto rest = [&](double a, double b) { return (a * from.zoom - b * to.zoom) / (from.zoom - to.zoom); };
        const WorldPoint fixed{rest(from.x, to.x), rest(from.y, to.y)};
        const double x = (fixed.x - from.x) * from.zoom, y = (fixed.y - from.y) * from.zoom;
        for (int step = 1; step < 20; ++step) {
            const Camera camera = between(from, to, step / 20.0);
            const double slack = 1e-6 * (1 + std::hypot(x, y));
            EXPECT_NEAR((fixed.x - camera.x) * camera.zoom, x, slack) << text_of(from) << " to " << text_of(to);
            EXPECT_NEAR((fixed.y - camera.y) * camera.zoom, y, slack) << text_of(from) << " to " << text_of(to);
        }
    }
}

TEST(Camera, EqualZoomsArePannedBetween) {
    const Camera from{.x = 10, .y = 20, .zoom = 3}, to{.x = 110, .y = 220, .zoom = 3};
    const Camera middle = between(from, to, 0.5);
    EXPECT_DOUBLE_EQ(middle.x, 60);
    EXPECT_DOUBLE_EQ(middle.y, 120);
    EXPECT_DOUBLE_EQ(middle.zoom, 3);
}

TEST(Camera, EasingStartsFastAndRests) {
    EXPECT_EQ(eased(0), 0);
    EXPECT_EQ(eased(1), 1);
    EXPECT_EQ(eased(-1), 0);
    EXPECT_EQ(eased(2), 1);
    double last = 0, step = 1;
    for (int i = 1; i <= 100; ++i) {
        const double now = eased(i / 100.0);
        EXPECT_GT(now, last);
        EXPECT_LE(now - last, step + 1e-12);
        step = now - last;
        last = now;
    }
}

TEST(Camera, FittingShowsAllOfARectangleWithItsMargin) {
    Chance chance(9);
    for (int i = 0; i < rounds; ++i) {
        const Camera like = random_camera(chance);
        const WorldPoint min{chance.between(0, 1900), chance.between(0, 1200)};
        const double size = chance.ratio(1e-3, 1500);
        const WorldRect rect{min, {min.x + size * chance.ratio(0.1, 1), min.y + size * chance.ratio(0.1, 1)}};
        const auto margin = static_cast<float>(chance.between(0, 100));
        const Camera camera = fitted(rect, camera_area, margin, like);
        EXPECT_EQ(camera.tilt, like.tilt);
        EXPECT_EQ(camera.turn, like.turn);
        if (camera.zoom <= least_zoom || camera.zoom >= most_zoom) continue;
        const Lens lens(camera, camera_area);
        Rect seen{camera_area.max, camera_area.min};
        for (WorldPoint corner :
             {rect.min, WorldPoint{rect.max.x, rect.min.y}, rect.max, WorldPoint{rect.min.x, rect.max.y}}) {
            const Point at = lens.project(corner);
            seen.min = {std::min(seen.min.x, at.x), std::min(seen.min.y, at.y)};
            seen.max = {std::max(seen.max.x, at.x), std::max(seen.max.y, at.y)};
        }
        const float slack = camera.flat() ? 0.01F : 2;  // tilted, it comes nearer step by step
        EXPECT_GE(seen.min.x, camera_area.min.x + margin - slack) << text_of(camera);
        EXPECT_GE(seen.min.y, camera_area.min.y + margin - slack) << text_of(camera);
        EXPECT_LE(seen.max.x, camera_area.max.x - margin + slack) << text_of(camera);
        EXPECT_LE(seen.max.y, camera_area.max.y - margin + slack) << text_of(camera);
        // And no smaller than it has to be.
        const float across = seen.width() / (camera_area.width() - 2 * margin),
                    down = seen.height() / (camera_area.height() - 2 * margin);
        EXPECT_GT(std::max(across, down), 0.98F) << text_of(camera);
    }
}

TEST(Camera, TheMatrixForTheRendererShowsWhatProjectShows) {
    Chance chance(10);
    for (int i = 0; i < rounds; ++i) {
        const Camera camera = random_camera(chance);
        const Lens lens(camera, camera_area);
        const std::array<float, 16> matrix = lens.view_projection();
        const Point plane{static_cast<float>(chance.between(-900, 900)), static_cast<float>(chance.between(-500, 500))};
        const auto height = static_cast<float>(chance.between(0, 50));
        const auto row = [&](std::size_t of) {
            return matrix[of] * plane.x + matrix[4 + of] * plane.y + matrix[8 + of] * height + matrix[12 + of];
        };
        const float w = row(3);
        if (w < 0.1F) continue;  // behind the eye, or nearly
        const Point shown{camera_area.centre().x + row(0) / w * camera_area.width() / 2,
                          camera_area.centre().y - row(1) / w * camera_area.height() / 2};
        EXPECT_LT(apart(shown, lens.project(plane, height)), 0.02 / static_cast<double>(w))
            << text_of(camera) << " of " << plane.x << ", " << plane.y << ", " << height;
    }
}

TEST(Camera, HigherThingsAreSeenHigherWhenTilted) {
    Chance chance(11);
    for (int i = 0; i < rounds / 8; ++i) {
        Camera camera = random_camera(chance);
        camera.tilt = chance.between(0.1, most_tilt);
        const Lens lens(camera, camera_area);
        const WorldPoint at{camera.x, camera.y};
        EXPECT_LT(lens.project(at, 40).y, lens.project(at, 0).y) << text_of(camera);
    }
}

}  // namespace
}  // namespace headcount
