// Words on the canvas: which are wished for, and which find room.
#pragma once

#include "app/canvas/draw/page_view.hpp"

namespace headcount {

// A label before it is known whether there is room for it.
struct LabelWish {
    PlacedLabel label;
    int rank = 0;            // less: placed first
    bool over_slab = false;  // may lie on any matrix
    Leaf page;
    const Label* of = nullptr;   // of the page's scene; null for the marks of sides and cells
    bool follows_shape = false;  // a count: nothing without the shape above it
    bool crossed = false;        // a line runs there: for who has no other place
    bool trained = false;        // the name of a matrix of parameters
};

// Marks along the sides of matrices, numbers of rows and columns, names of cells, as far as there is room.
void mark_sides_and_cells(const PageView& view, const NumberedGraph& model, const Palette& palette, Drawing& drawing,
                          std::vector<LabelWish>& wishes);

// A page's own labels.
void wish_labels(const PageView& view, const Palette& palette, std::vector<LabelWish>& wishes);

// The part of a label that has ink: with what hangs lower, or the letters of its line alone.
Rect ink_of(const PlacedLabel& label);
Rect letters_of(const PlacedLabel& label);

// Ground behind those that the outline of another size or a token's lit row runs through.
void put_ground_behind_labels(const std::vector<PageView>& views, const Lens& lens, const Palette& palette,
                              Drawing& drawing);

// Keeps those that overlap neither each other nor a foreign matrix, the most important ones first.
void place_labels(const std::vector<LabelWish>& wishes, const std::vector<Region>& slabs, const Rect& area,
                  Drawing& drawing);

}  // namespace headcount
