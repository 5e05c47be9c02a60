// The name of a matrix that finds no place at it: where it stands in sight of it, and the line from one to the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "app/canvas/draw/labels.hpp"

namespace headcount {
namespace {

// Design pixels: from one place to the next, how far off they end, and what needs no line.
constexpr float step_across = 9, step_down = 4, furthest = 160, next_to = 5;

// The sub-block's card that holds it; the page where none does.
Rect card_of(const PageView& view, const Rect& matrix) {
    Rect least = view.page.around && !view.page.own_ground ? view.screen_box(view.page.bounds) : view.lens.area();
    for (const Frame& frame : view.page.scene.frames) {
        const Rect card = view.screen_box(frame.rect);
        if (frame.kind == FrameKind::component && card.holds(matrix)) least = card;
    }
    return least;
}

}  // namespace

float away(const Rect& ink, const Rect& matrix) {
    const float across = std::max({0.0F, matrix.min.x - ink.max.x, ink.min.x - matrix.max.x});
    const float down = std::max({0.0F, matrix.min.y - ink.max.y, ink.min.y - matrix.max.y});
    return std::hypot(across, down);
}

std::optional<TiltedPlace> place_in_sight(const PageView& view, const Rect& matrix, const PlacedLabel& name,
                                          const PlaceRules& rules) {
    struct Place {
        float away;
        std::size_t number;
        Point at;
    };
    std::vector<Place> places;
    const Rect card = card_of(view, matrix);
    const float far = view.px(furthest), left = matrix.min.x - far - name.width, top = matrix.min.y - far - name.height;
    PlacedLabel tried = name;
    for (float y = top; y < matrix.max.y + far; y += view.px(step_down))
        for (float x = left; x < matrix.max.x + far; x += view.px(step_across)) {
            tried.at = {std::floor(x), std::floor(y)};
            const Rect ink = ink_of(tried);
            if (card.holds(ink) && !ink.overlaps(matrix))
                places.push_back({away(ink, matrix), places.size(), tried.at});
        }
    // As many as are asked for, nearest first.
    const auto farther = [](const Place& a, const Place& b) {
        return a.away != b.away ? a.away > b.away : a.number > b.number;
    };
    std::ranges::make_heap(places, farther);
    std::optional<ClearWords> words;
    std::optional<TiltedLines> lines;
    if (view.flat())
        words.emplace(view);
    else
        lines.emplace(view);
    std::array<std::optional<TiltedPlace>, 4> best;
    for (; !places.empty() && !best.front(); places.pop_back()) {
        std::ranges::pop_heap(places, farther);
        tried.at = places.back().at;
        if (!rules.may_stand(tried)) continue;
        const Rect ink = ink_of(tried);
        const bool struck = words ? words->crossed(name.id, ink) || words->on_swatch(ink)
                                  : lines->cross(ink) || lines->covers_kept(ink);
        std::optional<TiltedPlace>& alike = best[(rules.sees(ink) ? 0U : 2U) + (struck ? 1U : 0U)];
        if (!alike) alike = {.at = tried.at, .crossed = struck};
    }
    const auto first = std::ranges::find_if(best, [](const auto& each) { return each.has_value(); });
    return first == best.end() ? std::nullopt : *first;
}

std::optional<Line> lead_of(const PageView& view, const Rect& ink, const Rect& matrix, Rgba colour) {
    if (away(ink, matrix) <= view.px(next_to)) return std::nullopt;
    const Point to{std::clamp(ink.centre().x, matrix.min.x, matrix.max.x),
                   std::clamp(ink.centre().y, matrix.min.y, matrix.max.y)};
    const Point from{std::clamp(to.x, ink.min.x - 2, ink.max.x + 2), std::clamp(to.y, ink.min.y, ink.max.y)};
    const auto plane = [&](Point screen) {
        const Camera& camera = view.lens.camera();
        const WorldPoint at = view.lens.unproject(screen).value_or(WorldPoint{camera.x, camera.y});
        return Point{static_cast<float>((at.x - camera.x) * camera.zoom),
                     static_cast<float>((at.y - camera.y) * camera.zoom)};
    };
    const Point a = plane(from), b = plane(to);
    return Line{.from_x = a.x, .from_y = a.y, .to_x = b.x, .to_y = b.y, .width = view.px(1), .colour = colour};
}

}  // namespace headcount
