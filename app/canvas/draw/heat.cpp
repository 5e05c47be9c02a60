// Mixes as shaders/box.frag does.
#include "app/canvas/draw/heat.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace headcount {
namespace {

constexpr float least_cell = 2;  // pixels

// Relative luminance of the Web Content Accessibility Guidelines 2.1.
double luminance(const std::array<float, 3>& colour) {
    const auto linear = [](float part) {
        const auto share = static_cast<double>(part) / 255;
        return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

std::array<float, 3> parts_of(Rgba colour) {
    return {static_cast<float>(colour & 0xFFU), static_cast<float>(colour >> 8U & 0xFFU),
            static_cast<float>(colour >> 16U & 0xFFU)};
}

}  // namespace

float heat_strength(float value, float largest) {
    if (!std::isfinite(value)) return value;
    // Small magnitudes are most of what there is: they are told apart too.
    return largest > 0 ? std::copysign(std::pow(std::min(1.0F, std::abs(value) / largest), 0.7F), value) : 0;
}

std::optional<CellNumbers> shown_numbers(const PageView& view, const Slab& slab) {
    const bool drawn =
        view.looks.numbers && slab.has_cells() && view.clarity(slab.door) >= clear_enough && view.lens.camera().flat();
    if (!drawn) return std::nullopt;
    const Rect rect = view.plane(slab.rect);
    const float wide = rect.width() / static_cast<float>(slab.columns),
                high = rect.height() / static_cast<float>(slab.rows);
    if (std::min(wide, high) < least_cell) return std::nullopt;
    std::optional<CellNumbers> numbers = view.looks.numbers(slab.id, view.seen.leaf.copy);
    return numbers && numbers->at ? std::move(numbers) : std::nullopt;
}

Rgba ink_on_heat(const Palette& palette, Part part, float strength) {
    const Rgba end = strength < 0 ? palette.negative : palette.parts[static_cast<std::size_t>(part)].fill;
    std::array<float, 3> cell = parts_of(palette.zero);
    const std::array<float, 3> full = parts_of(end);
    const float share = std::isfinite(strength) ? std::abs(strength) : 0;
    for (std::size_t i = 0; i < cell.size(); ++i) cell[i] += (full[i] - cell[i]) * share;
    const double below = luminance(cell) + 0.05;
    const auto contrast = [&](Rgba ink) {
        const double own = luminance(parts_of(ink)) + 0.05;
        return std::max(own, below) / std::min(own, below);
    };
    return contrast(palette.ground) > contrast(palette.text_high) ? palette.ground : palette.text_high;
}

}  // namespace headcount
