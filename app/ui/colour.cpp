// Arithmetic on packed colours; see the header.
#include "app/ui/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace headcount {
namespace {

constexpr ImU32 near_black = rgb(0x050607);
constexpr ImU32 white = rgb(0xFFFFFF);

int channel(ImU32 colour, int shift) { return static_cast<int>(colour >> shift & 0xFFu); }

// The light of each channel value; a table, because powers are dear and colours are compared every frame.
std::array<float, 256> make_light() {
    std::array<float, 256> light{};
    for (std::size_t value = 0; value < light.size(); ++value) {
        const float part = static_cast<float>(value) / 255.0F;
        light[value] = part <= 0.04045F ? part / 12.92F : std::pow((part + 0.055F) / 1.055F, 2.4F);
    }
    return light;
}

float linear(int value) {
    static const std::array<float, 256> light = make_light();
    return light[static_cast<std::size_t>(value)];
}

int between(int from, int to, float amount) {
    return static_cast<int>(std::lround(static_cast<float>(from) + static_cast<float>(to - from) * amount));
}

}  // namespace

ImU32 with_alpha(ImU32 colour, float alpha) {
    const float scaled = static_cast<float>(channel(colour, IM_COL32_A_SHIFT)) * std::clamp(alpha, 0.0F, 1.0F);
    return (colour & ~IM_COL32_A_MASK) | static_cast<ImU32>(std::lround(scaled)) << IM_COL32_A_SHIFT;
}

ImU32 mix(ImU32 from, ImU32 to, float amount) {
    ImU32 result = 0;
    for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT, IM_COL32_A_SHIFT})
        result |= static_cast<ImU32>(between(channel(from, shift), channel(to, shift), std::clamp(amount, 0.0F, 1.0F)))
                  << shift;
    return result;
}

ImU32 over(ImU32 top, ImU32 bottom) {
    const float alpha = static_cast<float>(channel(top, IM_COL32_A_SHIFT)) / 255.0F;
    return mix(bottom | IM_COL32_A_MASK, top | IM_COL32_A_MASK, alpha);
}

float luminance(ImU32 colour) {
    return 0.2126F * linear(channel(colour, IM_COL32_R_SHIFT)) + 0.7152F * linear(channel(colour, IM_COL32_G_SHIFT)) +
           0.0722F * linear(channel(colour, IM_COL32_B_SHIFT));
}

float contrast(ImU32 one, ImU32 other) {
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05F) / (darker + 0.05F);
}

ImU32 text_on(ImU32 fill) {
    // The luminance at which white and near-black are equally far, so that no power is computed twice per label.
    return luminance(fill) > 0.1831F ? near_black : white;
}

}  // namespace headcount
