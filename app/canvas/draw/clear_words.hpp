// Where words can stand whose place of the layout lies on a line: beside it. Seen flat only.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "app/canvas/draw/page_view.hpp"

namespace headcount {

// What words of a page keep clear of: its wires, the edges of its frames, its matrices. On the screen.
class ClearWords {
  public:
    explicit ClearWords(const PageView& view);

    // Whether a wire or the edge of a frame runs through the words, or they lie on the edge of what they name.
    bool crossed(std::string_view id, const Rect& ink) const;

    // How lines that belong together have to be moved, the least way first: to the left, right, up or down, and no
    // further than a few lines.
    std::vector<Point> ways_out(std::span<const Rect> inks) const;

  private:
    std::vector<Rect> lines_;
    std::vector<std::pair<std::string_view, Rect>> matrices_;
    float gap_ = 0, furthest_ = 0;
};

}  // namespace headcount
