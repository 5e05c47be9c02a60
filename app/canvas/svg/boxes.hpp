// The boxes of a drawing as elements of an SVG document.
#pragma once

#include <string>

#include "app/canvas/drawing.hpp"
#include "core/base/svg_text.hpp"

namespace headcount::svg {

// One box, in pixels of the document: `middle` is where the drawing's plane has its origin.
std::string box(const Box& box, const Drawing& drawing, Point middle);

}  // namespace headcount::svg
