// Puts boxes and strokes of one page into the drawing: only what can be seen of them, with the right cells in the
// corner.
#pragma once

#include "app/canvas/arrange/picking.hpp"
#include "app/canvas/draw/page_view.hpp"

namespace headcount {

// What is divided into cells, in pixels of the page.
struct Cells {
    Rect rect;
    std::int64_t columns = 1, rows = 1;
    FirstCell first;
};

class Brush {
  public:
    const PageView& view;
    const NumberedGraph& model;
    const Palette& palette;
    const Rect& sight;  // what is drawn of the plane, in pixels from the target
    Drawing& drawing;
    std::vector<Region>& obstacles;  // matrices that labels may not lie on

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
    bool add(const Box& box, const Rect& rect);
    void add_with_cells(Box box, const Rect& rect, const Cells& cells);
    void stroke(Point from, Point to, float width, Rgba colour, float arrow = 0);
};

// The steps of drawing a page, in this order; each is done for all pages that lie equally deep before the next, so that
// their boxes and lines are few batches.
void draw_frames(Brush& brush);
void draw_wires(Brush& brush);
void draw_slabs(Brush& brush);
void draw_numbers(Brush& brush, const Slab& slab, const Rect& rect);  // a slab's cells in the colours of their numbers
void draw_bands(Brush& brush);  // around columns that run through several matrices
void draw_marks(Brush& brush);  // circles with a plus or a dot
void draw_bends(Brush& brush);  // the lines in those of activation functions

}  // namespace headcount
