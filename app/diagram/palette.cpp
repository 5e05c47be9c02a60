// The canvas's colours, from the theme's.
#include <algorithm>

#include "app/diagram/run_heat.hpp"
#include "app/diagram/view.hpp"
#include "app/parts/part_colours.hpp"

namespace headcount {
namespace {

// Words outside of the spotlight are still read from nearby.
constexpr float least_outside = 4.5F;

Palette::Hue hue_of(const Theme& theme, ImU32 colour) {
    return {colour, edge_of(theme, colour), text_on(colour), readable(theme, colour), heat_of(theme, colour, -1, 1)};
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
                    .zero = heat_of(theme, theme.query, 0, 1),
                    .right = theme.right,
                    .wrong = theme.wrong,
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

const Palette& palette_of(const Ui& ui, CanvasView& canvas) {
    if (canvas.theme != ui.theme) {
        canvas.theme = ui.theme;
        canvas.palette = palette_of(ui.theme);
    }
    return canvas.palette;
}

namespace {

// As pale as it may be on this ground.
ImU32 pale(const Theme& theme, ImU32 ink, ImU32 ground) {
    constexpr float step = 0.06F;
    while (true) {
        const ImU32 paler = mix(ink, ground, step);
        if (contrast(paler, ground) < std::min(theme.least_contrast, least_outside)) return ink;
        ink = paler;
    }
}

}  // namespace

Palette palette_outside(const Theme& theme) {
    Theme outside = theme;
    const auto recede = [&](ImU32& colour) { colour = mix(colour, theme.canvas, 0.62F); };
    for (ImU32 Theme::*colour : {&Theme::edge, &Theme::lit_edge, &Theme::embedding, &Theme::query, &Theme::key,
                                 &Theme::value, &Theme::attention_output, &Theme::gate, &Theme::up, &Theme::down,
                                 &Theme::output_head, &Theme::norm, &Theme::attention, &Theme::feed_forward,
                                 &Theme::kv_edge, &Theme::kv_fill, &Theme::activation_edge, &Theme::strong_line})
        recede(outside.*colour);
    Palette palette = palette_of(outside);
    const ImU32 words = pale(theme, theme.text_mid, theme.deck);
    palette.text_high = palette.text_mid = palette.text_low = palette.cache_text = words;
    for (Palette::Hue& hue : palette.parts) hue.ink = pale(theme, hue.ink, hue.fill);
    for (Palette::Hue& hue : palette.components) hue.ink = pale(theme, hue.ink, hue.fill);
    return palette;
}

Palette palette_heated(const Theme& theme, float share) {
    Palette palette = palette_of(theme);
    palette.parts.fill(hue_of(theme, heat_of(theme, theme.wrong, share, 1)));
    return palette;
}

}  // namespace headcount
