// Where things stand on the page that shows which columns of Q, K and V one head takes.
#pragma once

#include <algorithm>
#include <array>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {

// One of the three: its weight, what it makes, and what a head takes of that.
struct BandLane {
    std::string_view weight, bias, made, of_head;
};
inline constexpr std::array<BandLane, 3> band_lanes{
    {{"layer.attention.query.weight", "layer.attention.query.bias", "layer.attention.queries",
      "layer.attention.head.queries"},
     {"layer.attention.key.weight", "layer.attention.key.bias", "layer.attention.keys", "layer.attention.head.keys"},
     {"layer.attention.value.weight", "layer.attention.value.bias", "layer.attention.values",
      "layer.attention.head.values"}}};

struct BandPlan {
    std::int64_t heads = 1, kv_heads = 1, head = 0;
    float scale = 0, made_scale = 0;  // pixels a row or column; of what the card enlarges
    float split = 0, weights = 0;     // left edges
    float weights_end = 0;            // right of them and of the names that do not fit inside
    Rect card;                        // Q, K and V, enlarged
    Rect inner;                       // of it, without its title and what is said below
    float pitch = 0;                  // from one of them to the next
    Rect row;                         // below the card: scores and the way out
    bool sums = true;                 // there is room for how many columns all heads have

    std::int64_t group() const { return heads / kv_heads; }  // heads that share a pair of K and V
    std::int64_t heads_in(std::size_t lane) const { return lane == 0 ? heads : kv_heads; }
    std::int64_t head_in(std::size_t lane) const { return lane == 0 ? head : head / group(); }
    // Of a lane's width, what the band leaves on its wider side.
    float beside_band(std::size_t lane) const {
        const auto all = static_cast<float>(heads_in(lane)), before = static_cast<float>(head_in(lane));
        return std::max(before, all - 1 - before) / all;
    }
    // The middle of a weight and of what it makes.
    float lane_y(std::size_t lane) const;
    float tallest() const;
    float line = 0, gap = 0;  // above each of them, and below
};
BandPlan plan_band(const Sketch& sketch);

// Whether its name fits into that share of a weight's width at that scale.
bool names_inside(const Sketch& sketch, std::string_view weight, float scale, float share = 1);

}  // namespace headcount
