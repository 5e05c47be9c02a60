// Lays the whole model out: the layer's card with what its two sub-blocks share; the parts are in files of their own.
#include "app/canvas/layout.hpp"

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

void lay_out_layer(Sketch& sketch, const Plan& plan) {
    std::int64_t layers = sketch.input().model.bindings[Symbol::layers].value_or(1);
    sketch.frame("layer", plan.layer, FrameKind::layer, Component::norm, layers);

    std::int64_t each = sketch.component_in_layer(Component::attention) +
                        sketch.component_in_layer(Component::feed_forward) + sketch.component_in_layer(Component::norm);
    Result<std::int64_t> all = evaluate(Expr(each) * layers, {});
    std::string sum = grouped(each) + " × " + std::to_string(layers) + (all ? " = " + grouped(*all) : "");
    float y = plan.layer.min.y + sketch.px(9);
    float right = plan.attention.max.x;
    sketch.label({right, y + sketch.px(1)}, sum, TextRole::number, Tone::mid, Anchor::right, "layer");

    float x = plan.attention.min.x + sketch.px(room::padding);
    sketch.label({x, y}, "Layer 0", TextRole::title, Tone::high, Anchor::left, "layer");
    x += sketch.width_of("Layer 0", TextRole::title) + sketch.px(10);
    float space = right - sketch.width_of(sum, TextRole::number) - sketch.px(16) - x;
    // From the fullest wording to the shortest: the first that fits.
    std::string scale;
    if (plan.scales.layer > plan.scales.model)
        scale = "drawn " + times(plan.scales.layer / plan.scales.model) + "× larger";
    std::string count = std::to_string(layers);
    std::vector<std::string> wordings{"the only layer", ""};
    if (layers > 1) wordings = {"the first of " + count + " layers with identical shapes", "× " + count};
    if (!scale.empty()) {
        for (std::string& wording : wordings) wording += wording.empty() ? scale : ", " + scale;
        wordings.push_back(scale);
    }
    for (const std::string& wording : wordings) {
        if (wording.empty() || sketch.width_of(wording, TextRole::caption) > space) continue;
        sketch.label({x, y + sketch.px(1)}, wording, TextRole::caption, Tone::low, Anchor::left, "layer");
        break;
    }
}

}  // namespace

std::string norm_size(const Sketch& sketch, std::string_view norm) {
    std::string weight = sketch.shape_text(std::string(norm) + ".weight");
    std::string bias = sketch.shape_text(std::string(norm) + ".bias");
    if (weight.empty()) return bias.empty() ? "no weights" : bias;
    return bias.empty() ? weight : "2 × " + weight;
}

std::string_view first_stream(const Sketch& sketch) {
    return sketch.has("positioned") ? "positioned" : "embedded";
}

std::string_view stream_into(const Sketch& sketch, std::string_view block) {
    return block == "layer.attention" ? first_stream(sketch) : "layer.attention.stream";
}

std::string block_input(const Sketch& sketch, std::string_view block) {
    std::string norm = std::string(block) + ".norm";
    return sketch.has(norm) ? norm : std::string(stream_into(sketch, block));
}

Point lay_out_norm(Sketch& sketch, const Plan& plan, std::string_view block, float y, float until) {
    std::string norm = std::string(block) + ".norm";
    float left = plan.attention.min.x + sketch.px(room::padding);
    const std::string_view source = stream_into(sketch, block);
    sketch.scene.doors.back().entry = {plan.stream_x, y};
    sketch.scene.doors.back().entry_tensor = source;
    if (!sketch.has(norm)) {
        sketch.wire({{plan.stream_x, y}, {until, y}}, source, false, false);
        return {until, y};
    }
    sketch.wire({{plan.stream_x, y}, {left - sketch.px(2), y}}, source);
    Rect bar = sketch.norm_slab(norm, {left, y}, plan.scales.layer);
    bool bias = sketch.has(norm + ".bias");
    sketch.label({bar.min.x, bar.min.y - sketch.px(18)}, "Norm", TextRole::name, Tone::high, Anchor::left, norm);
    sketch.label({bar.min.x, bar.max.y + sketch.px(bias ? 12 : 4)}, norm_size(sketch, norm), TextRole::number,
                 Tone::mid, Anchor::left, norm);
    sketch.wire({{bar.max.x, y}, {until, y}}, norm, false, false);
    return {until, y};
}

void lay_out_return(Sketch& sketch, const Plan& plan, std::string_view block, Point from, float right, float y) {
    std::string output = std::string(block) + ".output", sum = std::string(block) + ".stream";
    float slab_x = plan.attention.min.x + sketch.px(room::padding);
    float tallest = plan.return_gap - sketch.px(16);
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
        Rect bar = sketch.norm_slab(norm, {slab_right + sketch.px(120), y - up}, plan.scales.layer);
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
    float add = sketch.px(8);
    sketch.wire({{slab.min.x, y}, {plan.stream_x + add, y}}, added);
    sketch.label({slab.max.x + sketch.px(8), y - sketch.px(16)}, sketch.shape_text(added), TextRole::number, Tone::mid,
                 Anchor::left, added);
    sketch.mark({plan.stream_x, y}, MarkKind::add, sum);
}

Scene layout_model(const LayoutInput& input) {
    Sketch sketch(input);
    Plan plan = plan_model(sketch, input.area);
    sketch.scene.model_scale = plan.scales.model;
    sketch.scene.layer_scale = plan.scales.layer;
    lay_out_layer(sketch, plan);
    lay_out_embedding(sketch, plan);
    lay_out_attention(sketch, plan);
    lay_out_feed_forward(sketch, plan);
    lay_out_ends(sketch, plan);
    sketch.drop_crowded_labels();
    return std::move(sketch.scene);
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
