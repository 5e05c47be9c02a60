// The feed-forward in one layer: norm, gate and up (or up alone), the hidden activation, down, and back to the stream;
// or by its name alone.
#include <algorithm>
#include <array>

#include "app/canvas/arrange/head_plan.hpp"
#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::string_view hidden = "layer.feed_forward.hidden", down_weight = "layer.feed_forward.down.weight";

}  // namespace

float up_labels(const Sketch& sketch, int lines) {
    return std::max(sketch.label_width("layer.feed_forward.gate.weight", lines),
                    sketch.label_width("layer.feed_forward.up.weight", lines));
}

float hidden_labels(const Sketch& sketch, int lines) {
    return std::max(sketch.label_width(hidden, 2), sketch.label_width(down_weight, std::max(lines, 2))) +
           sketch.px(room::gap);
}

namespace {

// Where things stand, and whether the matrices have room for their words.
struct Places {
    float norm_y, split, weights, apply, down, middle;
    bool gated, labels_outside;
    bool labels_away;  // there is no room beside the matrices either: above and below the pair
};

Places places_of(const Sketch& sketch, const Plan& plan) {
    using namespace room;
    const Rect& box = plan.feed_forward;
    const float scale = plan.scales.layer;
    constexpr std::string_view up = "layer.feed_forward.up.weight";
    Places at{};
    at.gated = sketch.has("layer.feed_forward.gate.weight");
    at.middle = box.centre().y;
    at.norm_y = card_norm_y(sketch, plan, feed_forward_block);
    at.split = card_split(sketch, plan, feed_forward_block);
    at.weights = at.split + plan.arrow;
    float width = sketch.thick(sketch.sides(up, true).columns, scale);
    const float height = sketch.thick(sketch.sides(up).rows, scale) - sketch.px(2);
    at.labels_outside = height < sketch.label_height(1) ||
                        width < up_labels(sketch, height >= sketch.label_height(2) ? 2 : 1) + sketch.px(16);
    at.apply = at.weights + width + sketch.px(operation / 2);
    if (at.labels_outside) at.apply += up_labels(sketch, plan.feed_forward_lines) + sketch.px(8);
    at.down = box.max.x - sketch.px(padding + 8) - sketch.thick(sketch.sides(down_weight, true).columns, scale);
    // Where words and matrices do not both fit, the words give way.
    const float made = sketch.thick(sketch.sides(hidden, true).columns, scale);
    at.apply = std::min(at.apply, at.down - sketch.px(gap) - made - sketch.px(operation / 2 + 4));
    at.weights = std::min(at.weights, at.apply - sketch.px(operation / 2) - width);
    at.labels_away =
        at.labels_outside && at.apply - at.weights - width < up_labels(sketch, 2) + sketch.px(operation / 2);
    at.split = std::min(at.split, at.weights - plan.arrow);
    return at;
}

// From the norm through gate or up to where they meet. `side` is -1 for the upper of the pair, 1 for the lower and 0
// for up alone.
void lay_out_lane(Sketch& sketch, const Plan& plan, const Places& at, std::string_view name, float side) {
    const std::string weight = std::string(name) + ".weight", bias = std::string(name) + ".bias";
    const int lines = plan.feed_forward_lines;
    // Closer to the middle than the lanes' centres where there is room.
    float lane = (plan.feed_forward.height() - sketch.px(12)) / 2;
    float near = std::max(sketch.thick(sketch.sides(weight, true).rows, plan.scales.layer) / 2 + sketch.px(5),
                          sketch.label_height(lines) / 2 + sketch.px(1));
    float y = at.middle + side * std::min(lane / 2, near);
    sketch.wire({{at.split, at.norm_y}, {at.split, y}, {at.weights - sketch.px(2), y}},
                block_input(sketch, "layer.feed_forward"));
    Rect slab = sketch.weight(name, {at.weights, y}, plan.scales.layer);
    const Point beside{slab.max.x + sketch.px(8), y - sketch.label_height(lines) / 2};
    const float under = slab.max.y + sketch.px(sketch.has(bias) ? 11 : 3);
    const float room = side < 0 ? slab.min.y - sketch.px(3) - plan.feed_forward.min.y : plan.feed_forward.max.y - under;
    const int away_lines = room > sketch.label_height(2) ? 2 : 1;
    const Point away{slab.min.x, side < 0 ? slab.min.y - sketch.label_height(away_lines) - sketch.px(3) : under};
    sketch.tensor_label_in(weight, slab, at.labels_away ? away : beside, at.labels_away ? away_lines : lines);
    if (!at.labels_outside && lines > 2 && slab.height() < sketch.label_height(3) + sketch.px(2)) {
        // Two lines are inside; the count goes to the far side of the pair.
        float far = side < 0 ? slab.min.y - sketch.px(16) : slab.max.y + sketch.px(sketch.has(bias) ? 11 : 3);
        sketch.detail({slab.min.x, far}, grouped(sketch.count(*sketch.find(weight))), weight);
    }
    float out = at.labels_outside && !at.labels_away ? slab.max.x + sketch.px(14) + sketch.label_width(weight, lines)
                                                     : slab.max.x;
    out = std::min(out, at.apply - sketch.px(8));
    if (y != at.middle)
        sketch.wire({{out, y}, {at.apply, y}, {at.apply, at.middle + side * sketch.px(8)}}, name);
    else
        sketch.wire({{out, y}, {at.apply - sketch.px(8), y}}, name);
    sketch.scene.wires.back().tilted_start = Point{slab.max.x, y};
}

void lay_out_hidden_and_down(Sketch& sketch, const Plan& plan, const Places& at) {
    using namespace room;
    const Rect& box = plan.feed_forward;
    const float scale = plan.scales.layer, middle = at.middle;
    float hidden_x = at.apply + sketch.px(operation / 2 + 4);
    float slack = at.down - hidden_x - sketch.thick(sketch.sides(hidden, true).columns, scale) -
                  hidden_labels(sketch, plan.feed_forward_lines);
    hidden_x += std::max(0.0F, slack) / 3;
    float tallest = std::max(box.height() - sketch.px(84), sketch.px(2 * least_side));
    Rect made = sketch.slab(hidden, {hidden_x, middle}, scale, tallest);
    sketch.line({{at.apply + sketch.px(8), middle}, {made.min.x, middle}}, hidden);
    Rect weight = sketch.weight("layer.feed_forward.down", {at.down, middle}, scale);
    sketch.wire({{made.max.x, middle}, {weight.min.x - sketch.px(2), middle}}, hidden);
    if (made.min.y - sketch.px(34) >= box.min.y) {
        sketch.name({made.min.x, made.min.y - sketch.px(34)}, "Hidden", hidden);
        sketch.number({made.min.x, made.min.y - sketch.px(17)}, sketch.shape_text(hidden), hidden);
    } else {
        sketch.name_and_size({made.min.x, made.min.y - sketch.px(19)}, "Hidden", sketch.shape_text(hidden), hidden);
    }
    float below = box.max.y - made.max.y - sketch.px(5);
    int down_lines = below > sketch.label_height(3) ? 3 : below > sketch.label_height(2) ? 2 : 1;
    sketch.tensor_label(down_weight, {weight.min.x - sketch.px(8), made.max.y + sketch.px(5)}, down_lines,
                        Anchor::right);
    lay_out_return(sketch, plan, feed_forward_block, {weight.max.x, middle});
}

}  // namespace

