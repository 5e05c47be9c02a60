// The presets as a tree: which each was made from or in the image of, what changed on the way, and what that cost in
// parameters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/files/presets.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

struct TreeNode {
    const Preset* preset = nullptr;
    std::int64_t total = 0;  // parameters
    std::array<std::int64_t, components.size()> by_component{};
    std::optional<std::size_t> parent;  // its place among the nodes; before its own
    std::int64_t cost = 0;              // parameters more than the parent has
    std::vector<std::string> changes;   // "Layers 32 → 40", that with the most parameters in it first

    bool operator==(const TreeNode&) const = default;
};

// Of those presets that are shown and have a year; a branch stands together, the oldest first. The parent of one is
// what it came after (Preset::after), by way of `all` where that is not shown; of one that says nothing of it, what its
// group has before it by year and size. Fails where a model cannot be counted.
Result<std::vector<TreeNode>> family_tree(std::span<const Preset* const> shown, std::span<const Preset> all);

}  // namespace headcount
