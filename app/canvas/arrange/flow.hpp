// The order of a sub-block's operations, from its graph alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "app/canvas/scene.hpp"

namespace headcount {

// An operation, or a block inside this one that has a page of its own.
struct FlowItem {
    const Node* node = nullptr;    // null for a block, and for what an earlier layer has made
    const Block* block = nullptr;  // null for an operation
    std::vector<TensorIndex> inputs;
    TensorIndex output = 0;
    bool output_elsewhere = false;         // drawn by the page around this one
    std::vector<TensorIndex> held;         // of a block: parameters that it uses and that are this one's
    std::vector<std::size_t> from;         // the items that make its inputs
    std::optional<std::size_t> chosen_by;  // of a block of which a token passes a few: what decides which
    bool from_outside = false;
    bool brought = false;           // it comes in beside the stream: an earlier layer's, or what is made for all layers
    bool from_other_stack = false;  // by which that is not the residual stream
    int level = 0;                  // column: one more than the highest of those before it
    float lane = 0;                 // row: 0 in the middle, others up or down, at least one apart in a column
    bool alone = false;             // nothing else is in its column or passes it
    bool low = false;               // a few rows that are kept for later tokens, and nothing here reads
};

// Made of something here, and of what comes in as it is.
inline bool joins_input(const FlowItem& item) {
    return item.node && item.from.size() == 1 && item.from_outside && item.node->inputs.size() > 1;
}

// How far up and down an item reaches, in lanes: a grid of squares is taller.
inline float half_lanes(const FlowItem& item) { return item.low ? 0.3F : item.block && !item.alone ? 0.9F : 0.5F; }

// Every operation of the block and of those inside it that are not repeated, but additions to the stream, in the order
// in which they run. `elsewhere`: tensors that the page around draws; a norm that makes one of these is no item.
std::vector<FlowItem> flow_of(const ModelGraph& graph, std::string_view block, const std::vector<ThingId>& elsewhere);

}  // namespace headcount
