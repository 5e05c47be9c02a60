// How a sub-block hangs on the residual stream: its card, its norm, its way back and the sum.
#include <algorithm>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels: of a mark; of ways along the stream; of what multiplies a sum, left of that.
constexpr float mark_half = 8, beside_stream = 14, scale_left = 19, above_way_in = 4;
constexpr float left_of_layer = 12, below_input = 24;            // of what comes from there
constexpr float low_card = 56, lowest_norm = 7, lowest_way = 4;  // where its norm, or its way in, is near the foot

}  // namespace

void lay_out_card(Sketch& sketch, const Plan& plan, std::string_view block) {
    const Component component = component_of(sketch, block);
    const Rect box = plan.card(block);
    sketch.frame(component_id(component), box, FrameKind::component, component);
    sketch.door(block, box);
    const float down = plan.title_row > 0 ? sketch.px(room::title_in_row) : sketch.title_down(box);
    sketch.scene.frames.back().title_raised = sketch.px(room::title) - down;
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
    // One line down from the norm that they share, clear of both names.
    const float words =
        plan.shares_norm ? std::ranges::max(plan.cards, {}, &Plan::Card::header).header : plan.of(block).header;
    return left + std::max(norm, words) + sketch.px(room::gap);
}

float card_split(const Sketch& sketch, const Plan& plan, std::string_view block) {
    return card_split(sketch, plan, block, plan.scales.layer);
}

float card_norm_y(const Sketch& sketch, const Plan& plan, std::string_view block) {
    const Rect& box = plan.box(block);
    // What comes from another stack passes below the norm and its words.
    const bool passed = !memory_of(sketch, block).empty();
    const bool normed = sketch.has(std::string(block) + ".norm");
    const float above = plan.title_row > 0 ? 24 : normed ? 62 : 46;
    const bool lowest = plan.title_row <= 0 && box.height() < sketch.px(low_card);
    const float below = lowest ? (normed ? lowest_norm : lowest_way) : normed ? 22 : 12;
    const float middle = passed ? box.min.y : box.centre().y;
    return std::min(std::max(middle, box.min.y + sketch.px(above)),
                    box.max.y - sketch.px(below + (passed && !plan.low ? 12 : 0)));
}

