// A picture as plain bytes: what was drawn, and what a PNG file is made of.
#pragma once

#include <cstdint>
#include <vector>

namespace headcount {

struct Pixels {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  // (height, width, 4), the top row first

    bool operator==(const Pixels&) const = default;
};

}  // namespace headcount
