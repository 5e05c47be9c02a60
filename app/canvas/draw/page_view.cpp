// From a page's pixels to the plane and to the screen; clips to what is seen.
#include "app/canvas/draw/page_view.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

// On which side of the line from `a` to `b` a place is: its sign.
float side_of(Point a, Point b, Point at) { return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x); }

}  // namespace

bool Quad::contains(Point at) const {
    int left = 0, right = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const float side = side_of(corners[i], corners[(i + 1) % corners.size()], at);
        left += side > 0 ? 1 : 0;
        right += side < 0 ? 1 : 0;
    }
    return left == 0 || right == 0;
}

// Both are convex: unless a side of either has the other behind it.
bool Quad::overlaps(const Rect& rect) const {
    Rect box{corners[0], corners[0]};
    for (const Point corner : corners) box = {around(box.min, corner).min, around(box.max, corner).max};
    if (!box.overlaps(rect)) return false;
    const std::array<Point, 4> others = rect.corners();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point a = corners[i], b = corners[(i + 1) % corners.size()];
        const float inside = side_of(a, b, corners[(i + 2) % corners.size()]);
        if (std::ranges::all_of(others, [&](Point other) { return side_of(a, b, other) * inside < 0; })) return false;
    }
    return true;
}

bool Quad::crosses(Point a, Point b) const {
    const auto apart = [](Point from, Point to, Point one, Point other) {
        return side_of(from, to, one) * side_of(from, to, other) < 0;
    };
    if (contains(a) || contains(b)) return true;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point c = corners[i], d = corners[(i + 1) % corners.size()];
        if (apart(a, b, c, d) && apart(c, d, a, b)) return true;
    }
    return false;
}

Point PageView::plane(Point point) const {
    const WorldPoint world = seen.placement.world(point);
    const Camera& camera = lens.camera();
    return {static_cast<float>((world.x - camera.x) * camera.zoom),
            static_cast<float>((world.y - camera.y) * camera.zoom)};
}

Rect PageView::screen_box(const Rect& rect) const {
    Rect box{screen(rect.min), screen(rect.max)};
    if (flat()) return box;
    const Rect sides = around(screen(Point{rect.max.x, rect.min.y}), screen(Point{rect.min.x, rect.max.y}));
    box = around(box.min, box.max);
    return {around(box.min, sides.min).min, around(box.max, sides.max).max};
}

Quad PageView::screen_quad(const Rect& rect) const {
    Quad quad{rect.corners()};
    for (Point& corner : quad.corners) corner = screen(corner);
    return quad;
}

Rect PageView::swatch_of(const Frame& frame, Point corner) const {
    const std::vector<Door>& doors = page.scene.doors;
    float raised = frame.title_raised;
    for (std::size_t i = 0; i < doors.size(); ++i)
        if (doors[i].rect == frame.rect && seen.summaries[i] < clear_enough) raised = 0;
    const auto at = [&](Point of) { return Point{corner.x + px(of.x), corner.y + px(of.y) - raised}; };
    return {at(title_swatch.min), at(title_swatch.max)};
}

float PageView::height(const Slab& slab) const {
    if (lens.camera().tilt == 0) return 0;
    const auto zoomed = static_cast<float>(zoom());
    const bool thin = slab.look != SlabLook::parameter;
    const float side = std::min(slab.rect.width(), slab.rect.height()) * zoomed;
    const float full = thin ? px(2) : std::clamp(0.25F * side, px(4), px(48));
    return full * static_cast<float>(std::sin(lens.camera().tilt));
}

Rgba faded(Rgba colour, float share) {
    const auto alpha = static_cast<float>(colour >> 24U) * std::clamp(share, 0.0F, 1.0F);
    return (colour & 0x00FFFFFFU) | (static_cast<Rgba>(std::lround(alpha)) << 24U);
}

