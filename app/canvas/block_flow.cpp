// Levels from left to right by what an operation needs, lanes by how many read the same.
#include "app/canvas/block_flow.hpp"

#include <algorithm>
#include <utility>

namespace headcount {
namespace {

std::vector<FlowItem> gather(const ModelGraph& graph, std::string_view block, const std::vector<ThingId>& elsewhere) {
    std::vector<FlowItem> items;
    const Block* own = graph.find_block(block);
    const auto own_index = static_cast<BlockIndex>(own - graph.blocks.data());
    const auto child_of = [&](BlockIndex inner) {
        while (graph.blocks[inner].parent != own_index) inner = *graph.blocks[inner].parent;
        return &graph.blocks[inner];
    };
    for (const Node& node : graph.nodes) {
        if (!graph.inside(node.block, own_index) || node.op == Op::add) continue;
        const Block* child = node.block == own_index ? nullptr : child_of(node.block);
        if (child && !items.empty() && items.back().block == child) {
            FlowItem& item = items.back();
            item.inputs.insert(item.inputs.end(), node.inputs.begin(), node.inputs.end());
            item.output = node.output;
            continue;
        }
        FlowItem item{.node = child ? nullptr : &node, .block = child, .inputs = node.inputs, .output = node.output};
        const std::string& id = graph.tensors[node.output].id;
        item.output_elsewhere = std::find(elsewhere.begin(), elsewhere.end(), id) != elsewhere.end();
        // A norm on the way back to the stream is drawn there.
        if (item.output_elsewhere && node.op == Op::norm) continue;
        items.push_back(std::move(item));
    }
    for (std::size_t i = 0; i < items.size(); ++i)
        for (TensorIndex input : items[i].inputs) {
            const auto made = std::find_if(items.begin(), items.end(), [&](const FlowItem& other) {
                return other.output == input && &other != &items[i];
            });
            const bool inside = items[i].block && graph.producer(input) && graph.producer(input)->block != own_index &&
                                child_of(graph.producer(input)->block) == items[i].block;
            if (made != items.end())
                items[i].from.push_back(static_cast<std::size_t>(made - items.begin()));
            else if (!inside)
                items[i].from_outside = true;
        }
    return items;
}

// Those that do the same to siblings stand in one column.
void share_levels(std::vector<FlowItem>& items) {
    for (FlowItem& item : items)
        for (const FlowItem& other : items)
            if (item.node && other.node && item.node->op == other.node->op && item.node->op == Op::append_cache)
                item.level = std::max(item.level, other.level);
}

void order(std::vector<FlowItem>& items) {
    for (int round = 0; round < 2; ++round) {  // once more after siblings have moved
        for (FlowItem& item : items)
            for (std::size_t from : item.from) item.level = std::max(item.level, items[from].level + 1);
        share_levels(items);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
        FlowItem& item = items[i];
        for (std::size_t from : item.from) item.lane += items[from].lane / static_cast<float>(item.from.size());
        if (item.from.size() > 1) continue;
        // One of several that read the same, from inside or from the stream: spread around it.
        std::vector<std::size_t> readers;
        for (std::size_t j = 0; j < items.size(); ++j)
            if (items[j].from == item.from) readers.push_back(j);
        const auto place = std::find(readers.begin(), readers.end(), i) - readers.begin();
        item.lane += static_cast<float>(place) - static_cast<float>(readers.size() - 1) / 2;
    }
}

}  // namespace

std::vector<FlowItem> flow_of(const ModelGraph& graph, std::string_view block, const std::vector<ThingId>& elsewhere) {
    std::vector<FlowItem> items = gather(graph, block, elsewhere);
    order(items);
    return items;
}

}  // namespace headcount
