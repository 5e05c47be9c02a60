// Mixes the colours of numbers.
#include "app/diagram/run_heat.hpp"

#include <algorithm>
#include <cmath>

namespace headcount {
namespace {

// What magnitudes are raised to before they are drawn: small ones are most of what there is, and are told apart too.
constexpr float heat_power = 0.7F;
constexpr ImU32 dark_zero = rgb(0x15181D), light_zero = rgb(0xF1F3F6);
constexpr ImU32 blue = rgb(0x6C8FD6), sand = rgb(0xCDA46B);

ImU32 zero_of(const Theme& theme) { return theme.dark ? dark_zero : light_zero; }

}  // namespace

ImU32 heat_of(const Theme& theme, ImU32 hue, float value, float limit) {
    if (!std::isfinite(value)) return theme.wrong;
    if (!(limit > 0) || value == 0) return zero_of(theme);
    const float share = std::min(1.0F, std::abs(value) / limit);
    const float strength = std::pow(share, heat_power);
    // On blocks that are blue themselves that is no opposite.
    const ImU32 negative = hue == theme.embedding ? sand : blue;
    return mix(zero_of(theme), value > 0 ? hue : negative, strength);
}

ImU32 attention_heat(const Theme& theme, float share) {
    const float x = std::clamp(share, 0.0F, 1.0F);
    const ImU32 least = theme.dark ? rgb(0x1F1912) : rgb(0xFBF3E9);
    const ImU32 most = theme.dark ? rgb(0xFFE9CC) : rgb(0x5A2600);
    constexpr float middle = 0.6F;
    if (x < middle) return mix(least, theme.attention, std::pow(x / middle, 0.8F));
    return mix(theme.attention, most, (x - middle) / (1 - middle));
}

ImU32 no_heat(const Theme& theme) { return theme.canvas; }

}  // namespace headcount
