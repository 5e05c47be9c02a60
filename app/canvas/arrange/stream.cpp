// How a sub-block hangs on the residual stream: its card, its norm, its way back and the sum.
#include <algorithm>
#include <utility>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// The first operation of a block, with those of the blocks inside it; null where none is known.
const Node* first_node(const Sketch& sketch, BlockIndex block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const auto first = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const Node& node) { return graph.inside(node.block, block); });
    return first == graph.nodes.end() ? nullptr : &*first;
}

}  // namespace

bool in_turn(const Sketch& sketch) {
    return sketch.has(mixer_block(sketch) + ".stream");
}

bool shares_norm(const Sketch& sketch) {
    return !in_turn(sketch) && sketch.has(mixer_block(sketch) + ".norm") && !sketch.has("layer.feed_forward.norm");
}

bool norm_after_sum(const Sketch& sketch) {
    return sketch.has(mixer_block(sketch) + ".sum") || sketch.has("layer.feed_forward.sum");
}

namespace {

// The shown layers' own block of this kind, as layouts write it.
std::optional<std::string> block_of_layer(const Sketch& sketch, BlockKind kind) {
    const ModelGraph& graph = sketch.input().model.graph;
    const BlockIndex layer = sketch.layer().block;
    const auto found = std::find_if(graph.blocks.begin(), graph.blocks.end(),
                                    [&](const Block& block) { return block.kind == kind && block.parent == layer; });
    if (found == graph.blocks.end()) return std::nullopt;
    return std::string(main_layer) + found->id.substr(graph.blocks[layer].id.size());
}

// What a product of the shown attention is made from; null where it has no such product.
const Tensor* factor_of(const Sketch& sketch, std::string_view made) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Tensor* const tensor = sketch.find(made);
    const Node* const product =
        tensor ? graph.product_behind(static_cast<TensorIndex>(tensor - graph.tensors.data())) : nullptr;
    return product ? &graph.tensors[product->inputs.front()] : nullptr;
}

}  // namespace

std::string mixer_block(const Sketch& sketch) {
    return block_of_layer(sketch, BlockKind::mixer).value_or(std::string(feed_forward_block));
}

std::optional<std::string> cross_block(const Sketch& sketch) {
    return block_of_layer(sketch, BlockKind::cross);
}

