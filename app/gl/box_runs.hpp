// Which boxes of a drawing are drawn at once, with how much of a shader, and what of them nobody would see. A processor
// that draws pays for each pixel of each box, whatever comes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/canvas/drawing.hpp"

namespace headcount {

// What a shader must be able to draw. `look`, `cells` and `all` each draw more than the one before; `heat` stands by
// itself.
enum class BoxNeeds {
    heat,   // values as colours, cells no smaller than a pixel, and no edge, tab or round corner; nothing else
    look,   // all but cells
    cells,  // all but values
    all,
};

struct BoxRun {
    std::uint32_t first = 0, count = 0;
    BoxNeeds needs = BoxNeeds::look;
    bool holes = false;  // worth leaving out
};

// The size of a pixel in the drawing's plane, where all boxes are seen from straight above and upright; else nothing.
// `density` is the framebuffer's pixels a pixel of the drawing.
std::optional<Point> pixel_seen_flat(const Drawing& drawing, float density);

// For each box the part in which nothing of it can be seen, so large that it counts: the inside of an empty one, or
// what a later one covers. The others have an empty one far to the right and below. No box has one: none at all.
std::vector<Rect> holes_in(const Drawing& drawing, Point pixel);

// The boxes of a batch in their order. Without a pixel the drawing is not seen flat. `holes` are of all boxes, or none.
std::vector<BoxRun> box_runs(const Drawing& drawing, const Batch& batch, std::optional<Point> pixel,
                             const std::vector<Rect>& holes);

}  // namespace headcount
