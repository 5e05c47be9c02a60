// Keeps words of a card from standing in another.
#include "app/canvas/draw/tilted_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headcount {
namespace {

constexpr float above = 22, below = 3, next_line = 14, tilted_line = 16;  // design pixels

// Whether a place of the screen is inside a rectangle of the plane, however that is seen.
bool in_quad(const PageView& view, const Rect& rect, Point at) {
    const std::array<Point, 4> corners{view.screen(rect.min), view.screen(Point{rect.max.x, rect.min.y}),
                                       view.screen(rect.max), view.screen(Point{rect.min.x, rect.max.y})};
    int left = 0, right = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point a = corners[i], b = corners[(i + 1) % corners.size()];
        const float side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        left += side > 0 ? 1 : 0;
        right += side < 0 ? 1 : 0;
    }
    return left == 0 || right == 0;
}

// Tilted, words of a card must not come to stand in another, which they would seem to name.
bool stays_in_its_cards(const PageView& view, const Label& label, const Rect& ink) {
    const float shift = label.anchor == Anchor::left     ? label.width / 2
                        : label.anchor == Anchor::centre ? 0
                                                         : -label.width / 2;
    const Point flat{label.at.x + shift, label.at.y + view.px(tilted_line) / 2};
    return std::all_of(view.page.scene.frames.begin(), view.page.scene.frames.end(), [&](const Frame& frame) {
        if (frame.kind == FrameKind::band || frame.kind == FrameKind::choice || view.clarity(frame.door) <= 0)
            return true;
        const bool own = frame.rect.contains(flat);
        const std::array<Point, 4> corners{ink.min, Point{ink.max.x, ink.min.y}, ink.max, Point{ink.min.x, ink.max.y}};
        return std::all_of(corners.begin(), corners.end(),
                           [&](Point corner) { return in_quad(view, frame.rect, corner) == own; });
    });
}

}  // namespace

Point TiltedNames::next(const PageView& view, const Label& label, float width) {
    const Rect& matrix = *label.matrix;
    if (!last_ || !(*last_ == matrix)) lines_ = 0;
    last_ = matrix;
    const bool name = label.role == TextRole::title || label.role == TextRole::name;
    const Point edge = view.screen({matrix.centre().x, name ? matrix.min.y : matrix.max.y});
    // The edge rises or falls under the label.
    const Point corner = view.screen({matrix.min.x, name ? matrix.min.y : matrix.max.y});
    const float half = std::max(1.0F, std::abs(edge.x - corner.x));
    const float slope = std::abs(edge.y - corner.y) * std::min(1.0F, width / 2 / half);
    const float y = name ? edge.y - slope - view.px(above)
                         : edge.y + slope + view.px(below + next_line * static_cast<float>(lines_++));
    return {std::floor(edge.x - width / 2), std::floor(y)};
}

std::vector<TiltedPlace> places_tilted(const PageView& view, const Label& label, const PlacedLabel& placed) {
    constexpr std::array<float, 6> aside{0, 14, -14, -28, 28, 56};
    constexpr std::array<float, 7> along{0, 8, -8, 16, -16, 24, 32};
    std::vector<TiltedPlace> places;
    const bool name = label.role == TextRole::title;
    for (const float x : aside)
        for (const float y : along) {
            PlacedLabel tried = placed;
            tried.at = {placed.at.x + view.px(x), placed.at.y + view.px(y)};
            if (!stays_in_its_cards(view, label, ink_of(tried))) continue;
            places.push_back({tried.at});
            if (!name) return places;
        }
    for (const Frame& frame : view.page.scene.frames) {
        if (!name || frame.kind != FrameKind::layer || frame.id != label.id) continue;
        const Point from = view.screen(frame.rect.min), to = view.screen(Point{frame.rect.max.x, frame.rect.min.y});
        const float run = std::max(1.0F, std::abs(to.x - from.x));
        const float fall = (to.y - from.y) * std::min(1.0F, placed.width / run);
        const float left = to.x >= from.x ? from.x : from.x - placed.width;
        places.push_back({{left, from.y + std::min(0.0F, fall) - view.px(tilted_line + 4)}, true});
    }
    return places;
}

}  // namespace headcount
