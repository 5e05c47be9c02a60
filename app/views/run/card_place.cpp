// Tries a few places at the sides, and takes the one that covers least of what the card speaks of.
#include "app/views/run/card_place.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace headcount {
namespace {

constexpr float lit_counts = 100, cell_counts = 10'000;  // as much as so many of another's pixels

float covered(const RunRect& card, std::span<const RunRect> rects) {
    float all = 0;
    for (const auto& [min, max] : rects) {
        const float x = std::min(card.second.x, max.x) - std::max(card.first.x, min.x);
        const float y = std::min(card.second.y, max.y) - std::max(card.first.y, min.y);
        if (x > 0 && y > 0) all += x * y;
    }
    return all;
}

}  // namespace

ImVec2 place_card(const CardRoom& room, ImVec2 size) {
    const float left = room.min.x + room.margin, right = std::max(left, room.max.x - room.margin - size.x);
    const float top = room.min.y + room.margin / 2, bottom = std::max(top, room.max.y - room.margin - size.y);
    std::array<ImVec2, 11> places{};
    std::size_t count = 0;
    if (room.first)
        for (const float y : {room.first->second.y - size.y, room.first->first.y})
            if (y >= room.min.y && y + size.y <= room.max.y) places[count++] = {room.first->first.x, y};
    const float middle = (left + right) / 2;
    for (const float y : {bottom, (top + bottom) / 2, top})
        for (const float x : {right, left, middle}) places[count++] = {x, y};
    ImVec2 best = places.front();
    float least = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < count; ++i) {
        const RunRect card{places[i], {places[i].x + size.x, places[i].y + size.y}};
        const float cost =
            cell_counts * covered(card, room.cell) + lit_counts * covered(card, room.lit) + covered(card, room.shown);
        if (cost >= least) continue;
        least = cost;
        best = places[i];
    }
    return best;
}

}  // namespace headcount
