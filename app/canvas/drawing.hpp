// What the canvas shows in one frame as plain numbers: boxes and lines in drawing order, labels, and where the eye is.
// The renderer uploads it as it is, the SVG writer writes it out. It knows no ImGui and no OpenGL.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/scene.hpp"

namespace headcount {

using Rgba = std::uint32_t;  // 8 bits each, red lowest: as ImGui's ImU32

enum class CellPattern : std::uint32_t {
    none,
    cells,   // lines between rows and columns, faded out where they would be closer than a few pixels
    causal,  // the same, and cells with column > row + `diagonal` (the future) empty, and those before a window
    heat,    // the same, each cell coloured by its value
};

// A rounded rectangle in the plane of the picture, or, seen tilted, a slab that stands on it.
// shaders/box.vert reads it word by word, so the order of the fields is part of what they mean.
struct alignas(16) Box {
    float min_x = 0, min_y = 0, max_x = 0, max_y = 0;  // pixels from the camera's target
    float bottom = 0, top = 0;                         // height above the plane, in the same pixels; equal: flat
    Rgba fill = 0, edge = 0;                           // alpha 0: not drawn
    Rgba tab = 0;                                      // a strip along the left side, in the hue of what made it
    float edge_width = 0, radius = 0, tab_width = 0;   // pixels; the edge lies inside the rectangle
    float dash = 0;                                    // length of the edge's dashes and gaps; 0: solid

    CellPattern pattern = CellPattern::none;
    Rgba ink = 0;       // of the lines between cells
    Rgba negative = 0;  // heat: the colour of the least value; `fill` is that of the greatest
    Rgba zero = 0;      // heat: the colour of 0
    // The cell at (min_x, min_y), as whole number and fraction, and cells a pixel. A box may be the visible piece of a
    // matrix that is millions of pixels wide, so the whole part is kept apart.
    std::int32_t first_column = 0, first_row = 0;
    float column_fraction = 0, row_fraction = 0;
    float columns_a_pixel = 0, rows_a_pixel = 0;
    std::int32_t diagonal = 0;  // causal: how many columns more the first row sees (cached tokens)
    // Heat: where in Drawing::values that first cell's value is. Causal: 0, or, where a window is cut into chunks, one
    // more than the position of the first column's token in its chunk.
    std::uint32_t values = 0;
    std::int32_t value_columns = 0;  // heat: values a row; causal: how many columns a row sees at most, 0: all
    float largest = 0;               // heat: the magnitude drawn in full colour
};

// A straight stroke with round ends; with `arrow`, a head of that length whose tip is its end. Width and head keep
// their size on the screen however the plane is tilted. shaders/line.vert reads it word by word.
struct alignas(16) Line {
    float from_x = 0, from_y = 0, to_x = 0, to_y = 0;  // pixels from the camera's target, in the plane
    float width = 1;
    float arrow = 0;
    Rgba colour = 0;
    float height = 0;  // above the plane
};

// Boxes or lines that follow each other in drawing order.
struct Batch {
    enum class Kind { boxes, lines } kind;
    std::uint32_t first = 0, count = 0;
};

// Words, always upright and of one size, at a place on the screen.
struct PlacedLabel {
    Point at;  // top left, in pixels of the screen
    float width = 0, height = 0;
    TextRole role = TextRole::number;
    Rgba colour = 0;
    std::string text;
    ThingId id;
    bool counts = false;  // how many numbers that has
    Rgba ground = 0;      // that it stands on, where an outline would run through it: the outline ends beside it
};

// Where a thing of the model is on the screen.
struct Region {
    ThingId id;
    Rect rect;
    bool matrix = false;  // and no frame around some
};

// What is lit: a thing that the pointer is on, or goes with, or a token's row across a matrix.
struct Lit {
    Rect rect;  // of the screen
    bool row = false;
};

// Cells that are framed: those that are spoken of, or others that have to do with these.
struct Framed {
    ThingId id;
    Rect rect;  // of the screen
    bool own = false;
    std::optional<bool> agrees = {};  // with somebody else's: all of them do, or some do not
};

struct Drawing {
    Rect area;                                // the part of the screen that is drawn to, in whole pixels
    std::array<float, 16> view_projection{};  // column by column: plane and height, in pixels, to -1 ... 1 of `area`
    std::vector<Box> boxes;
    std::vector<Line> lines;
    std::vector<Batch> batches;
    std::vector<float> values;  // of all heat maps
    std::vector<PlacedLabel> labels;
    std::vector<Region> regions;
    std::vector<Lit> lit;
    std::vector<Framed> framed;

    void clear() { *this = {.area = area, .view_projection = view_projection}; }
    // Puts it on top of what is there, in the batch that is open or a new one.
    void add(const Box& box) { add(Batch::Kind::boxes, boxes, box); }
    void add(const Line& line) { add(Batch::Kind::lines, lines, line); }

  private:
    template <class Each>
    void add(Batch::Kind kind, std::vector<Each>& all, const Each& each) {
        if (batches.empty() || batches.back().kind != kind)
            batches.push_back({kind, static_cast<std::uint32_t>(all.size()), 0});
        ++batches.back().count;
        all.push_back(each);
    }
};

// Draws a drawing's boxes and lines into the current picture; its labels are left to the caller.
using ScenePainter = std::function<void(const Drawing&)>;

}  // namespace headcount
