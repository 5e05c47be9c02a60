// Lays the whole model out: the layer's card with what its two sub-blocks share; the parts are in files of their own.
#include "app/canvas/layout.hpp"

#include <algorithm>
#include <cstdio>

#include "app/canvas/sketch.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// "9.1": how much larger the layer is drawn than the model.
std::string times(float ratio) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, ratio < 10 ? "%.1f" : "%.0f", static_cast<double>(ratio));
    return buffer;
}

// What the kinds of layers are called, from the fullest wording to the shortest.
std::vector<std::string> kind_words(const Sketch& sketch, int brevity) {
    const NumberedGraph& model = sketch.input().model;
    std::vector<std::string> words;
    for (const LayerBlock& layer : model.graph.layers) {
        const Result<std::int64_t> count = evaluate(model.graph.blocks[layer.block].repeat, model.bindings);
        const std::string number = std::to_string(count ? *count : layer.group.count);
        words.push_back(brevity == 0   ? layer.group.label + " (" + number + ")"
                        : brevity == 1 ? layer.group.label
                                       : number);
    }
    return words;
}

// The kinds of layers, to be chosen from, from `right` to the left but not beyond `left`; returns where they begin.
float lay_out_choices(Sketch& sketch, float left, float right, float y) {
    const ModelGraph& graph = sketch.input().model.graph;
    if (graph.layers.size() < 2) return right;
    const float padding = sketch.px(16), apart = sketch.px(4);
    constexpr int briefest = 2;
    for (int brevity = 0; brevity <= briefest; ++brevity) {
        const std::vector<std::string> words = kind_words(sketch, brevity);
        float wide = 0;
        for (const std::string& word : words) wide += sketch.width_of(word, TextRole::caption) + padding + apart;
        if (right - wide < left) continue;
        for (std::size_t i = words.size(); i-- > 0;) {
            const float width = sketch.width_of(words[i], TextRole::caption) + padding;
            const bool chosen = graph.layers[i].block == sketch.layer().block;
            sketch.scene.frames.push_back({.id = graph.blocks[graph.layers[i].block].id,
                                           .rect = {{right - width, y}, {right, y + sketch.px(19)}},
                                           .kind = FrameKind::choice,
                                           .component = Component::norm,
                                           .chosen = chosen});
            sketch.label({right - width / 2, y + sketch.px(2)}, words[i], TextRole::caption,
                         chosen ? Tone::high : Tone::mid, Anchor::centre);
            right -= width + apart;
        }
        return right - sketch.px(8);
    }
    return right;
}

}  // namespace

