// Turns the pages that are seen into one drawing: boxes, lines and labels in the colours of a theme.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "app/canvas/arrange/atlas.hpp"
#include "app/canvas/arrange/picking.hpp"
#include "app/canvas/drawing.hpp"

namespace headcount {

// Where the numbers in cells come from, where there are any: a run. The canvas knows none itself.
struct CellNumbers {
    std::int64_t rows = 0, columns = 0;  // that there are, of the tensor as the graph has it
    float largest = 0;                   // magnitude, for the colours
    std::function<float(std::int64_t row, std::int64_t column)> at;
    std::int64_t tokens = 0;  // that the run has: more than rows where the newest one's row is to come
    // Which of them are there: of an expert the rows of its own tokens, or what is made by now. Empty: all.
    std::function<bool(std::int64_t row, std::int64_t column)> has_cell = {};

    bool has(std::int64_t row, std::int64_t column) const {
        const bool within = row >= 0 && column >= 0 && row < rows && column < columns;
        return within && (!has_cell || has_cell(row, column));
    }
};

// Of a tensor by its id; `copy` is the head or the expert whose page it is on.
using NumberSource = std::function<std::optional<CellNumbers>(std::string_view id, std::int64_t copy)>;

// The colours that the canvas is drawn in.
struct Palette {
    struct Hue {
        Rgba fill, edge, ink;  // a matrix, its outline, words on it
        Rgba text;             // the hue as a colour of words
        Rgba negative = 0;     // of numbers below zero in cells; above it they have the fill
    };
    Rgba ground, deck, raised, line, strong_line;
    Rgba text_high, text_mid, text_low;
    Rgba edge, lit_edge, selection;
    Rgba activation_edge, cache_edge, cache_fill, cache_text;
    Rgba zero = 0;                                             // of numbers in cells
    Rgba right = 0, wrong = 0;                                 // around what agrees with somebody else's, and what not
    std::array<Hue, part_count> parts;                         // by Part
    std::array<Hue, headcount::components.size()> components;  // by Component
    std::array<Rgba, symbol_count> sides;                      // by Symbol: the mark along a side
};

// How strongly a thing is lit.
enum class Glow {
    none,
    near,  // what the hovered thing reads or makes
    hovered,
    selected,
};

// Cells of a tensor that are framed, from the upper left one to the lower right one.
struct FramedCells {
    // Spoken of; what that is made of; one head's among all heads'; the same as somebody else's, or not.
    enum class Why { own, read, head, agrees, differs } why = Why::own;
    ThingId id;
    std::optional<std::int64_t> copy;  // on the page of this head or expert; nothing: on any
    Cell least, most;                  // of the tensor

    bool operator==(const FramedCells&) const = default;
};

// How it is looked at, beside the camera.
struct Looks {
    float unit = 1;  // pixels a design pixel
    std::function<Glow(std::string_view id)> glow;
    // The same of the pointer alone, whatever is selected; without it, it lights nothing.
    std::function<Glow(std::string_view id)> pointer_glow = {};
    std::function<float(std::string_view text, TextRole role)> text_width;
    std::optional<Leaf> pointed;  // the page behind the square of a grid under the pointer
    struct InCell {
        Leaf leaf;
        ThingId id;
        Cell cell;

        bool operator==(const InCell&) const = default;
    };
    std::optional<InCell> cell;  // the cell that one is at
    std::span<const FramedCells> framed = {};
    std::optional<double> token;  // a token whose row is lit in every activation, as a share of all rows
    // Of a thing by its id the colours that it has of its own, as outside of the spotlight; null, or empty: the usual.
    std::function<const Palette*(std::string_view id)> own_palette = {};
    NumberSource numbers = {};  // of cells; empty: none has any
    // What stands at a token's row in place of its number; empty: the number.
    std::function<std::string(std::int64_t position)> token_word = {};

    const Palette& palette_of(std::string_view id, const Palette& palette) const {
        const Palette* const own = own_palette ? own_palette(id) : nullptr;
        return own ? *own : palette;
    }
};

void compose(const Atlas& atlas, const std::vector<SeenPage>& seen, const NumberedGraph& model, const Lens& lens,
             const Palette& palette, const Looks& looks, Drawing& drawing);

}  // namespace headcount
