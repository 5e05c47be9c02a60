// Cutting a part out of a picture.
#include "app/gl/pixels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace headcount {

Pixels cut_out(const Pixels& whole, const std::array<float, 4>& edges, float density) {
    const auto pixel = [&](float edge, int most) {
        return static_cast<int>(std::clamp(std::round(edge * density), 0.0F, static_cast<float>(most)));
    };
    const int left = pixel(edges[0], whole.width), top = pixel(edges[1], whole.height);
    const int right = pixel(edges[2], whole.width), bottom = pixel(edges[3], whole.height);
    if (right <= left || bottom <= top) return whole;
    Pixels part{right - left, bottom - top, {}};
    for (int row = top; row < bottom; ++row) {
        const auto from = (static_cast<std::ptrdiff_t>(row) * whole.width + left) * 4;
        const auto first = whole.rgba.begin() + from;
        part.rgba.insert(part.rgba.end(), first, first + static_cast<std::ptrdiff_t>(part.width) * 4);
    }
    return part;
}

}  // namespace headcount