void lay_out_layer(Sketch& sketch, const Plan& plan) {
    const LayerBlock& shown = sketch.layer();
    const NumberedGraph& model = sketch.input().model;
    const Result<std::int64_t> repeat = evaluate(model.graph.blocks[shown.block].repeat, model.bindings);
    const std::int64_t layers = repeat ? *repeat : shown.group.count;
    sketch.frame(main_layer, plan.layer, FrameKind::layer, Component::norm, model.bindings[Symbol::layers].value_or(1));

    std::int64_t each = 0;
    for (Component component : {Component::attention, Component::feed_forward, Component::norm})
        each += sketch.component_in_layer(component);
    Result<std::int64_t> all = evaluate(Expr(each) * layers, {});
    const float y = plan.layer.min.y + sketch.px(9);
    float x = plan.attention.min.x + sketch.px(room::padding);
    const std::string title = "Layer " + std::to_string(shown.group.first);
    sketch.label({x, y}, title, TextRole::title, Tone::high, Anchor::left, main_layer);
    x += sketch.width_of(title, TextRole::title) + sketch.px(10);
    const float right = lay_out_choices(sketch, x, plan.attention.max.x, y - sketch.px(2));
    const std::string times_layers = grouped(each) + " × " + std::to_string(layers);
    float space = right - x;
    for (const std::string& sum : {times_layers + (all ? " = " + grouped(*all) : ""), times_layers}) {
        const float width = sketch.width_of(sum, TextRole::number);
        if (width > space) continue;
        // Beside the kinds where there are any, else in the card's corner.
        const bool kinds = sketch.input().model.graph.layers.size() > 1;
        sketch.label({right, y + sketch.px(1)}, sum, TextRole::number, Tone::mid, Anchor::right,
                     kinds ? std::string_view() : main_layer);
        space -= width + sketch.px(16);
        break;
    }
    // From the fullest wording to the shortest: the first that fits.
    std::string scale;
    if (plan.scales.layer > plan.scales.model)
        scale = "drawn " + times(plan.scales.layer / plan.scales.model) + "× larger";
    const std::string count = std::to_string(layers), kind = shown.group.label.empty() ? "" : shown.group.label + " ";
    std::vector<std::string> wordings{"the only " + kind + "layer", ""};
    if (layers > 1)
        wordings = {"the first of " + count + " " + kind + "layers" + (kind.empty() ? " with identical shapes" : ""),
                    "× " + count};
    if (!scale.empty()) {
        for (std::string& wording : wordings) wording += wording.empty() ? scale : ", " + scale;
        wordings.push_back(scale);
    }
    for (const std::string& wording : wordings) {
        if (wording.empty() || sketch.width_of(wording, TextRole::caption) > space) continue;
        sketch.label({x, y + sketch.px(1)}, wording, TextRole::caption, Tone::low, Anchor::left, main_layer);
        break;
    }
}

namespace {

// The first operation of a block, with those of the blocks inside it.
const Node& first_node(const Sketch& sketch, BlockIndex block) {
    const ModelGraph& graph = sketch.input().model.graph;
    return *std::find_if(graph.nodes.begin(), graph.nodes.end(),
                         [&](const Node& node) { return graph.inside(node.block, block); });
}

}  // namespace

bool in_turn(const Sketch& sketch) {
    return sketch.has("layer.attention.stream");
}

bool shares_norm(const Sketch& sketch) {
    return !in_turn(sketch) && sketch.has("layer.attention.norm") && !sketch.has("layer.feed_forward.norm");
}

bool norm_after_sum(const Sketch& sketch) {
    return sketch.has("layer.feed_forward.sum");
}

std::string norm_size(const Sketch& sketch, std::string_view norm) {
    std::string weight = sketch.shape_text(std::string(norm) + ".weight");
    std::string bias = sketch.shape_text(std::string(norm) + ".bias");
    if (weight.empty()) return bias.empty() ? "no weights" : bias;
    return bias.empty() ? weight : "2 × " + weight;
}

std::string_view first_stream(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    return graph.tensors[first_node(sketch, graph.layers.front().block).inputs.front()].id;
}

std::string_view last_stream(const Sketch& sketch) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Tensor* stream = graph.find(graph.blocks[graph.layers.back().block].id + ".feed_forward.stream");
    return stream ? std::string_view(stream->id) : std::string_view();
}

std::string_view stream_into(const Sketch& sketch, std::string_view block) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Block* own = sketch.find_block(block);
    return graph.tensors[first_node(sketch, static_cast<BlockIndex>(own - graph.blocks.data())).inputs.front()].id;
}

std::string block_input(const Sketch& sketch, std::string_view block) {
    std::string norm = std::string(block) + ".norm";
    return sketch.has(norm) ? norm : std::string(stream_into(sketch, block));
}

void lay_out_card(Sketch& sketch, const Plan& plan, std::string_view block) {
    const Component component = block == attention_block ? Component::attention : Component::feed_forward;
    const Rect& box = plan.box(block);
    const std::string id = "component." + std::string(component_key(component));
    sketch.frame(id, box, FrameKind::component, component);
    sketch.door(block, box);
    const Point head{box.min.x + sketch.px(room::padding), box.min.y + sketch.px(7)};
    sketch.label({head.x + sketch.px(16), head.y}, std::string(component_name(component)), TextRole::title, Tone::high,
                 Anchor::left, id);
    const std::int64_t all = sketch.component_in_layer(component), active = sketch.active_in_layer(component);
    sketch.label({head.x, head.y + sketch.px(18)}, grouped(all), TextRole::number, Tone::mid, Anchor::left, id);
    if (active < all)
        sketch.label({head.x, head.y + sketch.px(32)}, grouped(active) + " active", TextRole::number, Tone::low,
                     Anchor::left, id);
}