std::string_view memory_of(const Sketch& sketch) {
    const Tensor *const of_queries = factor_of(sketch, "layer.attention.queries"), *const of_keys = factor_of(
                                                                                       sketch, "layer.attention.keys");
    return of_queries && of_keys && of_queries != of_keys ? std::string_view(of_keys->id) : std::string_view();
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

bool makes_memory_anew(const Sketch& sketch) {
    return sketch.input().model.graph.cache == Cache::empty;
}

Component component_of(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Block* const own = sketch.find_block(block);
    const auto tensor = std::find_if(graph.tensors.begin(), graph.tensors.end(), [&](const Tensor& each) {
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

void lay_out_card(Sketch& sketch, const Plan& plan, std::string_view block) {
    const Component component = component_of(sketch, block);
    const Rect box = plan.card(block);
    sketch.frame(component_id(component), box, FrameKind::component, component);
    sketch.door(block, box);
    if (plan.title_row > 0) return sketch.block_title_in_row(block, box);
    // Where what comes in would run through the count, that is not said.
    const bool counted = card_norm_y(sketch, plan, block) >= box.min.y + sketch.px(43);
    sketch.block_title(block, box, counted);
    if (!counted) return;
    const std::int64_t all = sketch.parameters_in(block), active = sketch.active_in(block);
    const Point head{box.min.x + sketch.px(room::padding), box.min.y + sketch.px(7)};
    if (active < all && sketch.says_active())
        sketch.detail({head.x, head.y + sketch.px(32)}, grouped(active) + " active", component_id(component));
}

float card_split(const Sketch& sketch, const Plan& plan, std::string_view block, float scale) {
    const float left = plan.box(block).min.x + sketch.px(room::padding), norm = sketch.thick(plan.dim, scale);
    const float own = plan.second(block) ? plan.feed_forward_header : plan.mixer_header;
    // One line down from the norm that they share, clear of both names.
    const float words = plan.shares_norm ? std::max(plan.mixer_header, plan.feed_forward_header) : own;
    return left + std::max(norm, words) + sketch.px(room::gap);
}

float card_split(const Sketch& sketch, const Plan& plan, std::string_view block) {
    return card_split(sketch, plan, block, plan.scales.layer);
}

float card_norm_y(const Sketch& sketch, const Plan& plan, std::string_view block) {
    const Rect& box = plan.box(block);
    // What comes from another stack passes below the norm and its words.
    const bool passed = !plan.second(block) && !memory_of(sketch).empty();
    const bool normed = sketch.has(std::string(block) + ".norm");
    const float above = plan.title_row > 0 ? 24 : normed ? 62 : 46, below = normed ? 22 : 12;
    const float middle = passed ? box.min.y : box.centre().y;
    return std::min(std::max(middle, box.min.y + sketch.px(above)),
                    box.max.y - sketch.px(below + (passed && !plan.low ? 12 : 0)));
}

namespace {

// The feed-forward reads the norm of attention: down from there, past the way back.
void lay_out_shared_input(Sketch& sketch, const Plan& plan, float y, float until) {
    const std::string norm = plan.mixer_block + ".norm";
    const float x = card_split(sketch, plan, plan.mixer_block), from = plan.mixer.max.y,
                to = plan.card(feed_forward_block).min.y;
    Door& door = sketch.scene.doors.back();
    door.entry = {x, to};
    door.entry_tensor = norm;
    for (Door& other : sketch.scene.doors)
        if (other.block == plan.mixer_block) other.onward = Point{x, from};
    sketch.line({{x, card_norm_y(sketch, plan, plan.mixer_block)}, {x, from}}, norm);
    sketch.line({{x, from}, {x, to - sketch.px(0.5F)}}, norm);
    sketch.line({{x, to}, {x, y}, {until, y}}, norm);
}

}  // namespace

void lay_out_norm(Sketch& sketch, const Plan& plan, std::string_view block, float y, float until) {
    if (plan.second(block) && shares_norm(sketch)) return lay_out_shared_input(sketch, plan, y, until);
    std::string norm = std::string(block) + ".norm";
    float left = plan.mixer.min.x + sketch.px(room::padding);
    const std::string_view source = stream_into(sketch, block);
    sketch.scene.doors.back().entry = {plan.stream_x, y};
    sketch.scene.doors.back().entry_tensor = source;
    if (!sketch.has(norm)) {
        sketch.line({{plan.stream_x, y}, {until, y}}, source);
        return;
    }
    sketch.wire({{plan.stream_x, y}, {left - sketch.px(2), y}}, source);
    Rect bar = sketch.norm_slab(norm, {left, y}, plan.scales.layer);
    if (!plan.low) sketch.norm_words(bar, norm);
    const float from = plan.low ? sketch.norm_words_beside(bar, norm) : bar.max.x;
    if (from < until) sketch.line({{from, y}, {until, y}}, norm);
    if (plan.low) sketch.scene.wires.back().tilted_start = Point{bar.max.x, y};
}

namespace {

// Into the sum on the stream; beside it down to the other sub-block's where they are added together.
void lay_out_sum(Sketch& sketch, const Plan& plan, std::string_view block, const std::string& added, Point from) {
    const float add = sketch.px(8), aside = sketch.px(14);
    if (block == plan.mixer_block && !in_turn(sketch)) {
        const float x = plan.stream_x - aside, y = plan.return_y(feed_forward_block);
        sketch.wire({from, {x, from.y}, {x, y}, {plan.stream_x - add, y}}, added);
        return;
    }
    const std::string name(block);
    const bool normed = norm_after_sum(sketch);
    sketch.wire({from, {plan.stream_x + add, from.y}}, added);
    sketch.mark({plan.stream_x, from.y}, MarkKind::add, name + (normed ? ".sum" : ".stream"));
    if (!normed) return;
    const std::string norm = name + ".output_norm", stream = name + ".stream";
    const Point size = sketch.norm_extent(norm, plan.scales.layer, stream);
    const float left = std::max(plan.stream_x - size.x / 2, plan.layer.min.x + sketch.px(6));
    const float y = from.y + std::min(sketch.px(24), (plan.return_gap - plan.way_back) / 2 + sketch.px(3));
    const Rect bar = sketch.norm_slab(norm, {left, y}, plan.scales.layer, stream);
    sketch.number({std::max(bar.max.x, plan.stream_x) + sketch.px(8), y - sketch.px(8)},
                  "Norm " + norm_size(sketch, norm), norm + ".weight");
}

}  // namespace

void lay_out_return(Sketch& sketch, const Plan& plan, std::string_view block, Point from) {
    std::string output = std::string(block) + ".output";
    const float right = plan.box(block).max.x - sketch.px(7), y = plan.return_y(block);
    float slab_x = plan.mixer.min.x + sketch.px(room::padding);
    float tallest = 2 * (plan.way_back - sketch.px(10));
    Door& door = sketch.scene.doors.back();
    door.exit = {{right, y}};
    float slab_right = slab_x + sketch.thick(sketch.sides(output).columns, plan.scales.layer);
    std::string norm = std::string(block) + ".output_norm";
    // With the norm behind the sub-block, what comes out of it is what is added.
    bool normed = sketch.has(norm);
    std::string added = normed ? norm : output;
    if (normed) {
        // Its offset hangs below it, and both have to be in the gap.
        const float up = sketch.has(norm + ".bias") ? sketch.px(2) : 0;
        Rect bar = sketch.norm_slab(norm, {slab_right + sketch.px(room::normed_back), y - up}, plan.scales.layer);
        sketch.number({bar.max.x + sketch.px(8), y - sketch.px(16)}, "Norm " + norm_size(sketch, norm), norm);
        sketch.wire({from, {right, from.y}, {right, y}, {bar.max.x + sketch.px(2), y}}, output);
        door.exit.push_back({bar.max.x + sketch.px(2), y});
        sketch.line({{bar.min.x, y}, {slab_right, y}}, norm);
    } else {
        sketch.line({from, {right, from.y}, {right, y}, {slab_right + sketch.px(2), y}}, output);
        door.exit.push_back({slab_right + sketch.px(2), y});
    }
    Rect slab = sketch.slab(added, {slab_x, y}, plan.scales.layer, tallest);
    lay_out_sum(sketch, plan, block, added, {slab.min.x, y});
    // Beside the line that goes down to the other sub-block, where there is one.
    const float aside = shares_norm(sketch) && block == plan.mixer_block
                            ? std::max(0.0F, card_split(sketch, plan, plan.mixer_block) - slab.max.x)
                            : 0;
    sketch.number({slab.max.x + aside + sketch.px(8), y - sketch.px(16)}, sketch.shape_text(added), added);
}

}  // namespace headcount
