// Where everything stands on the poster, in pixels of 1/96 inch.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/poster/family_tree.hpp"

namespace headcount::poster {

// A2 across.
inline constexpr double width = 594 / 25.4 * 96, height = 420 / 25.4 * 96;
inline constexpr double margin = 36, top = 128, bottom = height - 30;

inline constexpr double name_size = 10, line_size = 8;
inline constexpr double name_step = 11.5, line_step = 9.2;  // from line to line
inline constexpr double beside = 24;                        // of a square that is wider its words stand below
inline constexpr double gap = 5;  // between a square and its words, and between a model and the next

struct Placed {
    double x = 0, y = 0, side = 0;    // of the square
    double words_x = 0, words_y = 0;  // of the top of its words
    double room = 0;                  // for a line of them
    std::vector<std::string> lines;   // below its name
    double bottom = 0;                // of all of it
};

struct YearSpan {
    int year;
    double x, width;
};

struct Sheet {
    double scale = 0;            // the square of this many parameters has an area of one pixel
    std::vector<Placed> models;  // as the nodes
    std::vector<YearSpan> years;
};

// From a parent to its child: from the one's right side to the other's left, or along the left edge of a column in
// which both stand.
struct Way {
    bool curved;
    std::array<std::array<double, 2>, 4> points;  // of a cubic Bézier curve; or corners
};
Way way(const Placed& from, const Placed& placed);

// How many letters a text has that is UTF-8.
std::size_t letters_in(std::string_view text);

// Without models where they have no room at any scale.
Sheet lay_out(std::span<const TreeNode> tree);

}  // namespace headcount::poster
