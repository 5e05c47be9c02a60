// The icons as strokes on a grid of 16, so that they are crisp at every scale.
#include "app/ui/icons.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace headcount {
namespace {

constexpr float pi = 3.14159265F;

// Draws in units of a sixteenth of the icon's side, from its centre.
class Pen {
  public:
    Pen(ImDrawList& list_, ImVec2 centre_, float side, ImU32 colour_)
        : list(list_), centre(centre_), unit(side / 16), colour(colour_), width(std::max(1.0F, side / 16 * 1.35F)) {}

    void line(std::initializer_list<ImVec2> points, bool closed = false) {
        for (const ImVec2 point : points) list.PathLineTo(at(point));
        list.PathStroke(colour, closed ? ImDrawFlags_Closed : ImDrawFlags_None, width);
    }
    void arc(ImVec2 middle, float radius, float from, float to) {
        list.PathArcTo(at(middle), radius * unit, from, to, std::max(4, static_cast<int>((to - from) * 2.2F)));
        list.PathStroke(colour, ImDrawFlags_None, width);
    }
    void circle(ImVec2 middle, float radius) { list.AddCircle(at(middle), radius * unit, colour, 0, width); }
    void dot(ImVec2 middle, float radius) { list.AddCircleFilled(at(middle), radius * unit, colour, 12); }
    void rect(ImVec2 min, ImVec2 max, float radius) { list.AddRect(at(min), at(max), colour, radius * unit, 0, width); }
    void half_disc(float radius) {
        list.PathArcTo(at({0, 0}), radius * unit, -pi / 2, pi / 2, 10);
        list.PathFillConvex(colour);
    }

  private:
    ImVec2 at(ImVec2 point) const { return {centre.x + point.x * unit, centre.y + point.y * unit}; }

    ImDrawList& list;
    ImVec2 centre;
    float unit;
    ImU32 colour;
    float width;
};

void draw_turn(Pen& pen, float mirror) {
    // Three quarters of a circle and a head; mirrored it goes the other way.
    if (mirror > 0)
        pen.arc({0, 0.6F}, 4.8F, -pi * 0.78F, pi * 0.86F);
    else
        pen.arc({0, 0.6F}, 4.8F, pi * 0.14F, pi * 1.78F);
    pen.line({{-4.6F * mirror, -5.6F}, {-4.6F * mirror, -2.4F}, {-1.4F * mirror, -2.4F}});
}

void draw_sign(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::warning:
            pen.line({{0, -6}, {6.6F, 5.4F}, {-6.6F, 5.4F}}, true);
            pen.line({{0, -1.9F}, {0, 1.6F}});
            pen.dot({0, 3.5F}, 0.8F);
            break;
        case Icon::check:
            pen.line({{-5, 0.4F}, {-1.6F, 3.8F}, {5, -3.8F}});
            break;
        case Icon::nearly:
            for (const float y : {-2.2F, 2.2F})
                pen.line({{-5.4F, y + 0.8F},
                          {-3.6F, y - 0.9F},
                          {-1.8F, y - 0.9F},
                          {1.8F, y + 0.9F},
                          {3.6F, y + 0.9F},
                          {5.4F, y - 0.8F}});
            break;
        case Icon::cross:
            pen.line({{-4, -4}, {4, 4}});
            pen.line({{-4, 4}, {4, -4}});
            break;
        case Icon::plus_circle:
            pen.circle({0, 0}, 6.4F);
            pen.line({{-3.4F, 0}, {3.4F, 0}});
            pen.line({{0, -3.4F}, {0, 3.4F}});
            break;
        case Icon::dot_circle:
            pen.circle({0, 0}, 6.4F);
            pen.dot({0, 0}, 1.6F);
            break;
        default:
            break;
    }
}

// Plus, minus and the arrows that open, close and lead on.
void draw_arrow(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::plus:
            pen.line({{0, -4}, {0, 4}});
            [[fallthrough]];
        case Icon::minus:
            pen.line({{-4, 0}, {4, 0}});
            break;
        case Icon::chevron_down:
            pen.line({{-3.6F, -1.8F}, {0, 1.8F}, {3.6F, -1.8F}});
            break;
        case Icon::chevron_up:
            pen.line({{-3.6F, 1.8F}, {0, -1.8F}, {3.6F, 1.8F}});
            break;
        case Icon::chevron_left:
            pen.line({{1.8F, -3.6F}, {-1.8F, 0}, {1.8F, 3.6F}});
            break;
        case Icon::chevron_right:
            pen.line({{-1.8F, -3.6F}, {1.8F, 0}, {-1.8F, 3.6F}});
            break;
        default:
            break;
    }
}

// Of a run: go, stop, one step, from the beginning.
void draw_transport(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::play:
            pen.line({{-4, -5.4F}, {5.4F, 0}, {-4, 5.4F}}, true);
            break;
        case Icon::pause:
            pen.line({{-2.6F, -5}, {-2.6F, 5}});
            pen.line({{2.6F, -5}, {2.6F, 5}});
            break;
        case Icon::next:
            pen.line({{-4.4F, -5}, {3, 0}, {-4.4F, 5}}, true);
            pen.line({{5, -5}, {5, 5}});
            break;
        case Icon::first:
            pen.line({{4.4F, -5}, {-3, 0}, {4.4F, 5}}, true);
            pen.line({{-5, -5}, {-5, 5}});
            break;
        default:
            break;
    }
}