namespace {

// The feed-forward reads the norm of attention: down from there, past the way back.
void lay_out_shared_input(Sketch& sketch, const Plan& plan, float y, float until) {
    const std::string norm = plan.mixer_block + ".norm";
    const float x = card_split(sketch, plan, plan.mixer_block), from = plan.box(plan.mixer_block).max.y,
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

namespace {

// What a norm reads beside the stream, and is made for all layers: from left of the layer.
void lay_out_beside_stream(Sketch& sketch, const Plan& plan, const std::string& norm, float y) {
    const ModelGraph& graph = sketch.input().model.graph;
    const auto producer = [&](TensorIndex tensor) { return graph.producer(tensor); };
    const Node* const normed = producer(static_cast<TensorIndex>(sketch.find(norm) - graph.tensors.data()));
    const Node* const joined = normed ? producer(normed->inputs.front()) : nullptr;
    if (!joined || joined->op != Op::beside) return;
    for (const TensorIndex each : joined->inputs) {
        if (!graph.is_for_all_layers(each)) continue;
        const Tensor& tensor = graph.tensors[each];
        const float wide = sketch.thick(sketch.sides(tensor.id).columns, plan.scales.model);
        const float right = plan.layer.min.x - sketch.px(left_of_layer), x = plan.stream_x + sketch.px(beside_stream);
        const float below = y + sketch.px(below_input);
        const Rect slab = sketch.slab(tensor.id, {right - wide, below}, plan.scales.model, sketch.px(28));
        sketch.line({{slab.max.x, below}, {x, below}, {x, y}}, tensor.id);
        sketch.name({right, slab.max.y + sketch.px(3)}, tensor.symbol, tensor.id, Anchor::right);
        sketch.number({right, slab.max.y + sketch.px(3) + sketch.name_line()}, sketch.shape_text(tensor), tensor.id,
                      Anchor::right);
    }
}

// Where a sub-block's input begins: at the stream, or where it comes down from another one.
Point lay_out_inflow(Sketch& sketch, const Plan& plan, std::string_view block, float y) {
    const ModelGraph& graph = sketch.input().model.graph;
    const Node* const made = made_for(sketch, block);
    const float x = plan.stream_x + sketch.px(beside_stream), half = sketch.px(mark_half);
    // What entered the layer, though others have added to the stream since.
    const std::string_view source = stream_into(sketch, block);
    const std::string mixer = mixer_block(sketch);
    if (!made && block != mixer && in_turn(sketch) && source == stream_into(sketch, mixer)) {
        const float top = plan.box(mixer).min.y + sketch.px(above_way_in);
        sketch.line({{plan.stream_x, top}, {x, top}, {x, y}}, std::string(source));
        return {x, y};
    }
    if (!made) return {plan.stream_x, y};
    for (const Plan::Card& other : plan.cards)
        for (const TensorIndex each : made->op == Op::sum ? made->inputs : std::vector{made->output})
            if (maker_of(sketch, each) == other.block) {
                const float from = other.rect.max.y + plan.way_back;
                sketch.line({{x, from}, {x, made->op == Op::sum ? y - half : y}}, graph.tensors[each].id);
            }
    if (made->op != Op::sum) return {x, y};
    sketch.wire({{plan.stream_x, y}, {x - half, y}}, graph.tensors[made->inputs.front()].id);
    sketch.mark({x, y}, MarkKind::add, graph.tensors[made->output].id);
    return {x + half, y};
}

}  // namespace

void lay_out_norm(Sketch& sketch, const Plan& plan, std::string_view block, float y, float until) {
    if (plan.second(block) && shares_norm(sketch)) return lay_out_shared_input(sketch, plan, y, until);
    std::string norm = std::string(block) + ".norm";
    float left = plan.inner.min.x + sketch.px(room::padding);
    const std::string_view source = stream_into(sketch, block);
    const Point from_stream = lay_out_inflow(sketch, plan, block, y);
    sketch.scene.doors.back().entry = from_stream;
    sketch.scene.doors.back().entry_tensor = source;
    if (!sketch.has(norm)) {
        sketch.line({from_stream, {until, y}}, source);
        return;
    }
    sketch.wire({from_stream, {left - sketch.px(2), y}}, source);
    lay_out_beside_stream(sketch, plan, norm, y);
    Rect bar = sketch.norm_slab(norm, {left, y}, plan.scales.layer);
    if (!plan.low) sketch.norm_words(bar, norm);
    const float from = plan.low ? sketch.norm_words_beside(bar, norm) : bar.max.x;
    if (from < until) sketch.line({{from, y}, {until, y}}, norm);
    if (plan.low) sketch.scene.wires.back().tilted_start = Point{bar.max.x, y};
}

void lay_out_way_in(Sketch& sketch, const Plan& plan, std::string_view block, const Rect& card) {
    const float y = card.centre().y;
    if (!memory_of(sketch, block).empty()) lay_out_memory(sketch, plan, block, card.min.x);
    if (plan.second(block) && shares_norm(sketch)) {
        const float x = card_split(sketch, plan, plan.mixer_block);
        return lay_out_shared_input(sketch, plan, card.min.y + sketch.px(4), x);
    }
    const Point from = lay_out_inflow(sketch, plan, block, y);
    Door& door = sketch.scene.doors.back();
    door.entry = from;
    door.entry_tensor = stream_into(sketch, block);
    sketch.wire({from, {card.min.x - sketch.px(1), y}}, door.entry_tensor);
    if (const std::string norm = std::string(block) + ".norm"; sketch.has(norm))
        lay_out_beside_stream(sketch, plan, norm, y);
}

namespace {

// What a sub-block's output is added up to; empty where it has no sum of its own.
std::string sum_of(const Sketch& sketch, std::string_view block) {
    std::string own = std::string(block) + ".stream";
    if (sketch.has(own)) return own;
    // That of copies of the stream is their layer's.
    own = std::string(main_layer) + ".stream";
    return sketch.has(own) && !is_read_by_another(sketch, block) ? own : "";
}

// Into the sum on the stream; beside it down to what reads it, or to the other sub-block's sum where both are added
// together.
void lay_out_sum(Sketch& sketch, const Plan& plan, std::string_view block, const std::string& added, Point from) {
    const float add = sketch.px(mark_half), aside = sketch.px(beside_stream);
    const std::string sum = sum_of(sketch, block);
    if (sum.empty() && is_read_by_another(sketch, block))
        return sketch.line({from, {plan.stream_x + aside, from.y}}, added);
    if (!plan.second(block) && !in_turn(sketch)) {
        const float x = plan.stream_x - aside, y = plan.return_y(feed_forward_block);
        sketch.wire({from, {x, from.y}, {x, y}, {plan.stream_x - add, y}}, added);
        return;
    }
    const std::string name(block), scale = name + ".scale.weight";
    const bool normed = norm_after_sum(sketch);
    sketch.wire({from, {plan.stream_x + add, from.y}}, added);
    sketch.mark({plan.stream_x, from.y}, MarkKind::add, normed ? name + ".sum" : sum);
    if (const Tensor* const number = sketch.find(scale); number && number->part == Part::layer_scale) {
        const Rect rect = sketch.slab(scale, {plan.stream_x - sketch.px(scale_left), from.y}, plan.scales.layer);
        sketch.name({rect.centre().x, rect.min.y - sketch.px(19)}, number->symbol, scale, Anchor::centre);
    }
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
    std::string output = made_in(sketch, block);
    const float right = plan.box(block).max.x - sketch.px(7), y = plan.return_y(block);
    float slab_x = plan.inner.min.x + sketch.px(room::padding);
    float tallest = 2 * (plan.way_back - sketch.px(10));
    Door& door = sketch.scene.doors.back();
    door.exit = {{right, y}};
    float slab_right = slab_x + sketch.thick(sketch.sides(output).columns, plan.scales.layer);
    std::string norm = std::string(block) + ".output_norm";
    // With the norm behind the sub-block, what comes out of it is what is added.
    bool normed = sketch.has(norm);
    std::string added = normed ? norm : output;
    float words_end = right;
    if (normed) {
        // Its offset hangs below it, and both have to be in the gap.
        const float up = sketch.has(norm + ".bias") ? sketch.px(2) : 0;
        Rect bar = sketch.norm_slab(norm, {slab_right + sketch.px(room::normed_back), y - up}, plan.scales.layer);
        sketch.number({bar.max.x + sketch.px(8), y - sketch.px(16)}, "Norm " + norm_size(sketch, norm), norm);
        sketch.wire({from, {right, from.y}, {right, y}, {bar.max.x + sketch.px(2), y}}, output);
        door.exit.push_back({bar.max.x + sketch.px(2), y});
        sketch.line({{bar.min.x, y}, {slab_right, y}}, norm);
        words_end = bar.min.x;
    } else {
        sketch.line({from, {right, from.y}, {right, y}, {slab_right + sketch.px(2), y}}, output);
        door.exit.push_back({slab_right + sketch.px(2), y});
    }
    Rect slab = sketch.slab(added, {slab_x, y}, plan.scales.layer, tallest);
    lay_out_sum(sketch, plan, block, added, {slab.min.x, y});
    // Beside the line that goes down to the other sub-block, where there is one.
    const float aside = shares_norm(sketch) && !plan.second(block)
                            ? std::max(0.0F, card_split(sketch, plan, plan.mixer_block) - slab.max.x)
                            : 0;
    const std::string name(sketch.find(added)->symbol), shape = sketch.shape_text(added);
    const float x = slab.max.x + aside + sketch.px(8), up = std::min(sketch.px(19), plan.way_back + sketch.px(0.5F));
    const float named = sketch.width_of(name, TextRole::name) + sketch.px(8) + sketch.width_of(shape, TextRole::number);
    if (x + named <= words_end)
        sketch.name_and_size({x, y - up}, name, shape, added);
    else
        sketch.number({x, y - sketch.px(16)}, shape, added);
}

}  // namespace headcount
