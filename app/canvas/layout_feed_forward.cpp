// The feed-forward in one layer: norm, gate and up (or up alone), the hidden activation, down, and back to the stream.
#include <algorithm>

#include "app/canvas/sketch.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view hidden = "layer.feed_forward.hidden", down = "layer.feed_forward.down.weight";

}  // namespace

float up_labels(const Sketch& sketch, int lines) {
    return std::max(sketch.label_width("layer.feed_forward.gate.weight", lines),
                    sketch.label_width("layer.feed_forward.up.weight", lines));
}

float hidden_labels(const Sketch& sketch, int lines) {
    return std::max(sketch.label_width(hidden, 2), sketch.label_width(down, std::max(lines, 2))) + sketch.px(room::gap);
}

void lay_out_feed_forward(Sketch& sketch, const Plan& plan) {
    using namespace room;
    const Rect& box = plan.feed_forward;
    float scale = plan.scales.layer;
    bool gated = sketch.has("layer.feed_forward.gate.weight"), bias = sketch.has("layer.feed_forward.up.bias");
    sketch.frame("component.feed_forward", box, FrameKind::component, Component::feed_forward);
    Point head{box.min.x + sketch.px(padding), box.min.y + sketch.px(7)};
    sketch.label({head.x + sketch.px(16), head.y}, "Feed-forward", TextRole::title, Tone::high, Anchor::left,
                 "component.feed_forward");
    sketch.label({head.x, head.y + sketch.px(18)}, grouped(sketch.component_in_layer(Component::feed_forward)),
                 TextRole::number, Tone::mid, Anchor::left, "component.feed_forward");

    float middle = box.centre().y;
    float norm_y = std::min(std::max(middle, box.min.y + sketch.px(62)), box.max.y - sketch.px(22));
    float norm_right = box.min.x + sketch.px(padding) + sketch.thick(sketch.value(Symbol::dim), scale);
    float split = std::max(norm_right + sketch.px(gap),
                           box.min.x + sketch.px(padding + gap) + sketch.header_width(Component::feed_forward));
    lay_out_norm(sketch, plan, "layer.feed_forward", norm_y, split);

    // Gate above up, the pair around the middle.
    float left = split + plan.arrow;
    float width = sketch.thick(sketch.sides("layer.feed_forward.up.weight", true).columns, scale);
    float lane = (box.height() - sketch.px(12)) / (gated ? 2.0F : 1.0F);
    float apply_x = left + width + sketch.px(operation / 2);
    int lines = plan.feed_forward_lines;
    bool large = sketch.thick(sketch.sides("layer.feed_forward.up.weight").rows, scale) >= sketch.label_height(2);
    bool labels_outside = width < up_labels(sketch, large ? 2 : 1) + sketch.px(16);
    if (labels_outside) apply_x += up_labels(sketch, lines) + sketch.px(8);
    std::vector<std::string_view> names{"layer.feed_forward.up"};
    if (gated) names.insert(names.begin(), "layer.feed_forward.gate");
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string weight = std::string(names[i]) + ".weight";
        float y = box.min.y + sketch.px(6) + lane * (static_cast<float>(i) + 0.5F);
        if (gated) {  // closer to the middle than the lanes' centres where there is room
            float near = std::max(sketch.thick(sketch.sides(weight, true).rows, scale) / 2 + sketch.px(5),
                                  sketch.label_height(lines) / 2 + sketch.px(1));
            y = middle + (i == 0 ? -1.0F : 1.0F) * std::min(lane / 2, near);
        }
        sketch.wire({{split, norm_y}, {split, y}, {left - sketch.px(2), y}}, "layer.feed_forward.norm");
        Rect slab = sketch.slab(weight, {left, y}, scale);
        sketch.bias_below(std::string(names[i]) + ".bias", slab, scale);
        sketch.tensor_label_in(weight, slab, {slab.max.x + sketch.px(8), y - sketch.label_height(lines) / 2}, lines);
        if (!labels_outside && lines > 2 && slab.height() < sketch.label_height(3) + sketch.px(2)) {
            // Two lines are inside; the count goes to the far side of the pair.
            float far = gated && i == 0 ? slab.min.y - sketch.px(16) : slab.max.y + sketch.px(bias ? 11 : 3);
            sketch.label({slab.min.x, far}, grouped(sketch.count(*sketch.find(weight))), TextRole::number, Tone::low,
                         Anchor::left, weight);
        }
        float out = labels_outside ? slab.max.x + sketch.px(14) + sketch.label_width(weight, lines) : slab.max.x;
        if (gated && y != middle)
            sketch.wire({{out, y}, {apply_x, y}, {apply_x, middle + (i == 0 ? -1.0F : 1.0F) * sketch.px(8)}}, names[i]);
        else
            sketch.wire({{out, y}, {apply_x - sketch.px(8), y}}, names[i]);
    }
    sketch.mark({apply_x, middle}, gated ? MarkKind::multiply : MarkKind::apply, hidden);

    float down_width = sketch.thick(sketch.sides(down, true).columns, scale);
    float down_x = box.max.x - sketch.px(padding + 8) - down_width;
    float hidden_x = apply_x + sketch.px(operation / 2 + 4);
    float slack =
        down_x - hidden_x - sketch.thick(sketch.sides(hidden, true).columns, scale) - hidden_labels(sketch, lines);
    hidden_x += std::max(0.0F, slack) / 3;
    float tallest = std::max(box.height() - sketch.px(84), sketch.px(2 * least_side));
    Rect made = sketch.slab(hidden, {hidden_x, middle}, scale, tallest);
    sketch.wire({{apply_x + sketch.px(8), middle}, {made.min.x, middle}}, hidden, false, false);
    Rect weight = sketch.slab(down, {down_x, middle}, scale);
    sketch.bias_below("layer.feed_forward.down.bias", weight, scale);
    sketch.wire({{made.max.x, middle}, {weight.min.x - sketch.px(2), middle}}, hidden);
    sketch.label({made.min.x, made.min.y - sketch.px(34)}, "Hidden", TextRole::name, Tone::high, Anchor::left, hidden);
    sketch.label({made.min.x, made.min.y - sketch.px(17)}, sketch.shape_text(hidden), TextRole::number, Tone::mid,
                 Anchor::left, hidden);
    float below = box.max.y - made.max.y - sketch.px(5);
    int down_lines = below > sketch.label_height(3) ? 3 : 2;
    sketch.tensor_label(down, {weight.min.x - sketch.px(8), made.max.y + sketch.px(5)}, down_lines, Anchor::right);
    lay_out_return(sketch, plan, "layer.feed_forward", {weight.max.x, middle}, box.max.x - sketch.px(7),
                   box.max.y + plan.return_gap / 2 + sketch.px(4));
}

}  // namespace headcount
