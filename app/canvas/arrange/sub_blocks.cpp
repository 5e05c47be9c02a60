// Which sub-blocks a layer has, and what flows into them and from one to another.
#include <algorithm>
#include <utility>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/find.hpp"

namespace headcount {
namespace {

// The first operation of a block, with those of the blocks inside it; null where none is known.
const Node* first_node(const Sketch& sketch, BlockIndex block) {
    const ModelGraph& graph = sketch.input().model.graph;
    return find_if_in(graph.nodes, [&](const Node& node) { return graph.inside(node.block, block); });
}

}  // namespace

bool in_turn(const Sketch& sketch) { return sketch.has(mixer_block(sketch) + ".stream"); }

bool shares_norm(const Sketch& sketch) {
    return !in_turn(sketch) && sketch.has(mixer_block(sketch) + ".norm") && !sketch.has("layer.feed_forward.norm");
}

bool norm_after_sum(const Sketch& sketch) {
    return sketch.has(mixer_block(sketch) + ".sum") || sketch.has("layer.feed_forward.sum");
}

namespace {

// A block of the shown layers, as layouts write it.
std::string in_main_layer(const Sketch& sketch, BlockIndex block) {
    const ModelGraph& graph = sketch.input().model.graph;
    return std::string(main_layer) + graph.blocks[block].id.substr(graph.blocks[sketch.layer().block].id.size());
}

// The shown layers' own block of this kind.
std::optional<std::string> block_of_layer(const Sketch& sketch, BlockKind kind) {
    const ModelGraph& graph = sketch.input().model.graph;
    const BlockIndex layer = sketch.layer().block;
    const auto found = std::ranges::find_if(
        graph.blocks, [&](const Block& block) { return block.kind == kind && block.parent == layer; });
    if (found == graph.blocks.end()) return std::nullopt;
    return in_main_layer(sketch, static_cast<BlockIndex>(found - graph.blocks.begin()));
}

}  // namespace

const Node* made_for(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    if (!first_node(sketch, static_cast<BlockIndex>(sketch.find_block(block) - graph.blocks.data()))) return nullptr;
    const std::string_view source = stream_into(sketch, block);
    const Tensor* const read = graph.find(source);
    const Node* const made = graph.producer(static_cast<TensorIndex>(read - graph.tensors.data()));
    const BlockIndex layer = sketch.layer().block;
    if (!made || !graph.inside(made->block, layer) || is_stream(*read)) return nullptr;
    return made->block != layer || made->op == Op::sum ? made : nullptr;
}

std::string maker_of(const Sketch& sketch, TensorIndex tensor) {
    const ModelGraph& graph = sketch.input().model.graph;
    const BlockIndex layer = sketch.layer().block;
    BlockIndex block = graph.tensors[tensor].block;
    if (block == layer || !graph.inside(block, layer)) return "";
    while (graph.blocks[block].parent != layer) block = *graph.blocks[block].parent;
    return in_main_layer(sketch, block);
}

bool is_read_by_another(const Sketch& sketch, std::string_view block) {
    return std::ranges::any_of(sub_blocks(sketch), [&](const std::string& reader) {
        const Node* const made = made_for(sketch, reader);
        if (!made) return false;
        const std::vector<TensorIndex> read = made->op == Op::sum ? made->inputs : std::vector{made->output};
        return std::ranges::any_of(read, [&](TensorIndex each) { return maker_of(sketch, each) == block; });
    });
}

std::string made_in(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Block* const found = sketch.find_block(block);
    if (!found) return {};
    const auto own = static_cast<BlockIndex>(found - graph.blocks.data());
    const Tensor* const output = sketch.find(std::string(block) + ".output");
    const auto makes = [&](const Node& node) {
        if (!graph.inside(node.block, own)) return false;
        return !output || (node.op == Op::linear && &graph.tensors[node.inputs.front()] == output);
    };
    const auto last = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(), makes);
    return last == graph.nodes.rend() ? output->id : graph.tensors[last->output].id;
}

std::string mixer_block(const Sketch& sketch) {
    return block_of_layer(sketch, BlockKind::mixer).value_or(std::string(feed_forward_block));
}

std::optional<std::string> cross_block(const Sketch& sketch) { return block_of_layer(sketch, BlockKind::cross); }

std::vector<std::string> sub_blocks(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    std::vector<std::string> blocks;
    for (std::size_t i = 0; i < graph.blocks.size(); ++i)
        if (graph.blocks[i].parent == sketch.layer().block)
            blocks.push_back(in_main_layer(sketch, static_cast<BlockIndex>(i)));
    return blocks;
}

std::string_view memory_of(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const auto own = static_cast<BlockIndex>(sketch.find_block(block) - graph.blocks.data());
    const BlockIndex stack = graph.stack_of(own);
    for (const Node& node : graph.nodes)
        for (const TensorIndex input : node.inputs) {
            const Node* const producer = graph.inside(node.block, own) ? graph.producer(input) : nullptr;
            if (producer && graph.is(graph.stack_of(producer->block), BlockKind::stack) &&
                graph.stack_of(producer->block) != stack)
                return graph.tensors[input].id;
        }
    return {};
}

const Tensor* made_for_others(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    const BlockIndex own = graph.stack_of(sketch.layer().block);
    if (!graph.is(own, BlockKind::stack)) return nullptr;
    for (const Node& node : graph.nodes)
        for (const TensorIndex input : node.inputs)
            if (graph.stack_of(graph.tensors[input].block) == own && graph.stack_of(node.block) != own &&
                graph.is(graph.stack_of(node.block), BlockKind::stack))
                return &graph.tensors[input];
    return nullptr;
}

bool makes_memory_anew(const Sketch& sketch) { return sketch.input().model.graph.cache == Cache::empty; }

Component component_of(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Block* const own = sketch.find_block(block);
    const auto tensor = std::ranges::find_if(graph.tensors, [&](const Tensor& each) {
        return each.component != Component::norm && &graph.blocks[each.block] == own;
    });
    return tensor->component;
}

std::string norm_size(const Sketch& sketch, std::string_view norm) {
    std::string weight = sketch.shape_text(std::string(norm) + ".weight");
    std::string bias = sketch.shape_text(std::string(norm) + ".bias");
    if (weight.empty()) return bias.empty() ? "no weights" : bias;
    return bias.empty() ? weight : "2 × " + weight;
}

namespace {

// Of the kinds of layers those of the shown stack: the first, and the last.
std::pair<std::size_t, std::size_t> kinds_of_stack(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    const auto shown = [&](std::size_t kind) {
        return graph.stack_of(graph.layers[kind].block) == graph.stack_of(sketch.layer().block);
    };
    std::size_t first = 0, last = graph.layers.size() - 1;
    while (!shown(first)) ++first;
    while (!shown(last)) --last;
    return {first, last};
}

}  // namespace

std::string_view first_stream(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    const BlockIndex layer = graph.layers[kinds_of_stack(sketch).first].block;
    const Node* const first = first_node(sketch, layer);
    return graph.tensors[first ? first->inputs.front() : graph.before_layers(graph.stack_of(layer))].id;
}

std::string_view last_stream(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    return graph.tensors[graph.last_of(kinds_of_stack(sketch).second)].id;
}

std::string_view stream_into(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Block* own = sketch.find_block(block);
    return graph.tensors[first_node(sketch, static_cast<BlockIndex>(own - graph.blocks.data()))->inputs.front()].id;
}

std::string block_input(const Sketch& sketch, std::string_view block) {
    std::string norm = std::string(block) + ".norm";
    return sketch.has(norm) ? norm : std::string(stream_into(sketch, block));
}

}  // namespace headcount
