// A picture as plain bytes: what was drawn, and what a PNG file is made of.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace headcount {

struct Pixels {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  // (height, width, 4), the top row first

    bool operator==(const Pixels&) const = default;
};

// What lies between left, top, right and bottom, in units of `density` pixels; the whole where nothing does.
Pixels cut_out(const Pixels& whole, const std::array<float, 4>& edges, float density);

}  // namespace headcount
