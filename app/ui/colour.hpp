// Arithmetic on packed colours: blending, contrast, and the ink that is legible on a fill. It knows no theme.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace headcount {

// A colour packed as ImGui packs it (IM_COL32), from 0xRRGGBB as designers write it.
constexpr ImU32 rgb(std::uint32_t hex) {
    return (0xFFu << IM_COL32_A_SHIFT) | ((hex >> 16 & 0xFFu) << IM_COL32_R_SHIFT) |
           ((hex >> 8 & 0xFFu) << IM_COL32_G_SHIFT) | ((hex & 0xFFu) << IM_COL32_B_SHIFT);
}

// The same hue with alpha multiplied by `alpha` (0 to 1).
ImU32 with_alpha(ImU32 colour, float alpha);

// A mixture: 0 gives `from`, 1 gives `to`.
ImU32 mix(ImU32 from, ImU32 to, float amount);

// What is seen when a translucent colour lies over an opaque one.
ImU32 over(ImU32 top, ImU32 bottom);

// Relative luminance and contrast ratio of the Web Content Accessibility Guidelines 2.1; alpha is ignored.
float luminance(ImU32 colour);
float contrast(ImU32 one, ImU32 other);

// Near-black or white, whichever is easier to read on `fill`; at least 4.5:1 on any colour.
ImU32 text_on(ImU32 fill);

}  // namespace headcount
