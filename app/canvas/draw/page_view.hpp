// One page as it is seen in this frame: where its things are on the screen, how clearly, how high; and the brush that
// draws of it what can be seen, with the right cells in the corner.
#pragma once

#include "app/canvas/arrange/picking.hpp"
#include "app/canvas/draw/compose.hpp"

namespace headcount {

// Before a card's title, in its hue: from the card's corner, in design pixels, where that is not low.
inline constexpr Rect title_swatch{{16, 11}, {26, 21}};

// Of an operation's sign, in design pixels.
inline constexpr float mark_radius = 8.5F;

// A rectangle of the plane as it is seen, however that is tilted and turned: its corners on the screen, all around.
struct Quad {
    std::array<Point, 4> corners;

    bool contains(Point at) const;
    bool overlaps(const Rect& rect) const;
    // Whether a straight line runs through it.
    bool crosses(Point a, Point b) const;
};

// A matrix that words may not lie on, but for its own.
struct Obstacle {
    ThingId id;
    Rect rect;  // on its page
    Quad seen;
};

// One page as it is seen in this frame.
class PageView {
  public:
    PageView(const Atlas& atlas, const SeenPage& seen, const Lens& lens, const Looks& looks)
        : page(atlas.pages[seen.leaf.page]), seen(seen), lens(lens), looks(looks), group(atlas.group) {}

    const Page& page;
    const SeenPage& seen;
    const Lens& lens;
    const Looks& looks;
    std::int64_t group;

    float px(float design) const { return design * looks.unit; }
    bool flat() const { return lens.camera().flat(); }
    // Pixels of the screen a pixel of the page.
    double zoom() const { return seen.placement.scale * lens.camera().zoom; }
    // How clearly a thing behind this door, or behind none, is seen.
    float clarity(DoorIndex door) const {
        return door == no_door ? seen.clarity : seen.clarity * seen.summaries[static_cast<std::size_t>(door)];
    }
    // Pixels in the plane from the camera's target.
    Point plane(Point point) const;
    Rect plane(const Rect& rect) const { return {plane(rect.min), plane(rect.max)}; }
    Point screen(Point point, float height = 0) const { return lens.project(seen.placement.world(point), height); }
    // The least rectangle of the screen around it.
    Rect screen_box(const Rect& rect) const;
    Quad screen_quad(const Rect& rect) const;
    // How far the top of this slab is above the plane: nothing from straight above.
    float height(const Slab& slab) const;
    // The swatch of a sub-block's title, from the corner of its frame on; the page of the block has its title as usual.
    Rect swatch_of(const Frame& frame, Point corner) const;
    std::int64_t copy_of(const Slab& slab) const { return headcount::copy_of(slab, seen.leaf, group); }
    Cell first_cell(const Slab& slab) const { return headcount::first_cell(slab, copy_of(slab)); }
};

// The colour with its opacity times `share`.
Rgba faded(Rgba colour, float share);

// What is divided into cells, in pixels of the page.
struct Cells {
    Rect rect;
    std::int64_t columns = 1, rows = 1;
    Cell first;
};

class Brush {
  public:
    const PageView& view;
    const NumberedGraph& model;
    const Palette& palette;
    const Rect& sight;  // what is drawn of the plane, in pixels from the target
    Drawing& drawing;
    std::vector<Obstacle>& obstacles;

    // The same for this thing: where it is outside of the spotlight, in the colours for that.
    Brush on(std::string_view id) const {
        return {view, model, view.looks.palette_of(id, palette), sight, drawing, obstacles};
    }

    float px(float design) const { return view.px(design); }
    Glow glow(std::string_view id) const { return view.looks.glow(id); }
    Glow pointer_glow(std::string_view id) const {
        return view.looks.pointer_glow ? view.looks.pointer_glow(id) : Glow::none;
    }
    float clarity() const { return view.seen.clarity; }
    float clarity(DoorIndex door) const { return view.clarity(door); }
    const Palette::Hue& hue(Part part) const { return palette.parts[static_cast<std::size_t>(part)]; }
    const Palette::Hue& hue(Component part) const { return palette.components[static_cast<std::size_t>(part)]; }

    bool in_sight(const Rect& of_page) const;
    Rect snapped(Rect rect) const;
    bool add(const Box& box, const Rect& rect) const;
    void add_with_cells(Box box, const Rect& rect, const Cells& cells) const;
    void stroke(Point from, Point to, float width, Rgba colour, float arrow = 0) const;
};

// A slab's cells in the colours of their numbers; of very small ones several as one. Returns whether it has any.
bool draw_numbers(const Brush& brush, const Slab& slab, const Rect& rect);
// The same with these numbers, for this copy of its page.
void draw_heat(const Brush& brush, const Slab& slab, const Rect& rect, const CellNumbers& numbers, std::int64_t copy);

// The steps of drawing a page, in this order; each is done for all pages that lie equally deep before the next, so that
// their boxes and lines are few batches.
void draw_frames(const Brush& brush);
void draw_wires(const Brush& brush);
void draw_slabs(const Brush& brush);
void draw_bands(const Brush& brush);  // around columns that run through several matrices
void draw_marks(const Brush& brush);  // circles with a plus or a dot
void draw_bends(const Brush& brush);  // the lines in those of activation functions

// The numbers of a slab where its cells are drawn in their colours; nothing where they are not known, or too small.
std::optional<CellNumbers> shown_numbers(const PageView& view, const Slab& slab);

// How far from the colour of zero a number is drawn, -1 to 1, where `largest` is 1. What is not finite stays so.
float heat_strength(float value, float largest);

// Of the palette's ground and its text the one that is easier to read on this cell.
Rgba ink_on_heat(const Palette& palette, Part part, float strength);

}  // namespace headcount
