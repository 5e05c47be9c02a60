// Pills and dashes; see the header.
#include "app/ui/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace headcount {

namespace {

// Sines of a quarter circle at even steps; read backwards they are the cosines.
constexpr std::array<float, 4> three_steps = {0, 0.5F, 0.8660254F, 1};
constexpr std::array<float, 5> four_steps = {0, 0.3826834F, 0.7071068F, 0.9238795F, 1};
constexpr std::array<float, 7> six_steps = {0, 0.2588190F, 0.5F, 0.7071068F, 0.8660254F, 0.9659258F, 1};

std::span<const float> quarter_sines(float radius) {
    if (radius <= 5) return three_steps;
    if (radius <= 9) return four_steps;
    return six_steps;
}

// Joins three closed rings of points, which stand behind one another in the list: two bands, and a fan inside.
void write_rings(ImDrawList& list, unsigned first, int points) {
    ImDrawIdx* at = list._IdxWritePtr;  // through the list each would be read back
    const auto put = [&at](unsigned a, unsigned b, unsigned c) {
        at[0] = static_cast<ImDrawIdx>(a);
        at[1] = static_cast<ImDrawIdx>(b);
        at[2] = static_cast<ImDrawIdx>(c);
        at += 3;
    };
    const unsigned end = first + 3 * static_cast<unsigned>(points);
    for (unsigned own = first; own < end; own += 3) {
        const unsigned next = own + 3 < end ? own + 3 : first;
        put(own, next, next + 1);
        put(own, next + 1, own + 1);
        put(own + 1, next + 1, next + 2);
        put(own + 1, next + 2, own + 2);
    }
    for (unsigned own = first + 6; own < end; own += 3) put(first + 2, own - 1, own + 2);
    list._IdxWritePtr = at;
}

}  // namespace

void draw_box(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 fill, ImU32 border, float radius) {
    const float room = std::min(max.x - min.x, max.y - min.y) / 2;
    if (room < 2) {
        list.AddRectFilled(min, max, border);
        return;
    }
    const float round = std::clamp(radius, 2.0F, room);
    const std::span<const float> sines = quarter_sines(round);
    const auto steps = static_cast<int>(sines.size());
    const int points = 4 * steps;
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    list.PrimReserve(2 * 6 * points + 3 * (points - 2), 3 * points);
    const unsigned first = list._VtxCurrentIdx;
    ImDrawVert* vertex = list._VtxWritePtr;
    // Clockwise from the left end of the top right corner's arc.
    for (int corner = 0; corner < 4; ++corner) {
        const bool right = corner < 2, low = corner == 1 || corner == 2;
        const ImVec2 centre(right ? max.x - round : min.x + round, low ? max.y - round : min.y + round);
        for (int i = 0; i < steps; ++i) {
            const float rise = sines[static_cast<std::size_t>(corner % 2 == 0 ? steps - 1 - i : i)];
            const float run = sines[static_cast<std::size_t>(corner % 2 == 0 ? i : steps - 1 - i)];
            const ImVec2 way(right ? run : -run, low ? rise : -rise);
            const auto put = [&](float out, ImU32 colour) {
                vertex->pos = ImVec2(centre.x + way.x * (round + out), centre.y + way.y * (round + out));
                vertex->uv = white;
                vertex->col = colour;
                ++vertex;
            };
            put(0.5F, border & ~IM_COL32_A_MASK);
            put(-0.5F, border);
            put(-1.5F, fill);
        }
    }
    list._VtxWritePtr = vertex;
    list._VtxCurrentIdx += 3 * static_cast<unsigned>(points);
    write_rings(list, first, points);
}

void draw_plain_circle(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
    const ImDrawListFlags flags = list.Flags;
    list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    list.AddCircleFilled(centre, radius, colour);
    list.Flags = flags;
}

void draw_pill(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
    if (max.y - min.y <= 4 && max.x - min.x > 4) {
        // Two rectangles look round at this size and cost an eighth.
        list.AddRectFilled(ImVec2(min.x, min.y + 1), ImVec2(max.x, max.y - 1), colour);
        list.AddRectFilled(ImVec2(min.x + 1, min.y), ImVec2(max.x - 1, max.y), colour);
        return;
    }
    const float radius = std::min(max.y - min.y, max.x - min.x) / 2;
    const float y = (min.y + max.y) / 2;
    list.PathArcToFast(ImVec2(min.x + radius, y), radius, 3, 9);
    list.PathArcToFast(ImVec2(max.x - radius, y), radius, 9, 15);
    list.PathFillConvex(colour);
}

void draw_dashed_line(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float dash, float thickness) {
    const float length = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
    const float step = std::max(2 * dash, length / 200);  // a bound on the work for a huge rectangle
    const ImVec2 along((to.x - from.x) / std::max(1.0F, length), (to.y - from.y) / std::max(1.0F, length));
    for (float at = 0; at < length; at += step) {
        const float end = std::min(length, at + step / 2);
        list.AddLine(ImVec2(from.x + along.x * at, from.y + along.y * at),
                     ImVec2(from.x + along.x * end, from.y + along.y * end), colour, thickness);
    }
}

void draw_dashed_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float dash, float thickness) {
    const ImVec2 a(min.x + 0.5F, min.y + 0.5F), b(max.x - 0.5F, max.y - 0.5F);
    draw_dashed_line(list, a, ImVec2(b.x, a.y), colour, dash, thickness);
    draw_dashed_line(list, ImVec2(b.x, a.y), b, colour, dash, thickness);
    draw_dashed_line(list, b, ImVec2(a.x, b.y), colour, dash, thickness);
    draw_dashed_line(list, ImVec2(a.x, b.y), a, colour, dash, thickness);
}

}  // namespace headcount
