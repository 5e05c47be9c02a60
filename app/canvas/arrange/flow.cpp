// Levels from left to right by what an operation needs, lanes by how many read the same.
#include "app/canvas/arrange/flow.hpp"

#include <algorithm>
#include <utility>

#include "core/base/find.hpp"

namespace headcount {
namespace {

// Gathers a block's operations. A block inside it that is not repeated is no place of its own.
class Gathering {
  public:
    Gathering(const ModelGraph& graph, std::string_view block, const std::vector<ThingId>& elsewhere)
        : graph_(graph),
          own_(static_cast<BlockIndex>(graph.find_block(block) - graph.blocks.data())),
          elsewhere_(elsewhere) {}

    std::vector<FlowItem> items() {
        for (const Node& node : graph_.nodes)
            if (graph_.inside(node.block, own_) && !is_onto_stream(node)) add(node);
        for (FlowItem& item : items_) join(item);
        return std::move(items_);
    }

  private:
    // The repeated block of this one that holds another; null where there is none.
    const Block* child_with(BlockIndex inner) const {
        const Block* child = nullptr;
        for (; inner != own_; inner = *graph_.blocks[inner].parent)
            if (!(graph_.blocks[inner].repeat == Expr(1))) child = &graph_.blocks[inner];
        return child;
    }

    bool is_onto_stream(const Node& node) const {
        return node.op == Op::add || (node.op == Op::sum && is_stream(graph_.tensors[node.output]));
    }

    bool comes_beside(TensorIndex input) const {
        const Tensor& tensor = graph_.tensors[input];
        return graph_.is_for_all_layers(input) || (tensor.role == Role::input && graph_.inside(tensor.block, own_));
    }

    // Before what reads it, which is the last item where that is a block already.
    void bring(TensorIndex input, const Block* reader) {
        if (!comes_beside(input)) return;
        if (std::ranges::any_of(items_, [&](const FlowItem& item) { return item.output == input; })) return;
        const bool begun = reader && !items_.empty() && items_.back().block == reader;
        items_.insert(items_.end() - (begun ? 1 : 0), {.output = input, .brought = true});
    }

    void add(const Node& node) {
        const Block* child = child_with(node.block);
        // Of what is for all layers a layer's own columns stand for it.
        const bool own_columns = node.op == Op::take_columns && comes_beside(node.inputs.front());
        for (const TensorIndex input : node.inputs)
            if (!own_columns) bring(input, child);
        std::vector<TensorIndex> held;
        for (TensorIndex parameter : node.parameters)
            if (child && child_with_or_outside(graph_.tensors[parameter].block) != child) held.push_back(parameter);
        if (child && !items_.empty() && items_.back().block == child) {
            FlowItem& item = items_.back();
            item.inputs.insert(item.inputs.end(), node.inputs.begin(), node.inputs.end());
            item.held.insert(item.held.end(), held.begin(), held.end());
            item.output = node.output;
            return;
        }
        FlowItem item{.node = child ? nullptr : &node, .block = child, .inputs = node.inputs, .output = node.output};
        item.held = std::move(held);
        item.brought = own_columns;
        item.low = !child && graph_.tensors[node.output].role == Role::state && node.op == Op::keep_window;
        const std::string& id = graph_.tensors[node.output].id;
        item.output_elsewhere = contains(elsewhere_, id);
        // A norm on the way back to the stream is drawn there, or on it.
        if (node.op == Op::norm && (item.output_elsewhere || is_stream(graph_.tensors[node.output]))) return;
        items_.push_back(std::move(item));
    }

    const Block* child_with_or_outside(BlockIndex block) const {
        return graph_.inside(block, own_) ? child_with(block) : nullptr;
    }

    void join(FlowItem& item) {
        for (TensorIndex input : item.inputs) {
            const auto made = std::ranges::find_if(
                items_, [&](const FlowItem& other) { return other.output == input && &other != &item; });
            const Node* producer = graph_.producer(input);
            const bool within = item.block && producer && child_with_or_outside(producer->block) == item.block;
            if (made == items_.end() && comes_beside(input)) continue;
            if (made == items_.end()) {
                item.from_outside = item.from_outside || !within;
                item.from_other_stack =
                    item.from_other_stack || (item.node && producer && graph_.stack_of(producer->block) != stack_);
                continue;
            }
            const auto index = static_cast<std::size_t>(made - items_.begin());
            if (!contains(item.from, index)) item.from.push_back(index);
        }
        if (!item.block || item.block->repeat == item.block->runs) return;
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (items_[i].node && items_[i].node->op == Op::route) item.chosen_by = i;
    }