// What is done to what one looks at.
void draw_tool(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::reset:
        case Icon::undo:
            draw_turn(pen, 1);
            break;
        case Icon::redo:
            draw_turn(pen, -1);
            break;
        case Icon::copy:
            pen.rect({-2.4F, -2.4F}, {5.4F, 5.4F}, 1.4F);
            pen.line({{-4.4F, 2.4F}, {-5.4F, 2.4F}, {-5.4F, -5.4F}, {2.4F, -5.4F}, {2.4F, -4.4F}});
            break;
        case Icon::monitor:
            pen.rect({-6.6F, -5.6F}, {6.6F, 3}, 1.4F);
            pen.line({{0, 3}, {0, 6}});
            pen.line({{-3.4F, 6}, {3.4F, 6}});
            break;
        case Icon::theme:
            pen.circle({0, 0}, 6);
            pen.half_disc(6);
            break;
        case Icon::share:
            pen.line({{0, 1.6F}, {0, -6}});
            pen.line({{-3.4F, -2.8F}, {0, -6.2F}, {3.4F, -2.8F}});
            pen.line({{-6, 1.4F}, {-6, 5.8F}, {6, 5.8F}, {6, 1.4F}});
            break;
        case Icon::help:
            pen.circle({0, 0}, 6.4F);
            pen.arc({0, -1.6F}, 2, -pi, pi * 0.42F);
            pen.line({{0.6F, 0.2F}, {0, 1.5F}});
            pen.dot({0, 3.5F}, 0.85F);
            break;
        case Icon::search:
            pen.circle({-1, -1}, 4.4F);
            pen.line({{2.2F, 2.2F}, {5.8F, 5.8F}});
            break;
        case Icon::shrink:
            for (const float x : {-1.0F, 1.0F})
                for (const float y : {-1.0F, 1.0F}) pen.line({{2 * x, 5 * y}, {2 * x, 2 * y}, {5 * x, 2 * y}});
            break;
        default:
            break;
    }
}

// Things that stand for what they are used for.
void draw_object(Pen& pen, Icon icon) {
    switch (icon) {
        case Icon::bulb:
            pen.arc({0, -1.6F}, 4.4F, -pi * 1.3F, pi * 0.3F);
            pen.line({{-2.4F, 2}, {-2, 4.2F}, {2, 4.2F}, {2.4F, 2}});
            pen.line({{-1.4F, 6.2F}, {1.4F, 6.2F}});
            break;
        case Icon::eye:
            pen.line({{-6.6F, 0}, {-4, -3}, {0, -4.4F}, {4, -3}, {6.6F, 0}, {4, 3}, {0, 4.4F}, {-4, 3}}, true);
            pen.circle({0, 0}, 1.9F);
            break;
        case Icon::key:
            pen.circle({-3.8F, 0}, 2.6F);
            pen.line({{-1.2F, 0}, {6.4F, 0}, {6.4F, 2.6F}});
            pen.line({{3.4F, 0}, {3.4F, 2.2F}});
            break;
        case Icon::printer:
            pen.line({{-3.6F, -2}, {-3.6F, -6}, {3.6F, -6}, {3.6F, -2}});
            pen.line({{-3.6F, 3.4F}, {-6, 3.4F}, {-6, -2}, {6, -2}, {6, 3.4F}, {3.6F, 3.4F}});
            pen.rect({-3.6F, 1}, {3.6F, 6.2F}, 0);
            break;
        case Icon::dice:
            pen.rect({-5.8F, -5.8F}, {5.8F, 5.8F}, 1.6F);
            for (const float x : {-2.6F, 2.6F})
                for (const float y : {-2.6F, 2.6F}) pen.dot({x, y}, 0.9F);
            pen.dot({0, 0}, 0.9F);
            break;
        case Icon::swap:
            pen.line({{-5.6F, -2.6F}, {5.6F, -2.6F}});
            pen.line({{2.8F, -5.4F}, {5.6F, -2.6F}, {2.8F, 0.2F}});
            pen.line({{5.6F, 3}, {-5.6F, 3}});
            pen.line({{-2.8F, 0.2F}, {-5.6F, 3}, {-2.8F, 5.8F}});
            break;
        case Icon::pin:
            pen.line({{-2.6F, -5.8F}, {2.6F, -5.8F}, {2, -0.6F}, {4.2F, 1.8F}, {-4.2F, 1.8F}, {-2, -0.6F}}, true);
            pen.line({{0, 1.8F}, {0, 6.4F}});
            break;
        case Icon::open:
            pen.line({{-6.4F, 5}, {-6.4F, -5}, {-2, -5}, {-0.4F, -3}, {6.4F, -3}, {6.4F, 5}}, true);
            break;
        default:
            break;
    }
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float side, ImU32 colour) {
    // Half a pixel, so that straight strokes of one pixel fall onto pixels.
    const ImVec2 snapped(std::floor(centre.x) + 0.5F, std::floor(centre.y) + 0.5F);
    Pen pen(list, snapped, side, colour);
    for (const auto draw : {draw_sign, draw_arrow, draw_transport, draw_tool, draw_object}) draw(pen, icon);
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
