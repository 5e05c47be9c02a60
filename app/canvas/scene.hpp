// The picture of a model as data: rectangles to scale, wires, labels, each with what it stands for. It knows no ImGui
// and no OpenGL; a panel draws it, tests read it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace headcount {

struct Point {
    float x = 0, y = 0;

    bool operator==(const Point&) const = default;
};

struct Rect {
    Point min, max;

    float width() const { return max.x - min.x; }
    float height() const { return max.y - min.y; }
    Point centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
    bool overlaps(const Rect& other) const {
        return min.x < other.max.x && other.min.x < max.x && min.y < other.max.y && other.min.y < max.y;
    }
    bool holds(const Rect& other) const {
        return min.x <= other.min.x && min.y <= other.min.y && other.max.x <= max.x && other.max.y <= max.y;
    }
    bool contains(Point point) const {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
    std::array<Point, 4> corners() const { return {min, Point{max.x, min.y}, max, Point{min.x, max.y}}; }
    // Turned inside out where the two are apart.
    Rect common(const Rect& other) const {
        return {{std::max(min.x, other.min.x), std::max(min.y, other.min.y)},
                {std::min(max.x, other.max.x), std::min(max.y, other.max.y)}};
    }
    Rect grown(float by) const { return {{min.x - by, min.y - by}, {max.x + by, max.y + by}}; }
    bool operator==(const Rect&) const = default;
};

// The least rectangle with both points.
inline Rect around(Point a, Point b) {
    return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

// What a thing of the scene stands for: a tensor's id, or "component.attention", or "layer", as app/state/subject.hpp
// reads them.
using ThingId = std::string;

enum class SlabLook {
    parameter,   // filled
    activation,  // outlined paper with a tab in the hue of the part that made it
    cached,      // the same with the cache's outline
    ghost,       // a tied output head: the embedding once more, not counted again; or what is stored, not trained
    hollow,      // an operation that has no parameters (a norm without weights)
    absent,      // what the other model of a pair has and this one has not
};

// Which door of the scene a thing lies behind: it is a summary of the door's page and gives way to it.
using DoorIndex = int;
inline constexpr DoorIndex no_door = -1;

// A matrix: its sides are its rows and columns at one scale.
struct Slab {
    ThingId id;
    Rect rect = {};
    Part part = Part::residual;
    SlabLook look = SlabLook::activation;
    std::optional<Rect> base = {};       // the size it had in the preset, where that differs
    std::int64_t rows = 0, columns = 0;  // what the rectangle shows: of the tensor, or of one head's slice of it
    // Of a slice: how many rows or columns of the tensor lie before it, for each copy of the page.
    std::int64_t row_step = 0, column_step = 0;
    bool solid = false;                // an activation so small that it is filled with its hue, to be seen
    bool thickened = false;            // a side is below the least thickness and was raised to it
    bool cut = false;                  // too tall for the picture: drawn shorter, its end open
    bool cut_right = false;            // the same, too wide
    bool transposed = false;           // rows and columns are the tensor's columns and rows
    std::optional<Mask> mask = {};     // of what a row has a cell for each key: which it looks at; the others are empty
    std::int64_t first_position = 0;   // of the token that the first column is for: where chunks begin
    int grid_columns = 0;              // more than 0: one small square for each of the heads
    std::int64_t grid_cells = 0;       // how many, at most what fits
    std::int64_t grid_lit = 0;         // how many of them a token passes; 0: all
    std::optional<double> token = {};  // stands for one token, a share of all as picking.hpp has it
    ThingId named_by = {};             // of what stands in a row under one name: whose that is; empty: its own
    DoorIndex door = no_door;

    // Whether its rectangle is divided into its rows and columns.
    bool has_cells() const { return rows > 0 && columns > 0 && !cut && !cut_right && grid_columns == 0; }
    // How many columns more than itself the first row sees: of earlier tokens.
    std::int64_t earlier() const { return std::max<std::int64_t>(0, columns - rows); }
    // Whether a row's token looks at a column's.
    bool sees(std::int64_t row, std::int64_t column) const {
        if (!mask) return true;
        const std::int64_t token = first_position + earlier() + row, key = first_position + column;
        return key >= mask->first_visible(token) && key < mask->end_visible(token, first_position + columns);
    }
    // Whether it shows but the part of its tensor that belongs to one copy of the page.
    bool is_slice() const { return row_step > 0 || column_step > 0; }
};

enum class TextRole { title, name, number, caption };  // Inter 600; Inter 600 small; mono; Inter small
enum class Tone { high, mid, low, on_slab, on_slab_low, cached };
enum class Anchor { left, centre, right };

struct Label {
    Point at;  // of the anchor, at the top of the line
    Anchor anchor = Anchor::left;
    TextRole role = TextRole::number;
    Tone tone = Tone::mid;
    std::string text;  // underscores and carets are sub- and superscripts in names; {i} is the copy's number, {kv} that
                       // of its key/value head
    Part part = Part::residual;  // whose colour it stands on (Tone::on_slab)
    ThingId id;                  // what it names; may be empty
    bool counts = false;         // how many numbers that has
    DoorIndex door = no_door;
    Point pivot;      // the place of the scene beside which it stays when that is seen nearer or from farther away
    float width = 0;  // in pixels, of the text as it is
    std::optional<Rect> holder;  // the matrix or card that it stands in, and does not leave
    std::optional<Rect> matrix;  // the one that it names
    int pair = 0;                // more than 0: shown with all others of the scene that have the same, or not at all
    int pair_size = 0;           // how many those are
    bool follows_name = false;   // the scene has a name for the same thing: nothing is shown without it
    std::string brief = {};      // of a name that says more, such as what changed, the name alone; else empty
    bool crowded = false;        // the name of a matrix for which the page had no place: it takes one in sight of it
};

// Right-angled, with rounded corners; an arrow at its end.
struct Wire {
    std::vector<Point> points;
    ThingId tensor;       // the activation that flows along it
    bool stream = false;  // part of the residual stream: thicker
    bool arrow = true;
    bool faint = false;  // no path of data: joins what belongs together
    DoorIndex door = no_door;
    std::optional<double> token = {};  // along which one token alone goes
    // Where it starts when seen tilted: the words that it starts behind stand elsewhere then.
    std::optional<Point> tilted_start = {};
};

enum class MarkKind { add, multiply, apply };
struct FlowMark {
    Point centre;
    MarkKind kind;
    ThingId id;  // the activation that comes out
    DoorIndex door = no_door;
};

enum class FrameKind {
    layer,
    component,
    card,  // something enlarged or explained, on the layer's ground
    cache,
    choice,  // one kind of the layers, to be chosen
    band,    // around the columns of one head, over what it cuts through
};
struct Frame {
    ThingId id;
    Rect rect;
    FrameKind kind;
    Component component = Component::attention;
    std::int64_t copies = 1;  // drawn as a deck behind it
    bool chosen = false;
    float title_raised = 0;  // of a low card: by so many pixels its title stands higher than in others
    DoorIndex door = no_door;
};

// A place of the scene that has a page of its own, seen when one comes nearer: a sub-block, or all heads as a grid.
struct Door {
    std::string block;  // of the graph: "layer.attention"
    Rect rect;
    Point entry;           // where its input branches off the residual stream
    ThingId entry_tensor;  // what flows in there
    Point memory;          // where what another stack made comes from, which is this, if any
    ThingId memory_tensor;
    std::vector<Point> exit;              // the way back to the stream, from the right of all that is inside
    std::optional<Point> onward;          // where the output of its norm leaves for the other sub-block
    std::int64_t columns = 1, count = 1;  // more than one: alike, row by row
    bool grid = false;                    // its cells are drawn as squares, which a page covers with ground of its own
    bool closed = false;                  // its page is not shown in its place

    std::int64_t rows() const { return (count + columns - 1) / columns; }
    Rect cell(std::int64_t index) const;
};

struct Scene {
    std::vector<Door> doors;
    std::vector<Frame> frames;
    std::vector<Wire> wires;
    std::vector<Slab> slabs;
    std::vector<FlowMark> marks;
    std::vector<Label> labels;
    float model_scale = 0;  // pixels a row or column, outside the layer
    float layer_scale = 0;  // the same inside; equal where one scale serves both
    std::string enlarged;   // "head 11×, cache 5.8×": cards whose scale is larger than the rest of the page
};

// Says of everything that lies inside a door's rectangle that it belongs to the door.
void put_behind_doors(Scene& scene);

// Ties every label to the edge or the middle of what it names, and a page's own title to its corner.
void pin_labels(Scene& scene, const Rect& page, bool own_ground, float unit);

// Whether it says what a thing is called, which all else that is said of the thing belongs to.
bool is_name(const Label& label);
// Whether it is what a matrix of the scene is called, or a row of such that it stands in.
inline bool names(const Label& label, const Slab& slab) {
    return is_name(label) && (label.id == slab.id || (!slab.named_by.empty() && label.id == slab.named_by));
}
// How far left of its anchor words of this width begin.
float left_of_anchor(Anchor anchor, float width);

}  // namespace headcount
