// The matrices of two models beside each other: what is said of each, and how those of a sub-block are packed.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {

// The two sides of a pair, as one of them sees it.
struct Pair {
    const Sketch& own;
    const Sketch& other;

    bool second() const { return own.input().beside && own.input().beside->second; }
    const Sketch& first_side() const { return second() ? other : own; }
    const Sketch& second_side() const { return second() ? own : other; }
};

// What one side says of a parameter, and how it differs: nothing is said twice, so that the first side says less.
struct PairWords {
    std::string name, shape;
    std::string mark;      // "+13.6 M", "same", "only here"; may be empty
    bool changed = false;  // what the mark says is a change
};
PairWords pair_words(const Pair& pair, std::string_view id);
// What is said of each matrix below its name: nothing, its mark, its shape where that is another on the other side, its
// shape in any case, or both; and the order in which that gives way. The shapes of both sides say what the mark does.
enum class PairLines { name, mark, changed_shape, shape, all };
inline constexpr PairLines pair_lines[] = {PairLines::all, PairLines::shape, PairLines::changed_shape, PairLines::mark,
                                           PairLines::name};
inline bool has_shape(PairLines lines) { return lines >= PairLines::changed_shape; }
inline bool has_mark(PairLines lines) { return lines == PairLines::mark || lines == PairLines::all; }
inline int line_count(PairLines lines) { return 1 + (has_shape(lines) ? 1 : 0) + (has_mark(lines) ? 1 : 0); }

// A matrix that either model has, or both. The same on both sides, but for `at` in the section that it was packed into.
struct PairCell {
    std::string id;                // as written for the layer that is shown
    std::string bias;              // below it; empty where neither model has one
    Sides most, least;             // of both, as drawn
    std::array<float, 5> words{};  // how wide the wider side's are, by PairLines
    Point at;                      // upper left corner, in pixels from that of the section
    bool inside = false;           // its words stand on it
    bool changed = false;          // it is another on the other side, or not there
    bool above_bias = false;       // there is room for one below it: its own, or that of another as tall
};
// What of this is said of a matrix.
inline PairLines said_of(const PairCell& cell, PairLines lines) {
    return lines == PairLines::changed_shape && !cell.changed ? PairLines::name : lines;
}
// Of the matrix, with that room, in pixels.
float cell_height(const Sketch& sketch, const PairCell& cell, float scale);

// Tables and the like by their ids, and what is trained in a sub-block of the layers that are shown.
std::vector<PairCell> pair_cells(const Pair& pair, std::initializer_list<std::string_view> ids);
std::vector<PairCell> pair_cells(const Pair& pair, Component component);
// What mixes tokens in the first model, then in the second where that is another kind of mixer.
std::vector<PairCell> mixer_cells(const Pair& pair);

// Puts them into rows at this scale, with so many lines of words each, those that stand on end to the right of all
// others where that is lower. Returns how high that is; nothing where `width` is too little.
std::optional<float> pack_cells(const Sketch& sketch, std::vector<PairCell>& cells, float width, float scale,
                                PairLines lines);

// Draws what both feed-forwards make between their matrices, below those that it is as wide as, where there is room for
// it in `box`. The cells are packed from `corner` on.
void lay_out_pair_hidden(Sketch& sketch, const Pair& pair, const std::vector<PairCell>& cells, Point corner, Rect box,
                         float scale, PairLines lines);

}  // namespace headcount
