// What words of a page seen flat keep clear of, and the ways out of it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/canvas/draw/labels.hpp"

namespace headcount {
namespace {

constexpr float most = 44;  // design pixels: from where they were laid out

Rect moved(const Rect& rect, Point by) {
    return {{rect.min.x + by.x, rect.min.y + by.y}, {rect.max.x + by.x, rect.max.y + by.y}};
}

bool lies_on(const Rect& ink, const Rect& other) {
    return ink.min.x + touching < other.max.x && other.min.x + touching < ink.max.x &&
           ink.min.y + touching < other.max.y && other.min.y + touching < ink.max.y;
}

// A line has no width.
bool strikes(const Rect& line, const Rect& ink) {
    return line.min.x < ink.max.x - touching && line.max.x > ink.min.x + touching &&
           line.min.y < ink.max.y - touching && line.max.y > ink.min.y + touching;
}

// How far along `way`, one of the four directions, until the words are behind it.
float until_behind(const Rect& ink, const Rect& other, Point way) {
    if (way.x != 0) return way.x < 0 ? ink.max.x - other.min.x : other.max.x - ink.min.x;
    return way.y < 0 ? ink.max.y - other.min.y : other.max.y - ink.min.y;
}

}  // namespace

ClearWords::ClearWords(const PageView& view) : gap_(view.px(off_a_line)), furthest_(view.px(most)) {
    const Scene& scene = view.page.scene;
    const auto add = [&](Point a, Point b) { lines_.push_back(around(view.screen(a), view.screen(b))); };
    const auto add_swatch = [&](const Frame& frame) {
        swatches_.push_back(view.swatch_of(frame, view.screen(frame.rect.min)));
    };
    // Of a sub-block's page its frame is on the page around.
    if (view.page.around && !view.page.own_ground) add_swatch({.rect = view.page.bounds});
    for (const Wire& wire : scene.wires) {
        if (view.clarity(wire.door) < clear_enough) continue;
        for (std::size_t i = 1; i < wire.points.size(); ++i) add(wire.points[i - 1], wire.points[i]);
    }
    for (const Frame& frame : scene.frames) {
        if (view.clarity(frame.door) < clear_enough) continue;
        if (frame.kind == FrameKind::choice) {
            choices_.push_back(view.screen_box(frame.rect));
            continue;
        }
        const Point min = frame.rect.min, max = frame.rect.max;
        if (frame.kind == FrameKind::component) add_swatch(frame);
        add(min, {max.x, min.y});
        add({max.x, min.y}, max);
        add({min.x, max.y}, max);
        add(min, {min.x, max.y});
    }
    for (const Slab& slab : scene.slabs)
        if (view.clarity(slab.door) >= clear_enough) matrices_.push_back(view.screen_box(slab.rect));
    for (const FlowMark& mark : scene.marks) {
        const Point centre = view.screen(mark.centre);
        if (view.clarity(mark.door) >= clear_enough)
            matrices_.push_back(around(centre, centre).grown(view.px(mark_radius)));
    }
}

bool ClearWords::crossed(std::string_view id, const Rect& ink) const {
    return std::ranges::any_of(lines_, [&](const Rect& line) { return strikes(line, ink); }) ||
           std::ranges::any_of(matrices_, [&](const Rect& matrix) { return lies_on(ink, matrix); }) ||
           (!id.empty() && std::ranges::any_of(choices_, [&](const Rect& choice) { return lies_on(ink, choice); }));
}

bool ClearWords::on_swatch(const Rect& ink) const {
    return std::ranges::any_of(swatches_, [&](const Rect& swatch) { return lies_on(ink, swatch); });
}

std::vector<Point> ClearWords::ways_out(std::span<const Rect> inks) const {
    constexpr std::array<Point, 4> directions{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    std::vector<Point> ways;
    for (const Point way : directions) {
        float far = 0;
        for (bool clear = false; !clear && far <= furthest_;) {
            float more = 0;
            for (const Rect& ink : inks) {
                const Rect there = moved(ink, {way.x * far, way.y * far});
                const auto keep_clear = [&](const Rect& other) {
                    more = std::max(more, until_behind(there, other, way) + gap_);
                };
                for (const Rect& line : lines_)
                    if (strikes(line, there)) keep_clear(line);
                for (const Rect& rect : matrices_)
                    if (lies_on(there, rect)) keep_clear(rect);
                for (const Rect& rect : choices_)
                    if (lies_on(there, rect)) keep_clear(rect);
            }
            clear = more == 0;
            far = std::ceil(far + more);
        }
        if (far > 0 && far <= furthest_) ways.push_back({way.x * far, way.y * far});
    }
    const auto length = [](Point way) { return std::abs(way.x) + std::abs(way.y); };
    std::ranges::stable_sort(ways, [&](Point a, Point b) { return length(a) < length(b); });
    return ways;
}

}  // namespace headcount
