// What limits a scale, and what is kept free for a layer.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "app/canvas/arrange/sketch.hpp"

namespace headcount {

// The largest scale at which `sides` rows or columns fit into `room` pixels.
struct Limit {
    double sides;
    float room;
};
inline float largest_scale(std::initializer_list<Limit> limits) {
    double scale = 1e9;
    for (const Limit& limit : limits)
        if (limit.sides > 0) scale = std::min(scale, static_cast<double>(std::max(limit.room, 1.0F)) / limit.sides);
    return static_cast<float>(scale);
}

// Design pixels: how wide a layer is and how high each of its sub-blocks however little room there is, so that none is
// ever turned inside out; the rest of the picture then lies beyond the edge.
inline constexpr float least_layer = 100, least_box = 24;

// However small the model: biases and norms are one row, and room is kept for bars of the least thickness.
inline Limit one_row(const Sketch& sketch) {
    return {sketch.drawn(1), sketch.px(least_side)};
}

}  // namespace headcount
