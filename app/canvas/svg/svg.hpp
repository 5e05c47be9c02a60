// A flat drawing as an SVG document: vectors and real text, for worksheets and slides. A pure function, the same text
// for the same drawing everywhere.
#pragma once

#include <array>
#include <string>

#include "app/canvas/drawing.hpp"

namespace headcount {

// How one role of text is set.
struct SvgFont {
    std::string families;  // as CSS names them, best first
    float size = 13;       // pixels an em
    int weight = 400;
    float ascent = 13;  // from the top of a line to its baseline
};

struct SvgLook {
    std::string title, description;
    Rgba ground = 0;               // what it all lies on
    std::array<SvgFont, 4> fonts;  // by TextRole
};

// What stands for a thing of the model carries its id as data-id. The drawing must be flat: heights are not drawn.
// A heat map of more than `most_svg_values` values is left out, with a comment.
std::string svg_of(const Drawing& drawing, const SvgLook& look);

inline constexpr int most_svg_values = 10'000;

namespace svg {
// One box of a drawing, in pixels of the document: `middle` is where the drawing's plane has its origin.
std::string box(const Box& box, const Drawing& drawing, Point middle);
}  // namespace svg

}  // namespace headcount