float card_split(const Sketch& sketch, const Plan& plan, std::string_view block, float scale) {
    const float left = plan.box(block).min.x + sketch.px(room::padding), norm = sketch.thick(plan.dim, scale);
    const float own = block == attention_block ? plan.attention_header : plan.feed_forward_header;
    // One line down from the norm that they share, clear of both names.
    const float words = plan.shares_norm ? std::max(plan.attention_header, plan.feed_forward_header) : own;
    return left + std::max(norm, words) + sketch.px(room::gap);
}

float card_split(const Sketch& sketch, const Plan& plan, std::string_view block) {
    return card_split(sketch, plan, block, plan.scales.layer);
}

float card_norm_y(const Sketch& sketch, const Plan& plan, std::string_view block) {
    const Rect& box = plan.box(block);
    return std::min(std::max(box.centre().y, box.min.y + sketch.px(62)), box.max.y - sketch.px(22));
}

namespace {

// The feed-forward reads the norm of attention: down from there, past the way back.
void lay_out_shared_input(Sketch& sketch, const Plan& plan, float y, float until) {
    constexpr std::string_view norm = "layer.attention.norm";
    const float x = card_split(sketch, plan, attention_block), from = plan.attention.max.y,
                to = plan.feed_forward.min.y;
    Door& door = sketch.scene.doors.back();
    door.entry = {x, to};
    door.entry_tensor = norm;
    for (Door& other : sketch.scene.doors)
        if (other.block == attention_block) other.onward = Point{x, from};
    sketch.wire({{x, card_norm_y(sketch, plan, attention_block)}, {x, from}}, norm, false, false);
    sketch.wire({{x, from}, {x, to - sketch.px(0.5F)}}, norm, false, false);
    sketch.wire({{x, to}, {x, y}, {until, y}}, norm, false, false);
}

}  // namespace

void lay_out_norm(Sketch& sketch, const Plan& plan, std::string_view block, float y, float until) {
    if (block == feed_forward_block && shares_norm(sketch)) return lay_out_shared_input(sketch, plan, y, until);
    std::string norm = std::string(block) + ".norm";
    float left = plan.attention.min.x + sketch.px(room::padding);
    const std::string_view source = stream_into(sketch, block);
    sketch.scene.doors.back().entry = {plan.stream_x, y};
    sketch.scene.doors.back().entry_tensor = source;
    if (!sketch.has(norm)) {
        sketch.wire({{plan.stream_x, y}, {until, y}}, source, false, false);
        return;
    }
    sketch.wire({{plan.stream_x, y}, {left - sketch.px(2), y}}, source);
    Rect bar = sketch.norm_slab(norm, {left, y}, plan.scales.layer);
    bool bias = sketch.has(norm + ".bias");
    sketch.label({bar.min.x, bar.min.y - sketch.px(18)}, "Norm", TextRole::name, Tone::high, Anchor::left, norm);
    sketch.label({bar.min.x, bar.max.y + sketch.px(bias ? 12 : 4)}, norm_size(sketch, norm), TextRole::number,
                 Tone::mid, Anchor::left, norm);
    sketch.wire({{bar.max.x, y}, {until, y}}, norm, false, false);
}

