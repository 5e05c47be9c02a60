// Pills and dashes; see the header.
#include "app/ui/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {

void draw_pill(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
    constexpr float quarter = 3.14159265F / 2;
    const float radius = std::min(max.y - min.y, max.x - min.x) / 2;
    const float y = (min.y + max.y) / 2;
    list.PathArcTo(ImVec2(min.x + radius, y), radius, quarter, 3 * quarter, 8);
    list.PathArcTo(ImVec2(max.x - radius, y), radius, -quarter, quarter, 8);
    list.PathFillConvex(colour);
}

void draw_dashed_rect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float dash, float thickness) {
    const auto dashes = [&](ImVec2 from, ImVec2 to) {
        const float length = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
        const float step = std::max(2 * dash, length / 200);  // a bound on the work for a huge rectangle
        const ImVec2 along((to.x - from.x) / std::max(1.0F, length), (to.y - from.y) / std::max(1.0F, length));
        for (float at = 0; at < length; at += step) {
            const float end = std::min(length, at + step / 2);
            list.AddLine(ImVec2(from.x + along.x * at, from.y + along.y * at),
                         ImVec2(from.x + along.x * end, from.y + along.y * end), colour, thickness);
        }
    };
    const ImVec2 a(min.x + 0.5F, min.y + 0.5F), b(max.x - 0.5F, max.y - 0.5F);
    dashes(a, ImVec2(b.x, a.y));
    dashes(ImVec2(b.x, a.y), b);
    dashes(b, ImVec2(a.x, b.y));
    dashes(ImVec2(a.x, b.y), a);
}

}  // namespace headcount
