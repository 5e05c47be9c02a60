// The canvas's colours, from the theme's.
#include "app/panels/canvas_view.hpp"
#include "app/panels/part_colours.hpp"

namespace headcount {
namespace {

Palette::Hue hue_of(const Theme& theme, ImU32 colour) {
    return {colour, edge_of(theme, colour), text_on(colour), readable(theme, colour)};
}

}  // namespace

Palette palette_of(const Theme& theme) {
    Palette palette{.ground = theme.canvas,
                    .deck = theme.deck,
                    .raised = theme.raised,
                    .line = theme.line,
                    .strong_line = theme.strong_line,
                    .text_high = theme.text_high,
                    .text_mid = theme.text_mid,
                    .text_low = theme.text_low,
                    .edge = theme.edge,
                    .lit_edge = theme.lit_edge,
                    .selection = theme.selection,
                    .activation_edge = theme.activation_edge,
                    .cache_edge = theme.kv_edge,
                    .cache_fill = theme.kv_fill,
                    .cache_text = readable(theme, theme.kv_edge),
                    .parts = {},
                    .components = {},
                    .sides = {}};
    for (std::size_t i = 0; i < palette.parts.size(); ++i)
        palette.parts[i] = hue_of(theme, part_colour(theme, static_cast<Part>(i)));
    for (Component component : components)
        palette.components[static_cast<std::size_t>(component)] = hue_of(theme, component_colour(theme, component));
    for (const SymbolInfo& symbol : symbols()) {
        const ImU32 hue = symbol_colour(theme, symbol.symbol);
        palette.sides[static_cast<std::size_t>(symbol.symbol)] = hue == 0 ? 0 : readable(theme, hue);
    }
    return palette;
}

}  // namespace headcount
