// The icons as strokes on a grid of 16, so that they are crisp at every scale.
#include "app/ui/icons.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headcount {
namespace {

constexpr float pi = 3.14159265F;

struct At {
    float x, y;
};

// In units of a sixteenth of the icon's side, from its centre.
struct Stroke {
    enum class Kind { line, closed, rect, arc, circle, dot, half_disc };

    Icon icon;
    Kind kind;
    std::array<At, 8> points;  // of a line; two corners; a middle
    std::size_t count = 1;
    float radius = 0, from = 0, to = 0;
};

template <std::size_t Count>
constexpr Stroke line(Icon icon, const At (&points)[Count], Stroke::Kind kind = Stroke::Kind::line) {
    Stroke stroke{icon, kind, {}, Count};
    for (std::size_t i = 0; i < Count; ++i) stroke.points[i] = points[i];
    return stroke;
}
template <std::size_t Count>
constexpr Stroke closed(Icon icon, const At (&points)[Count]) {
    return line(icon, points, Stroke::Kind::closed);
}
constexpr Stroke rect(Icon icon, At min, At max, float radius) {
    return {icon, Stroke::Kind::rect, {min, max}, 2, radius};
}
constexpr Stroke arc(Icon icon, At middle, float radius, float from, float to) {
    return {icon, Stroke::Kind::arc, {middle}, 1, radius, from, to};
}
constexpr Stroke circle(Icon icon, At middle, float radius) {
    return {icon, Stroke::Kind::circle, {middle}, 1, radius};
}
constexpr Stroke dot(Icon icon, At middle, float radius) { return {icon, Stroke::Kind::dot, {middle}, 1, radius}; }
constexpr Stroke half_disc(Icon icon, float radius) { return {icon, Stroke::Kind::half_disc, {}, 1, radius}; }

constexpr Stroke strokes[] = {
    closed(Icon::warning, {{0, -6}, {6.6F, 5.4F}, {-6.6F, 5.4F}}),
    line(Icon::warning, {{0, -1.9F}, {0, 1.6F}}),
    dot(Icon::warning, {0, 3.5F}, 0.8F),
    line(Icon::check, {{-5, 0.4F}, {-1.6F, 3.8F}, {5, -3.8F}}),
    line(Icon::nearly, {{-5.4F, -2.2F + 0.8F},
                        {-3.6F, -2.2F - 0.9F},
                        {-1.8F, -2.2F - 0.9F},
                        {1.8F, -2.2F + 0.9F},
                        {3.6F, -2.2F + 0.9F},
                        {5.4F, -2.2F - 0.8F}}),
    line(Icon::nearly, {{-5.4F, 2.2F + 0.8F},
                        {-3.6F, 2.2F - 0.9F},
                        {-1.8F, 2.2F - 0.9F},
                        {1.8F, 2.2F + 0.9F},
                        {3.6F, 2.2F + 0.9F},
                        {5.4F, 2.2F - 0.8F}}),
    line(Icon::cross, {{-4, -4}, {4, 4}}),
    line(Icon::cross, {{-4, 4}, {4, -4}}),
    circle(Icon::plus_circle, {0, 0}, 6.4F),
    line(Icon::plus_circle, {{-3.4F, 0}, {3.4F, 0}}),
    line(Icon::plus_circle, {{0, -3.4F}, {0, 3.4F}}),
    circle(Icon::dot_circle, {0, 0}, 6.4F),
    dot(Icon::dot_circle, {0, 0}, 1.6F),

    // Plus, minus and the arrows that open, close and lead on.
    line(Icon::menu, {{-5, -4}, {5, -4}}),
    line(Icon::menu, {{-5, 0}, {5, 0}}),
    line(Icon::menu, {{-5, 4}, {5, 4}}),
    line(Icon::plus, {{0, -4}, {0, 4}}),
    line(Icon::plus, {{-4, 0}, {4, 0}}),
    line(Icon::minus, {{-4, 0}, {4, 0}}),
    line(Icon::chevron_down, {{-3.6F, -1.8F}, {0, 1.8F}, {3.6F, -1.8F}}),
    line(Icon::chevron_up, {{-3.6F, 1.8F}, {0, -1.8F}, {3.6F, 1.8F}}),
    line(Icon::chevron_left, {{1.8F, -3.6F}, {-1.8F, 0}, {1.8F, 3.6F}}),
    line(Icon::chevron_right, {{-1.8F, -3.6F}, {1.8F, 0}, {-1.8F, 3.6F}}),

    // Of a run: go, stop, one step, from the beginning.
    closed(Icon::play, {{-4, -5.4F}, {5.4F, 0}, {-4, 5.4F}}),
    line(Icon::pause, {{-2.6F, -5}, {-2.6F, 5}}),
    line(Icon::pause, {{2.6F, -5}, {2.6F, 5}}),
    closed(Icon::next, {{-4.4F, -5}, {3, 0}, {-4.4F, 5}}),
    line(Icon::next, {{5, -5}, {5, 5}}),
    closed(Icon::first, {{4.4F, -5}, {-3, 0}, {4.4F, 5}}),
    line(Icon::first, {{-5, -5}, {-5, 5}}),

    // What is done to what one looks at. Three quarters of a circle and a head; mirrored it goes the other way.
    arc(Icon::undo, {0, 0.6F}, 4.8F, -pi * 0.78F, pi * 0.86F),
    line(Icon::undo, {{-4.6F, -5.6F}, {-4.6F, -2.4F}, {-1.4F, -2.4F}}),
    arc(Icon::redo, {0, 0.6F}, 4.8F, pi * 0.14F, pi * 1.78F),
    line(Icon::redo, {{4.6F, -5.6F}, {4.6F, -2.4F}, {1.4F, -2.4F}}),
    rect(Icon::copy, {-2.4F, -2.4F}, {5.4F, 5.4F}, 1.4F),
    line(Icon::copy, {{-4.4F, 2.4F}, {-5.4F, 2.4F}, {-5.4F, -5.4F}, {2.4F, -5.4F}, {2.4F, -4.4F}}),
    rect(Icon::monitor, {-6.6F, -5.6F}, {6.6F, 3}, 1.4F),
    line(Icon::monitor, {{0, 3}, {0, 6}}),
    line(Icon::monitor, {{-3.4F, 6}, {3.4F, 6}}),
    circle(Icon::theme, {0, 0}, 6),
    half_disc(Icon::theme, 6),
    line(Icon::share, {{0, 1.6F}, {0, -6}}),
    line(Icon::share, {{-3.4F, -2.8F}, {0, -6.2F}, {3.4F, -2.8F}}),
    line(Icon::share, {{-6, 1.4F}, {-6, 5.8F}, {6, 5.8F}, {6, 1.4F}}),
    circle(Icon::help, {0, 0}, 6.4F),
    arc(Icon::help, {0, -1.6F}, 2, -pi, pi * 0.42F),
    line(Icon::help, {{0.6F, 0.2F}, {0, 1.5F}}),
    dot(Icon::help, {0, 3.5F}, 0.85F),
    circle(Icon::search, {-1, -1}, 4.4F),
    line(Icon::search, {{2.2F, 2.2F}, {5.8F, 5.8F}}),
    line(Icon::shrink, {{-2, -5}, {-2, -2}, {-5, -2}}),
    line(Icon::shrink, {{-2, 5}, {-2, 2}, {-5, 2}}),
    line(Icon::shrink, {{2, -5}, {2, -2}, {5, -2}}),
    line(Icon::shrink, {{2, 5}, {2, 2}, {5, 2}}),

    // Things that stand for what they are used for.
    arc(Icon::bulb, {0, -1.6F}, 4.4F, -pi * 1.3F, pi * 0.3F),
    line(Icon::bulb, {{-2.4F, 2}, {-2, 4.2F}, {2, 4.2F}, {2.4F, 2}}),
    line(Icon::bulb, {{-1.4F, 6.2F}, {1.4F, 6.2F}}),
    closed(Icon::eye, {{-6.6F, 0}, {-4, -3}, {0, -4.4F}, {4, -3}, {6.6F, 0}, {4, 3}, {0, 4.4F}, {-4, 3}}),
    circle(Icon::eye, {0, 0}, 1.9F),
    circle(Icon::key, {-3.8F, 0}, 2.6F),
    line(Icon::key, {{-1.2F, 0}, {6.4F, 0}, {6.4F, 2.6F}}),
    line(Icon::key, {{3.4F, 0}, {3.4F, 2.2F}}),
    line(Icon::printer, {{-3.6F, -2}, {-3.6F, -6}, {3.6F, -6}, {3.6F, -2}}),
    line(Icon::printer, {{-3.6F, 3.4F}, {-6, 3.4F}, {-6, -2}, {6, -2}, {6, 3.4F}, {3.6F, 3.4F}}),
    rect(Icon::printer, {-3.6F, 1}, {3.6F, 6.2F}, 0),
    line(Icon::sliders, {{-6, -4}, {0.6F, -4}}),
    line(Icon::sliders, {{4.4F, -4}, {6, -4}}),
    circle(Icon::sliders, {2.5F, -4}, 1.9F),
    line(Icon::sliders, {{-6, 3.4F}, {-4.4F, 3.4F}}),
    line(Icon::sliders, {{-0.6F, 3.4F}, {6, 3.4F}}),
    circle(Icon::sliders, {-2.5F, 3.4F}, 1.9F),
    rect(Icon::dice, {-5.8F, -5.8F}, {5.8F, 5.8F}, 1.6F),
    dot(Icon::dice, {-2.6F, -2.6F}, 0.9F),
    dot(Icon::dice, {-2.6F, 2.6F}, 0.9F),
    dot(Icon::dice, {2.6F, -2.6F}, 0.9F),
    dot(Icon::dice, {2.6F, 2.6F}, 0.9F),
    dot(Icon::dice, {0, 0}, 0.9F),
    line(Icon::swap, {{-5.6F, -2.6F}, {5.6F, -2.6F}}),
    line(Icon::swap, {{2.8F, -5.4F}, {5.6F, -2.6F}, {2.8F, 0.2F}}),
    line(Icon::swap, {{5.6F, 3}, {-5.6F, 3}}),
    line(Icon::swap, {{-2.8F, 0.2F}, {-5.6F, 3}, {-2.8F, 5.8F}}),
    closed(Icon::pin, {{-2.6F, -5.8F}, {2.6F, -5.8F}, {2, -0.6F}, {4.2F, 1.8F}, {-4.2F, 1.8F}, {-2, -0.6F}}),
    line(Icon::pin, {{0, 1.8F}, {0, 6.4F}}),
    closed(Icon::open, {{-6.4F, 5}, {-6.4F, -5}, {-2, -5}, {-0.4F, -3}, {6.4F, -3}, {6.4F, 5}}),
};

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float side, ImU32 colour) {
    // Half a pixel, so that straight strokes of one pixel fall onto pixels.
    const ImVec2 snapped(std::floor(centre.x) + 0.5F, std::floor(centre.y) + 0.5F);
    const float unit = side / 16, width = std::max(1.0F, side / 16 * 1.35F);
    const auto at = [&](At point) { return ImVec2(snapped.x + point.x * unit, snapped.y + point.y * unit); };
    for (const Stroke& stroke : strokes) {
        if (stroke.icon != (icon == Icon::reset ? Icon::undo : icon)) continue;
        const ImVec2 first = at(stroke.points.front());
        const float radius = stroke.radius * unit;
        switch (stroke.kind) {
            case Stroke::Kind::line:
            case Stroke::Kind::closed:
                for (std::size_t i = 0; i < stroke.count; ++i) list.PathLineTo(at(stroke.points[i]));
                list.PathStroke(colour, stroke.kind == Stroke::Kind::closed ? ImDrawFlags_Closed : ImDrawFlags_None,
                                width);
                break;
            case Stroke::Kind::rect: list.AddRect(first, at(stroke.points[1]), colour, radius, 0, width); break;
            case Stroke::Kind::arc:
                list.PathArcTo(first, radius, stroke.from, stroke.to,
                               std::max(4, static_cast<int>((stroke.to - stroke.from) * 2.2F)));
                list.PathStroke(colour, ImDrawFlags_None, width);
                break;
            case Stroke::Kind::circle: list.AddCircle(first, radius, colour, 0, width); break;
            case Stroke::Kind::dot: list.AddCircleFilled(first, radius, colour, 12); break;
            case Stroke::Kind::half_disc:
                list.PathArcTo(first, radius, -pi / 2, pi / 2, 10);
                list.PathFillConvex(colour);
                break;
        }
    }
}

void draw_logo(ImDrawList& list, ImVec2 top_left, float side, ImU32 bar, ImU32 lit, ImU32 warm) {
    const float pitch = side / 4;
    const std::array<ImU32, 4> colours = {bar, lit, warm, bar};
    for (int i = 0; i < 4; ++i) {
        const float x = top_left.x + static_cast<float>(i) * pitch;
        list.AddRectFilled(ImVec2(x, top_left.y), ImVec2(x + pitch * 0.74F, top_left.y + side * 0.92F),
                           colours[static_cast<std::size_t>(i)], pitch * 0.2F);
    }
}

}  // namespace headcount
