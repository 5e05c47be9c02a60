// A camera over a plane, in doubles: the screen is pixels from the middle, turned, tilted and seen from a distance.
#include "app/canvas/camera.hpp"

#include <algorithm>
#include <cmath>
#include <glm/mat4x4.hpp>

namespace headcount {
namespace {

// The eye is this many heights of the area away, so that a slab at the edge is not torn apart.
constexpr double eye_distance = 2.2;
// How far from the target things are still looked at, in heights of the area, when the horizon is in sight.
constexpr double farthest = 8;
constexpr int fitting_rounds = 16;
constexpr double fitting_share = 0.7;   // of the way that a round seems to ask for: it overshoots towards the horizon
constexpr double nearest_share = 0.05;  // of the distance: nearer than this counts as behind the eye

}  // namespace

Lens::Lens(const Camera& camera, Rect area)
    : camera_(camera),
      area_(area),
      distance_(eye_distance * std::max(1.0, static_cast<double>(area.height()))),
      sin_tilt_(std::sin(camera.tilt)),
      cos_tilt_(std::cos(camera.tilt)),
      sin_turn_(std::sin(camera.turn)),
      cos_turn_(std::cos(camera.turn)) {}

Lens::Turned Lens::turned(double x, double y, double z) const {
    const double right = x * cos_turn_ - y * sin_turn_, ahead = x * sin_turn_ + y * cos_turn_;
    return {right, ahead * cos_tilt_ - z * sin_tilt_, ahead * sin_tilt_ + z * cos_tilt_};
}

Point Lens::project(WorldPoint point, float height) const {
    const Turned seen =
        turned((point.x - camera_.x) * camera_.zoom, (point.y - camera_.y) * camera_.zoom, static_cast<double>(height));
    const double scale = distance_ / std::max(distance_ - seen.depth, distance_ * nearest_share);
    const Point middle = area_.centre();
    return {middle.x + static_cast<float>(seen.x * scale), middle.y + static_cast<float>(seen.y * scale)};
}

Point Lens::project(Point from_target, float height) const {
    const WorldPoint point{camera_.x + static_cast<double>(from_target.x) / camera_.zoom,
                           camera_.y + static_cast<double>(from_target.y) / camera_.zoom};
    return project(point, height);
}

std::optional<WorldPoint> Lens::unproject(Point screen) const {
    const Point middle = area_.centre();
    const double right = static_cast<double>(screen.x) - static_cast<double>(middle.x);
    const double down = static_cast<double>(screen.y) - static_cast<double>(middle.y);
    // With z = 0: right = X·s, down = Y·cos·s, s = D / (D - Y·sin), X and Y the turned position.
    const double denominator = distance_ * cos_tilt_ + down * sin_tilt_;
    if (denominator <= distance_ * 1e-3) return std::nullopt;
    const double ahead = down * distance_ / denominator;
    const double x = right * (distance_ - ahead * sin_tilt_) / distance_;
    return WorldPoint{camera_.x + (x * cos_turn_ + ahead * sin_turn_) / camera_.zoom,
                      camera_.y + (ahead * cos_turn_ - x * sin_turn_) / camera_.zoom};
}

WorldRect Lens::seen() const {
    const double reach = farthest * static_cast<double>(area_.height()) / camera_.zoom;
    WorldRect most{{camera_.x - reach, camera_.y - reach}, {camera_.x + reach, camera_.y + reach}};
    WorldRect all{{camera_.x, camera_.y}, {camera_.x, camera_.y}};
    for (const Point corner : area_.corners()) {
        const std::optional<WorldPoint> point = unproject(corner);
        if (!point) return most;
        all.min = {std::min(all.min.x, point->x), std::min(all.min.y, point->y)};
        all.max = {std::max(all.max.x, point->x), std::max(all.max.y, point->y)};
    }
    if (camera_.flat()) return all;
    return {{std::max(all.min.x, most.min.x), std::max(all.min.y, most.min.y)},
            {std::min(all.max.x, most.max.x), std::min(all.max.y, most.max.y)}};
}

std::array<float, 16> Lens::view_projection() const {
    const double half_width = static_cast<double>(area_.width()) / 2,
                 half_height = static_cast<double>(area_.height()) / 2;
    // clip = (x / half_width, -y / half_height, 0, 1 - depth / distance), with x, y, depth as in `turned`.
    glm::dmat4 all(0);
    all[0] = {cos_turn_ / half_width, -sin_turn_ * cos_tilt_ / half_height, 0, -sin_turn_ * sin_tilt_ / distance_};
    all[1] = {-sin_turn_ / half_width, -cos_turn_ * cos_tilt_ / half_height, 0, -cos_turn_ * sin_tilt_ / distance_};
    all[2] = {0, sin_tilt_ / half_height, 0, -cos_tilt_ / distance_};
    all[3] = {0, 0, 0, 1};
    std::array<float, 16> values{};
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            values[static_cast<std::size_t>(column) * 4 + static_cast<std::size_t>(row)] =
                static_cast<float>(all[column][row]);
    return values;
}

Camera fitted(const WorldRect& rect, Rect area, float margin, const Camera& from, std::span<const WorldPoint> corners) {
    const std::array<WorldPoint, 4> own = rect.corners();
    if (corners.empty()) corners = own;
    Camera camera = from;
    camera.x = rect.centre().x;
    camera.y = rect.centre().y;
    const auto room = [&](float side) { return std::max(1.0, static_cast<double>(side - 2 * margin)); };
    const double across = rect.width() > 0 ? room(area.width()) / rect.width() : most_zoom;
    const double down = rect.height() > 0 ? room(area.height()) / rect.height() : most_zoom;
    camera.zoom = std::clamp(std::min(across, down), least_zoom, most_zoom);
    // Tilted, near parts are larger than far ones: what is seen of it is brought to size and to the middle step by
    // step.
    for (int round = 0; round < fitting_rounds && !from.flat(); ++round) {
        const Lens lens(camera, area);
        Rect seen{lens.project(corners.front()), lens.project(corners.front())};
        for (const WorldPoint corner : corners) {
            const Point at = lens.project(corner);
            seen.min = {std::min(seen.min.x, at.x), std::min(seen.min.y, at.y)};
            seen.max = {std::max(seen.max.x, at.x), std::max(seen.max.y, at.y)};
        }
        camera = panned(camera, area, seen.centre(), area.centre());
        const double factor = std::min(room(area.width()) / static_cast<double>(seen.width()),
                                       room(area.height()) / static_cast<double>(seen.height()));
        camera.zoom = std::clamp(camera.zoom * std::pow(factor, fitting_share), least_zoom, most_zoom);
    }
    return camera;
}

Camera zoomed_at(const Camera& camera, Rect area, Point screen, double factor) {
    Camera nearer = camera;
    nearer.zoom = std::clamp(camera.zoom * factor, least_zoom, most_zoom);
    const std::optional<WorldPoint> fixed = Lens(camera, area).unproject(screen);
    if (!fixed) return nearer;
    // Distances from the fixed point shrink by the ratio of the zooms, flat or tilted.
    const double ratio = camera.zoom / nearer.zoom;
    nearer.x = fixed->x + (camera.x - fixed->x) * ratio;
    nearer.y = fixed->y + (camera.y - fixed->y) * ratio;
    return nearer;
}

Camera panned(const Camera& camera, Rect area, Point from, Point to) {
    const Lens lens(camera, area);
    const auto before = lens.unproject(from), after = lens.unproject(to);
    if (!before || !after) return camera;
    Camera moved = camera;
    moved.x += before->x - after->x;
    moved.y += before->y - after->y;
    return moved;
}

Camera between(const Camera& from, const Camera& to, double share) {
    if (share <= 0) return from;
    if (share >= 1) return to;
    Camera camera;
    const double ratio = to.zoom / from.zoom;
    camera.zoom = from.zoom * std::pow(ratio, share);
    // With equal zooms the way is a straight pan; else it is the one that leaves one point of the picture at rest.
    const double way = std::abs(ratio - 1) < 1e-6 ? share : (1 - from.zoom / camera.zoom) / (1 - from.zoom / to.zoom);
    camera.x = from.x + (to.x - from.x) * way;
    camera.y = from.y + (to.y - from.y) * way;
    camera.tilt = from.tilt + (to.tilt - from.tilt) * share;
    camera.turn = from.turn + (to.turn - from.turn) * share;
    return camera;
}

double eased(double time) {
    const double left = 1 - std::clamp(time, 0.0, 1.0);
    return 1 - left * left * left;
}

}  // namespace headcount
