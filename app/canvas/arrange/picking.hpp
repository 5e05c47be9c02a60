// What is under a point of the screen, the places that one can go to, and which row of an activation
// is a token's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/canvas/arrange/atlas.hpp"

namespace headcount {

struct Cell {
    std::int64_t row = 0, column = 0;  // of the tensor

    bool operator==(const Cell&) const = default;
};

// Which copy of its tensor's slices a slab shows: the head's, or that of the key/value head which `group` heads share.
std::int64_t copy_of(const Slab& slab, Leaf leaf, std::int64_t group);

// The first row and column of its tensor that a slab shows on this copy of its page.
Cell first_cell(const Slab& slab, std::int64_t copy);
// The one that it shows so far down and across.
Cell cell_in(const Slab& slab, std::int64_t copy, std::int64_t down, std::int64_t across);

struct Hit {
    ThingId id;                  // of a slab or a frame
    Leaf leaf;                   // the page that it is on
    const Slab* slab = nullptr;  // of the atlas; null for a frame
    std::optional<Cell> cell;    // where the slab shows its cells to scale
    std::optional<Leaf> behind;  // of a grid's square: the page behind it
    struct Square {
        std::int64_t index = 0, count = 0;  // of so many that are drawn
    };
    std::optional<Square> square = {};
};

// The innermost thing under the point: a slab before a frame, what is clear before what is fading.
std::optional<Hit> pick(const Atlas& atlas, const Lens& lens, const std::vector<SeenPage>& seen, Point screen);

// How many cells are shown across, when one goes to a cell.
inline constexpr double cells_shown = 6;

// A place to go to. Each lies in the one before it: model, layer, sub-block, head, matrix, cells.
struct Stop {
    enum class Kind { model, layer, block, matrix, cells } kind = Kind::model;
    ThingId id;  // "", "layer", "layer.attention", "layer.attention.head", a tensor's id
    Leaf leaf;   // the page that it is, or that it is on
    Cell cell;   // the one in the middle
    WorldRect rect;

    bool same_place(const Stop& other) const {
        return kind == other.kind && id == other.id && leaf == other.leaf && cell == other.cell;
    }
};

// From the whole model to the innermost place under this point of the screen, whether or not it is large enough.
std::vector<Stop> places_under(const Atlas& atlas, const Lens& lens, const std::vector<SeenPage>& seen, Point screen);

// Where one is: the places in the middle of the screen that are large enough to have been gone to.
std::vector<Stop> way_here(const Atlas& atlas, const Lens& lens, const std::vector<SeenPage>& seen);

// The place of a block, with the copy, or of a tensor on the innermost page that draws all of it; "" is the model,
// "layer" the layer. What that draws several times, as an embedding that is the output head too, is where it is nearest
// to `beside`, where that is said.
std::optional<Stop> find_place(const Atlas& atlas, std::string_view id, std::int64_t copy = 0,
                               const Stop* beside = nullptr);

// The same for one cell of a tensor.
std::optional<Stop> find_cell(const Atlas& atlas, std::string_view id, std::int64_t copy, Cell cell);

// Where what is no matrix is made: the mark of a sum or a product. Nothing where there is no such mark.
std::optional<Stop> find_mark(const Atlas& atlas, std::string_view id);

// The next place of its kind beside this one, `step` to the right (or, for a grid, rows down): another head, the other
// sub-block, the next matrix in the order of the data. Nothing where there is none.
std::optional<Stop> neighbour(const Atlas& atlas, const Stop& stop, int right, int down);

// The camera that shows a place.
Camera camera_at(const Stop& stop, const Atlas& atlas, const Lens& lens, float unit);

// How many rows a matrix has for tokens, as it is drawn: columns where rows and columns are exchanged.
inline std::int64_t token_rows(const Slab& slab) { return slab.transposed ? slab.columns : slab.rows; }

inline bool has_token_rows(const Slab& slab, const Tensor& tensor) {
    const bool matrix = slab.grid_columns == 0 && slab.look != SlabLook::hollow && slab.look != SlabLook::absent;
    return matrix && tensor.role != Role::parameter && uses(tensor.shape, Symbol::tokens);
}

// How many rows there are before the first token's: of an earlier pass. Fewer than none in a window's cache, which has
// the last tokens alone.
inline std::int64_t rows_before(const Slab& slab, const Tensor& tensor, std::int64_t tokens) {
    const std::int64_t before = token_rows(slab) - tokens;
    return tensor.role == Role::cache ? before : std::max<std::int64_t>(0, before);
}

// How far along these rows it is, 0 the first and 1 the last; below 0 where it has none.
inline double token_at(const Slab& slab, const Tensor& tensor, double token, std::int64_t tokens) {
    const std::int64_t rows = token_rows(slab), before = rows_before(slab, tensor, tokens);
    if (rows < 2) return before < 0 && token < 1 ? -1 : 0;
    return (static_cast<double>(before) + token * static_cast<double>(rows - before - 1)) /
           static_cast<double>(rows - 1);
}

// The token that a row is for; nothing where there is but one, or where it is an earlier pass's.
inline std::optional<double> token_of(const Slab& slab, const Tensor& tensor, Cell cell, std::int64_t tokens) {
    const std::int64_t row = cell.row - rows_before(slab, tensor, tokens);
    if (!has_token_rows(slab, tensor) || tokens < 2 || row < 0) return std::nullopt;
    return static_cast<double>(row) / static_cast<double>(tokens - 1);
}

}  // namespace headcount