namespace {

// Into the sum on the stream; beside it down to the other sub-block's where they are added together.
void lay_out_sum(Sketch& sketch, const Plan& plan, std::string_view block, const std::string& added, Point from) {
    const float add = sketch.px(8), aside = sketch.px(14);
    if (block == attention_block && !in_turn(sketch)) {
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
    const float y = from.y + sketch.px(24);
    const Rect bar = sketch.norm_slab(norm, {left, y}, plan.scales.layer, stream);
    sketch.label({std::max(bar.max.x, plan.stream_x) + sketch.px(8), y - sketch.px(8)},
                 "Norm " + norm_size(sketch, norm), TextRole::number, Tone::mid, Anchor::left, norm + ".weight");
}

}  // namespace

void lay_out_return(Sketch& sketch, const Plan& plan, std::string_view block, Point from) {
    std::string output = std::string(block) + ".output";
    const float right = plan.box(block).max.x - sketch.px(7), y = plan.return_y(block);
    float slab_x = plan.attention.min.x + sketch.px(room::padding);
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
        sketch.label({bar.max.x + sketch.px(8), y - sketch.px(16)}, "Norm " + norm_size(sketch, norm), TextRole::number,
                     Tone::mid, Anchor::left, norm);
        sketch.wire({from, {right, from.y}, {right, y}, {bar.max.x + sketch.px(2), y}}, output);
        door.exit.push_back({bar.max.x + sketch.px(2), y});
        sketch.wire({{bar.min.x, y}, {slab_right, y}}, norm, false, false);
    } else {
        sketch.wire({from, {right, from.y}, {right, y}, {slab_right + sketch.px(2), y}}, output, false, false);
        door.exit.push_back({slab_right + sketch.px(2), y});
    }
    Rect slab = sketch.slab(added, {slab_x, y}, plan.scales.layer, tallest);
    lay_out_sum(sketch, plan, block, added, {slab.min.x, y});
    // Beside the line that goes down to the other sub-block, where there is one.
    const float aside = shares_norm(sketch) && block == attention_block
                            ? std::max(0.0F, card_split(sketch, plan, attention_block) - slab.max.x)
                            : 0;
    sketch.label({slab.max.x + aside + sketch.px(8), y - sketch.px(16)}, sketch.shape_text(added), TextRole::number,
                 Tone::mid, Anchor::left, added);
}

LayoutInput other_side_of(const LayoutInput& input) {
    const Beside beside = input.beside.value_or(Beside{});
    return {.model = input.base,
            .base = input.model,
            .area = input.area,
            .unit = input.unit,
            .text_width = input.text_width,
            .bytes_per_number = input.bytes_per_number,
            .log_sides = input.log_sides,
            .chunked = input.chunked,
            .layer = beside.layer,
            .beside = Beside{!beside.second, input.layer}};
}

Scene layout_model(const LayoutInput& input) {
    Sketch sketch(input);
    Plan plan = plan_model(sketch, input.area);
    sketch.scene.model_scale = plan.scales.model;
    sketch.scene.layer_scale = plan.scales.layer;
    lay_out_layer(sketch, plan);
    lay_out_embedding(sketch, plan);
    is_latent(sketch) ? lay_out_latent(sketch, plan) : lay_out_attention(sketch, plan);
    is_mixture(sketch) ? lay_out_mixture(sketch, plan) : lay_out_feed_forward(sketch, plan);
    lay_out_ends(sketch, plan);
    sketch.drop_crowded_labels();
    return sketch.finished();
}

std::optional<ThingId> pick(const Scene& scene, Point point) {
    // Thin slabs are hard to hit, so each may be missed by two pixels; the nearest in drawing order wins.
    constexpr float slack = 2;
    for (auto slab = scene.slabs.rbegin(); slab != scene.slabs.rend(); ++slab) {
        Rect grown{{slab->rect.min.x - slack, slab->rect.min.y - slack},
                   {slab->rect.max.x + slack, slab->rect.max.y + slack}};
        if (grown.contains(point)) return slab->id;
    }
    for (auto frame = scene.frames.rbegin(); frame != scene.frames.rend(); ++frame)
        if (frame->kind == FrameKind::component && frame->rect.contains(point)) return frame->id;
    return std::nullopt;
}

}  // namespace headcount
