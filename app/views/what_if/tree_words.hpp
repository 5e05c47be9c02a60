// The family tree as it is drawn: its sheet, where things of it are on the screen, and its words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/camera.hpp"
#include "app/ui/ui.hpp"
#include "core/poster/family_tree.hpp"
#include "core/poster/sheet.hpp"

namespace headcount {

struct TreeSheet {
    std::vector<TreeNode> nodes;
    poster::Sheet sheet;
    std::vector<std::size_t> by_weight;  // first those from which most others were made, then the largest
    std::string problem;                 // a sentence: why there is none
};

struct TreePen {
    const Ui& ui;
    const TreeSheet& tree;
    const Lens& lens;
    ImDrawList& list;
};

ImVec2 on_screen(const Lens& lens, double x, double y);
// A model's square, and around that of the model that is open a ring, so that it is seen however small it is.
Rect square_of(const TreePen& pen, std::size_t model);
Rect ring_around(const TreePen& pen, const Rect& square);
inline constexpr float tree_ring = 2;  // design pixels: its line

// Names stand in their places; of those that have no room there, each that finds some beside its square in `sight`,
// those from which most were made first. The open model, `chosen`, is named whatever lies there. Records
// shelf.name.<preset id>.
void draw_tree_words(const TreePen& pen, const Rect& sight, std::string_view chosen);

}  // namespace headcount
