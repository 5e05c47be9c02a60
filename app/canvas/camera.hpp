// Where the eye is, over a picture that lies in a plane: from above, or tilted with perspective. Positions in the plane
// ("world") are doubles, because a picture is zoomed from a whole model to one cell of millions.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "app/canvas/scene.hpp"

namespace headcount {

struct WorldPoint {
    double x = 0, y = 0;

    bool operator==(const WorldPoint&) const = default;
};

struct WorldRect {
    WorldPoint min, max;

    double width() const { return max.x - min.x; }
    double height() const { return max.y - min.y; }
    WorldPoint centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
    std::array<WorldPoint, 4> corners() const { return {min, {max.x, min.y}, max, {min.x, max.y}}; }
    bool contains(WorldPoint point) const {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
    bool operator==(const WorldRect&) const = default;
};

// The least one with both.
inline WorldRect around(const WorldRect& a, const WorldRect& b) {
    return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y)},
            {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y)}};
}

struct Camera {
    double x = 0, y = 0;  // the target: what is in the middle
    double zoom = 1;      // pixels of the screen a unit of the world, at the target
    double tilt = 0;      // radians from straight above, 0 to most_tilt
    double turn = 0;      // radians around the vertical, seen tilted

    bool flat() const { return tilt == 0 && turn == 0; }
    bool operator==(const Camera&) const = default;
};

inline constexpr double most_tilt = 1.2;
inline constexpr double usual_tilt = 0.46, usual_turn = 0.12;  // radians: cards stay wide enough for their words
inline constexpr double least_zoom = 0.05, most_zoom = 1e7;

// A camera and the part of the screen that it fills.
class Lens {
  public:
    Lens(const Camera& camera, Rect area);

    // A point of the plane, `height` pixels above it, on the screen. What is behind the eye lands far outside.
    Point project(WorldPoint point, float height = 0) const;
    // The same for a point given in pixels from the target, as in Drawing.
    Point project(Point from_target, float height) const;
    // The point of the plane that is seen at a point of the screen; nothing above the horizon.
    std::optional<WorldPoint> unproject(Point screen) const;
    // The least rectangle of the plane that holds all that is seen, as far as it is not too far away.
    WorldRect seen() const;
    // From pixels in the plane and height to -1 ... 1 of the area, column by column.
    std::array<float, 16> view_projection() const;

    const Camera& camera() const { return camera_; }
    const Rect& area() const { return area_; }

  private:
    struct Turned {
        double x, y, depth;  // right, down, towards the eye
    };
    Turned turned(double x, double y, double z) const;

    Camera camera_;
    Rect area_;
    double distance_;  // of the eye from the target, in pixels
    double sin_tilt_, cos_tilt_, sin_turn_, cos_turn_;
};

// The camera, as tilted as `from`, that shows all of `rect` with `margin` pixels around it. Tilted, it shows these
// points of the rectangle where any are given, since its own corners may be empty.
Camera fitted(const WorldRect& rect, Rect area, float margin, const Camera& from = {},
              std::span<const WorldPoint> corners = {});

// `camera` zoomed by `factor` so that what is under `screen` stays there. The zoom stays within its limits.
Camera zoomed_at(const Camera& camera, Rect area, Point screen, double factor);

// `camera` moved so that what was seen at `from` is seen at `to`.
Camera panned(const Camera& camera, Rect area, Point from, Point to);

// On the way from one camera to another, `share` 0 to 1: zoom in equal ratios, along the line on which the picture
// seems to grow out of one point.
Camera between(const Camera& from, const Camera& to, double share);

// Fast at first, then coming to rest: the share of the way after a share of the time.
double eased(double time);

}  // namespace headcount