// Whether anything there is near the screen. In doubles, because a page may be millions of pixels large.
bool Brush::in_sight(const Rect& of_page) const {
    const WorldRect world = view.seen.placement.world(of_page);
    const Camera& camera = view.lens.camera();
    const auto within = [&](double from, double to, double target, float least, float most) {
        return (to - target) * camera.zoom >= static_cast<double>(least) &&
               (from - target) * camera.zoom <= static_cast<double>(most);
    };
    return within(world.min.x, world.max.x, camera.x, sight.min.x, sight.max.x) &&
           within(world.min.y, world.max.y, camera.y, sight.min.y, sight.max.y);
}

// To whole pixels of the screen, so that straight edges are crisp; a tilted picture has none.
Rect Brush::snapped(Rect rect) const {
    if (!view.flat()) return rect;
    const Point middle = view.lens.area().centre();
    const auto snap = [](float value, float offset) { return std::round(value + offset) - offset; };
    return {{snap(rect.min.x, middle.x), snap(rect.min.y, middle.y)},
            {snap(rect.max.x, middle.x), snap(rect.max.y, middle.y)}};
}

// Adds what can be seen of the box; returns whether that is anything.
bool Brush::add(const Box& box, const Rect& rect) const {
    Box piece = box;
    const Rect seen = rect.common(sight);
    if (seen.width() <= 0 || seen.height() <= 0) return false;
    piece.min_x = seen.min.x;
    piece.min_y = seen.min.y;
    piece.max_x = seen.max.x;
    piece.max_y = seen.max.y;
    drawing.add(piece);
    return true;
}

// The same for a box of cells. Which cell lies in the corner of the piece is found in doubles, because the whole may be
// millions of pixels away.
void Brush::add_with_cells(Box box, const Rect& rect, const Cells& cells) const {
    const Rect seen = rect.common(sight);
    const WorldRect whole = view.seen.placement.world(cells.rect);
    const Camera& camera = view.lens.camera();
    const auto start = [&](float piece, double target, double begin, double size, std::int64_t count,
                           std::int64_t first, std::int32_t& cell, float& fraction, float& rate) {
        const double a_pixel = static_cast<double>(count) / (size * camera.zoom);
        const double at = (target - begin) * camera.zoom * a_pixel + static_cast<double>(piece) * a_pixel;
        cell = static_cast<std::int32_t>(first + static_cast<std::int64_t>(std::floor(at)));
        fraction = static_cast<float>(at - std::floor(at));
        rate = static_cast<float>(a_pixel);
    };
    start(seen.min.x, camera.x, whole.min.x, whole.width(), cells.columns, cells.first.column, box.first_column,
          box.column_fraction, box.columns_a_pixel);
    start(seen.min.y, camera.y, whole.min.y, whole.height(), cells.rows, cells.first.row, box.first_row,
          box.row_fraction, box.rows_a_pixel);
    if (box.pattern == CellPattern::none) box.pattern = CellPattern::cells;
    add(box, rect);
}

void Brush::stroke(Point from, Point to, float width, Rgba colour, float arrow) const {
    // What lies beside the screen with both ends is not seen; a stroke that crosses it is cut to its surroundings.
    const auto cut = [](float& a, float& b, float& other_a, float& other_b, float least, float most) {
        if ((a < least && b < least) || (a > most && b > most)) return false;
        const auto clip = [&](float& end, float& other, float start, float other_start) {
            const float bound = std::min(std::max(end, least), most);
            if (bound == end) return;
            other = other_start + (other - other_start) * (bound - start) / (end - start);
            end = bound;
        };
        clip(a, other_a, b, other_b);
        clip(b, other_b, a, other_a);
        return true;
    };
    const Point tip = to;
    if (!cut(from.x, to.x, from.y, to.y, sight.min.x, sight.max.x)) return;
    if (!cut(from.y, to.y, from.x, to.x, sight.min.y, sight.max.y)) return;
    drawing.add(Line{.from_x = from.x,
                     .from_y = from.y,
                     .to_x = to.x,
                     .to_y = to.y,
                     .width = width,
                     .arrow = tip == to ? arrow : 0,
                     .colour = colour});
}

}  // namespace headcount
