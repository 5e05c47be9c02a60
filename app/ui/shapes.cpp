// Pills and dashes; see the header.
#include "app/ui/shapes.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {

namespace {

// Fills without smoothed edges for as long as the object lives.
class PlainFill {
  public:
    explicit PlainFill(ImDrawList& list_) : list(list_), flags(list_.Flags) {
        list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
    }
    ~PlainFill() { list.Flags = flags; }
    PlainFill(const PlainFill&) = delete;
    PlainFill& operator=(const PlainFill&) = delete;

  private:
    ImDrawList& list;
    ImDrawListFlags flags;
};

}  // namespace

void draw_box(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 fill, ImU32 border, float radius) {
    {
        const PlainFill plain(list);
        list.AddRectFilled(ImVec2(min.x + 0.5F, min.y + 0.5F), ImVec2(max.x - 0.5F, max.y - 0.5F), fill, radius);
    }
    list.AddRect(min, max, border, radius);
}

void draw_plain_circle(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
    const PlainFill plain(list);
    list.AddCircleFilled(centre, radius, colour);
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