void lay_out_feed_forward(Sketch& sketch, const Plan& plan) {
    const Places at = places_of(sketch, plan);
    lay_out_card(sketch, plan, feed_forward_block);
    lay_out_norm(sketch, plan, feed_forward_block, at.norm_y, at.split);
    if (at.gated) lay_out_lane(sketch, plan, at, "layer.feed_forward.gate", -1);
    lay_out_lane(sketch, plan, at, "layer.feed_forward.up", at.gated ? 1.0F : 0.0F);
    sketch.mark({at.apply, at.middle}, at.gated ? MarkKind::multiply : MarkKind::apply, hidden);
    lay_out_hidden_and_down(sketch, plan, at);
}

void lay_out_closed(Sketch& sketch, const Plan& plan) {
    const Rect& box = plan.feed_forward;
    const std::string id = component_id(Component::feed_forward);
    const float y = box.min.y + sketch.px(7), left = box.min.x + sketch.px(room::padding + 16);
    const std::string name(component_name(Component::feed_forward));
    sketch.frame(id, box, FrameKind::component, Component::feed_forward);
    sketch.door(feed_forward_block, box);
    sketch.title({left, y}, name, id);
    const std::int64_t all = sketch.parameters_in(feed_forward_block), active = sketch.active_in(feed_forward_block);
    const float right = box.max.x - sketch.px(room::padding);
    const float room = right - left - sketch.width_of(name, TextRole::title) - sketch.px(16);
    const std::string both = active < all ? grouped(all) + ", " + grouped(active) + " active" : grouped(all);
    sketch.number({right, y + sketch.px(1)}, fitting(sketch, {both, grouped(all)}, TextRole::number, room), id,
                  Anchor::right);

    Door& door = sketch.scene.doors.back();
    door.closed = true;
    const float middle = box.centre().y;
    if (plan.shares_norm) {
        const float x = card_split(sketch, plan, attention_block);
        lay_out_norm(sketch, plan, feed_forward_block, box.min.y + sketch.px(4), x);
    } else {
        door.entry = {plan.stream_x, middle};
        door.entry_tensor = stream_into(sketch, feed_forward_block);
        sketch.wire({door.entry, {box.min.x - sketch.px(1), middle}}, door.entry_tensor);
    }
    lay_out_return(sketch, plan, feed_forward_block, {box.max.x - sketch.px(7), box.max.y});
}

}  // namespace headcount
