// All pages of a model and how they lie in each other: the whole model, its sub-blocks, one of the heads. A page is
// seen in place of its door once that is large enough on the screen. A pure function of the graph and the area.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/arrange/layout.hpp"
#include "app/canvas/camera.hpp"

namespace headcount {

// A page's pixels in the world: world = origin + pixel · scale.
struct Placement {
    double x = 0, y = 0, scale = 1;

    WorldPoint world(Point point) const {
        return {x + static_cast<double>(point.x) * scale, y + static_cast<double>(point.y) * scale};
    }
    WorldRect world(const Rect& rect) const { return {world(rect.min), world(rect.max)}; }
    Point local(WorldPoint point) const {
        return {static_cast<float>((point.x - x) / scale), static_cast<float>((point.y - y) / scale)};
    }
    // Of a page that lies in this one's `inner`, given in this page's pixels.
    Placement within(const Placement& inner) const;
};

using PageIndex = std::size_t;

struct Page {
    std::string block;  // of the graph; empty for the model
    Rect bounds;        // from 0, 0: what it was laid out for
    bool own_ground;    // it covers the grid that it is behind
    double filling;     // pixels of the screen a pixel of the page, when it fills the canvas
    Scene scene;
    std::vector<PageIndex> behind;  // for each door of the scene, its page; empty where they are not laid out
    Placement placement;            // in the page around it, of the first copy
    std::optional<PageIndex> around;
    std::size_t door = 0;  // of the page around it
};

struct Atlas {
    std::vector<Page> pages;  // those around before those inside; the first is the model
    Rect area;                // what the model was laid out for, from 0, 0
    double layer_zoom = 1;    // of the camera that shows the layer
    std::string layer;        // the block of the kind of layers that is shown
    std::int64_t group = 1;   // query heads that share a key/value head
};

// A block's id with "layer" for whichever kind of layers is shown.
std::string plain_block(const Atlas& atlas, std::string_view block);

// The part of the canvas that a page fills when one has come to it: above the buttons and the map in the corners.
Rect page_room(const Rect& area, float unit);

// The whole model is laid out for `input.area`, moved to 0, 0; the pages behind its doors only where one comes near.
Atlas lay_out_atlas(const LayoutInput& input, bool pages_behind = true);

// At most how many pixels of the screen a row or column each page of both takes when it fills the canvas: what both
// have is then drawn at one scale, that of the side that needs more room.
std::vector<PageScale> shared_scales(const Atlas& a, const Atlas& b);
// Whether some page is drawn larger than that, and has to be laid out again.
bool exceeds(const Atlas& atlas, const std::vector<PageScale>& scales);

// The camera over another atlas that sees the same place at the same scale; where there is no such place the nearest
// around it. Both have areas of the same size.
Camera same_place(const Camera& camera, const Atlas& from, const Atlas& atlas);

// The camera that shows the whole model as it was laid out: one pixel a pixel.
Camera home(const Atlas& atlas);

// What is dimmer is neither named nor recorded, cannot be pointed at, and is in no label's way.
inline constexpr float clear_enough = 0.5F;

// One is at a matrix that fills this share of the screen's width or height, and at cells of so many pixels.
inline constexpr double fills_matrix = 0.5, cell_size = 22;

// Design pixels around a place that one has gone to.
inline constexpr float place_margin = 28;

// Which copy of a page: of the door that it lies behind. 0 where there is but one.
struct Leaf {
    PageIndex page = 0;
    std::int64_t copy = 0;

    bool operator==(const Leaf&) const = default;
};

Placement placement_of(const Atlas& atlas, Leaf leaf);

// In which of `count` equal parts of a stretch of the world a position is, or which is nearest.
std::int64_t index_at(double position, double begin, double extent, std::int64_t count);

// A page that is seen now, and how clearly, 0 to 1.
struct SeenPage {
    Leaf leaf;
    Placement placement;
    float clarity = 1;
    std::vector<float> summaries;  // for each of its doors, how clearly what gives way to its page is still seen
};

// From the outside in, so that what comes later is drawn over what is before.
std::vector<SeenPage> seen_pages(const Atlas& atlas, const Lens& lens);

// The camera moved along when the atlas is laid out anew, so that what it was at stays where it is on the screen: the
// cells or the matrix that fill it, else the page.
Camera carried_over(const Camera& camera, const Atlas& before, const Atlas& after);

}  // namespace headcount
