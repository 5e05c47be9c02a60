// The order of a sub-block's operations, from its graph alone: what follows what, and what stands beside what.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "app/canvas/scene.hpp"

namespace headcount {

// An operation, or a block inside this one that has a page of its own.
struct FlowItem {
    const Node* node = nullptr;    // null for a block
    const Block* block = nullptr;  // null for an operation
    std::vector<TensorIndex> inputs;
    TensorIndex output = 0;
    bool output_elsewhere = false;  // drawn by the page around this one
    std::vector<std::size_t> from;  // the items that make its inputs
    bool from_outside = false;
    int level = 0;   // column: one more than the highest of those before it
    float lane = 0;  // row: 0 in the middle, others a whole or half number up or down
};

// Every operation of the block but additions to the stream, in the order in which they run. `elsewhere`: tensors that
// the page around draws; a norm that makes one of these is no item.
std::vector<FlowItem> flow_of(const ModelGraph& graph, std::string_view block, const std::vector<ThingId>& elsewhere);

}  // namespace headcount
