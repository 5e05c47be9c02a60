// The family tree on a sheet of paper.
#pragma once

#include <span>
#include <string>

#include "core/base/result.hpp"
#include "core/poster/family_tree.hpp"

namespace headcount {

// An SVG document of A2 across (594 mm by 420 mm). The years stand from left to right; each model is a square, whose
// area is its parameters at one scale for all, the largest at which all have room, with its parts as stripes in it; a
// line leads to it from its parent, and what changed since stands beside it. Fails where so many have no room.
Result<std::string> poster_svg(std::span<const TreeNode> tree);

}  // namespace headcount
