// Every colour, size and distance of the interface by name, in a dark and a light theme. No literals elsewhere.
#pragma once

#include "app/ui/colour.hpp"

namespace headcount {

struct Theme {
    bool dark = true;
    float least_contrast = 4.5F;  // of everything that is written, with what is behind it

    // Surfaces, from the back to the front.
    ImU32 canvas, panel, raised, hover, deck;
    ImU32 field;  // the inside of a number field or a button at rest
    ImU32 line, strong_line;
    ImU32 track;  // the empty part of a slider
    ImU32 knob;
    ImU32 shadow;  // translucent, under popups

    ImU32 text_high, text_mid, text_low;
    ImU32 edge, lit_edge;  // arrows and outlines of the diagram
    ImU32 selection;       // white (dark) or near-black (light), never a hue
    ImU32 selection_ink;   // text on a fill of that colour

    // Components of the model.
    ImU32 embedding, query, key, value, attention_output, gate, up, down, output_head, norm;
    ImU32 state_gate, state_rate;               // of a recurrence: what passes, and how fast it fades and is written
    ImU32 attention, feed_forward, recurrence;  // the groups: key's hue, up's hue and the state gate's
    ImU32 kv_edge, kv_fill, activation_edge;

    // Status; always beside an icon and words.
    ImU32 right, wrong, wrong_fill;

    bool operator==(const Theme&) const = default;
};

Theme dark_theme();
Theme light_theme();

// The same for a projector: everything that is written has a contrast of at least 7:1.
Theme presenter_theme(Theme theme);

// A one-pixel outline for a filled shape of this colour: darker where the fill is too pale for the background
// (amber and light green on white), otherwise the fill itself.
ImU32 edge_of(const Theme& theme, ImU32 fill);

// A hue as the colour of text: itself where it is legible on every surface, otherwise moved towards the high ink.
ImU32 readable(const Theme& theme, ImU32 hue);

// A mixture of hues as a fill: moved towards black or white until words on it are legible.
ImU32 writable(const Theme& theme, ImU32 fill);

// Tints that lie over a surface.
ImU32 group_tint(const Theme& theme);     // 4 %
ImU32 hover_tint(const Theme& theme);     // 5 %
ImU32 selected_tint(const Theme& theme);  // 7 %

// Lengths in pixels at interface scale 1, on a grid of four; `Ui::px` scales them.
namespace size {
inline constexpr float grid = 4, panel_padding = 16, card_padding = 12;
inline constexpr float radius_matrix = 2, radius_field = 4, radius_button = 6, radius_card = 8;
inline constexpr float line = 1, edge = 1.25F, stream = 2, ring = 2, ring_gap = 4;
inline constexpr float slider_row = 45, choice_row = 30, derived_row = 28, field_width = 64, field_height = 22;
inline constexpr float track = 3, knob = 11;
inline constexpr float button = 30, small_button = 24, icon_button = 28, chip = 20, chip_radius = 5;
inline constexpr float table_row = 23, table_header = 26, legend_row = 39, top_bar = 48, tab_bar = 36;
inline constexpr float swatch = 11, tab = 3, smallest_matrix = 6, icon = 16;
inline constexpr float left_panel = 300, right_panel = 360;
}  // namespace size

// Durations in seconds; reduced motion makes them zero.
inline constexpr float motion_seconds = 0.15F;

// Puts the theme into ImGui's style: colours, rounding, padding. Vertical item spacing is 0, because components carry
// their own height; use `gap` (layout.hpp) between them.
void apply_style(const Theme& theme, float scale);

}  // namespace headcount