    const ModelGraph& graph_;
    BlockIndex own_, stack_ = graph_.stack_of(own_);
    const std::vector<ThingId>& elsewhere_;
    std::vector<FlowItem> items_;
};

// Those that do the same to siblings stand in one column.
void share_levels(std::vector<FlowItem>& items) {
    for (FlowItem& item : items)
        for (const FlowItem& other : items)
            if (item.node && other.node && item.node->op == other.node->op && item.node->op == Op::append_cache)
                item.level = std::max(item.level, other.level);
}

// What the stream and another stack's output are multiplied with stands in one column, right of the norm.
void begin_beside(std::vector<FlowItem>& items) {
    const bool normed = std::ranges::any_of(
        items, [](const FlowItem& item) { return item.from_outside && item.node && item.node->op == Op::norm; });
    for (FlowItem& item : items)
        if (item.from_other_stack && normed) item.level = 1;
}

int assign_levels(std::vector<FlowItem>& items) {
    int last = 0;
    begin_beside(items);
    for (int round = 0; round < 3; ++round) {  // again after siblings have moved
        for (FlowItem& item : items) {
            for (std::size_t from : item.from) item.level = std::max(item.level, items[from].level + 1);
            if (item.chosen_by) item.level = std::max(item.level, items[*item.chosen_by].level + 1);
            // Behind what is kept, so that it hides nothing of that.
            for (const FlowItem& other : items)
                if (item.block && other.node && other.node->op == Op::keep_window)
                    item.level = std::max(item.level, other.level + 1);
            last = std::max(last, item.level);
        }
        share_levels(items);
    }
    // What is brought stands before what reads it.
    for (std::size_t i = 0; i < items.size(); ++i)
        for (const FlowItem& reader : items)
            if (items[i].brought && contains(reader.from, i)) items[i].level = std::max(0, reader.level - 1);
    return last;
}

// Whether something flows past this column.
bool passed(const std::vector<FlowItem>& items, int level) {
    return std::ranges::any_of(items, [&](const FlowItem& item) {
        return item.level > level &&
               ((item.from_outside && level >= 0 && item.level > 0) ||
                std::ranges::any_of(item.from, [&](std::size_t from) { return items[from].level < level; }));
    });
}

// Where an item would stand: in the middle of what it reads, one of several that read the same spread around it.
float wished_lane(const std::vector<FlowItem>& items, std::size_t index) {
    const FlowItem& item = items[index];
    float lane = 0;
    auto sources = item.from;
    if (item.chosen_by) sources.push_back(*item.chosen_by);
    for (std::size_t from : sources) lane += items[from].lane / static_cast<float>(sources.size());
    if (item.node && item.node->op == Op::keep_window) return lane + 0.5F;  // clear of the line that goes on
    if (item.chosen_by) return lane + 0.5F;                                 // below what decides
    if (item.from.size() > 1 || item.from_other_stack) return lane;
    std::vector<std::size_t> readers;
    for (std::size_t j = 0; j < items.size(); ++j)
        if (items[j].from == item.from && items[j].level == item.level) readers.push_back(j);
    // Alone in its column, the router leaves the middle to what goes on to the experts.
    const bool routes =
        item.node && std::ranges::any_of(items, [&](const FlowItem& other) {
            return other.node && other.node->op == Op::route && other.node->inputs.front() == item.output;
        });
    if (routes && readers.size() == 1) return lane - 0.75F;
    const auto place = std::ranges::find(readers, index) - readers.begin();
    return lane + static_cast<float>(place) - static_cast<float>(readers.size() - 1) / 2;
}

// Pushes the items of a column apart where they are too near, and leaves their middle where it is.
void assign_lanes(std::vector<FlowItem>& items, int level) {
    std::vector<std::size_t> column;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].level == level) column.push_back(i);
    float wished = 0, placed = 0;
    for (std::size_t i : column) items[i].alone = column.size() == 1 && !passed(items, level);
    for (std::size_t i : column) wished += items[i].lane = wished_lane(items, i);
    std::ranges::stable_sort(column, [&](std::size_t a, std::size_t b) { return items[a].lane < items[b].lane; });
    for (std::size_t i = 1; i < column.size(); ++i) {
        FlowItem& item = items[column[i]];
        const FlowItem& above = items[column[i - 1]];
        item.lane = std::max(item.lane, above.lane + half_lanes(above) + half_lanes(item));
    }
    for (std::size_t i : column) placed += items[i].lane;
    for (std::size_t i : column) items[i].lane += (wished - placed) / static_cast<float>(column.size());
}

}  // namespace

std::vector<FlowItem> flow_of(const ModelGraph& graph, std::string_view block, const std::vector<ThingId>& elsewhere) {
    std::vector<FlowItem> items = Gathering(graph, block, elsewhere).items();
    const int last = assign_levels(items);
    for (int level = 0; level <= last; ++level) assign_lanes(items, level);
    return items;
}

}  // namespace headcount
