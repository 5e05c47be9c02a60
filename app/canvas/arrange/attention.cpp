// Attention in one layer: norm, the three projections, the heads, the output projection, and back to the stream.
#include <algorithm>
#include <cmath>

#include "app/canvas/arrange/layer_page.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

struct Lane {
    std::string_view weight, bias, output, norm, normed;
};
constexpr Lane lanes[] = {
    {"layer.attention.query.weight", "layer.attention.query.bias", "layer.attention.queries",
     "layer.attention.query_norm", "layer.attention.queries_normed"},
    {"layer.attention.key.weight", "layer.attention.key.bias", "layer.attention.keys", "layer.attention.key_norm",
     "layer.attention.keys_normed"},
    {"layer.attention.value.weight", "layer.attention.value.bias", "layer.attention.values", "", ""}};

// Columns of the sub-block, left edges in pixels.
struct Columns {
    float split, memory, weights, labels, outputs, merge, heads, joined, output;
    float heads_width;
};

// What a lane's weight is multiplied with, and where that branches to it.
struct Source {
    std::string tensor;
    Point branch;
    bool kept = false;  // what comes of it was made with an earlier token
};

constexpr float memory_branch = 10, memory_foot = 8;  // design pixels: right of the stream's branch, above the edge

// With one-line labels there is no room for the word; the cache's outline says it too.
bool says_cached(int lines) {
    return lines > 1;
}

}  // namespace

float memory_y(const Sketch& sketch, const Plan& plan) {
    return plan.mixer.max.y - sketch.px(memory_foot);
}

float memory_room(const Sketch& sketch) {
    return memory_of(sketch).empty() ? 0 : sketch.px(memory_branch);
}

float lane_labels(const Sketch& sketch, int lines) {
    float width = 0;
    for (const Lane& lane : lanes) width = std::max(width, sketch.label_width(lane.weight, lines));
    return width;
}

namespace {

// Above the first lane and below the last.
float lane_inset(const Sketch& sketch, const Plan& plan) {
    return sketch.px(plan.title_row > 0 || plan.low ? 3 : 7);
}

float lane_height(const Sketch& sketch, const Plan& plan) {
    return (plan.mixer.height() - 2 * lane_inset(sketch, plan)) / 3;
}

// Of a bias that stands beside its weight, where lanes are too low for one below the other.
float bias_beside(const Sketch& sketch, const Plan& plan, const Lane& lane, float scale) {
    const Sides bias = sketch.sides(lane.bias);
    const float below = sketch.thick(sketch.sides(lane.weight).rows, scale) + sketch.px(2) +
                        sketch.thick(bias.rows, scale) - sketch.px(0.5F);
    if (!sketch.has(lane.bias) || below <= lane_height(sketch, plan)) return 0;
    return sketch.px(2) + sketch.thick(bias.columns, scale);
}

}  // namespace

float lane_names(const Sketch& sketch, const Plan& plan, float scale) {
    float width = 0;
    for (const Lane& lane : lanes) {
        const float above = lane_height(sketch, plan) - sketch.thick(sketch.sides(lane.weight).rows, scale);
        const float bias = bias_beside(sketch, plan, lane, scale);
        if (bias == 0 && above >= sketch.name_line() + sketch.px(3)) continue;
        width = std::max(
            width, bias + sketch.px(8) + sketch.width_of(sketch.name_text(*sketch.find(lane.weight)), TextRole::name));
    }
    return width;
}

float lane_outputs(const Sketch& sketch, int lines) {
    const float least = sketch.px(says_cached(lines) ? 62 : 26);
    // Beside a norm stands what it is.
    const bool normed = sketch.has(lanes[0].normed) || sketch.has(lanes[1].normed);
    return normed ? std::max(least, sketch.px(least_side + 11) + sketch.width_of("norm", TextRole::caption)) : least;
}

float output_labels(const Sketch& sketch) {
    return sketch.label_width("layer.attention.output.weight", 3);
}

namespace {

Columns columns_of(const Sketch& sketch, const Plan& plan) {
    using namespace room;
    float scale = plan.scales.layer;
    auto wide = [&](std::string_view id) { return sketch.thick(sketch.sides(id, true).columns, scale); };
    float weights = std::max({wide(lanes[0].weight), wide(lanes[1].weight), wide(lanes[2].weight)});
    Columns at{};
    at.split = card_split(sketch, plan, attention_block);
    at.memory = at.split + memory_room(sketch);
    at.weights = at.memory + plan.arrow;
    at.labels = at.weights + weights + sketch.px(8);
    float output = wide("layer.attention.output.weight"), words = output_labels(sketch);
    at.output = plan.mixer.max.x - sketch.px(padding) - std::max(output, (output + words) / 2);
    const float joined_end = at.output - plan.arrow - wide("layer.attention.joined");
    at.joined = joined_end - std::max(0.0F, words - output) / 2;
    at.heads = at.joined - sketch.px(gap + heads);
    at.merge = at.heads - plan.arrow;
    at.outputs = at.merge - sketch.px(gap) - std::max(weights, lane_outputs(sketch, plan.mixer_lines));
    // Where words and matrices do not both fit, Q, K and V give way as far as their own width allows.
    float words_end = at.labels + lane_labels(sketch, plan.mixer_lines) + sketch.px(8);
    at.outputs =
        std::max(at.outputs, std::min(words_end, at.merge - sketch.px(gap) - std::max(weights, sketch.px(14))));
    // What is left over is shared out, so that a wide picture has no single long gap.
    float slack = std::max(0.0F, at.outputs - at.labels - lane_labels(sketch, plan.mixer_lines) - plan.arrow);
    at.outputs -= slack * 0.6F;
    for (float* column : {&at.merge, &at.heads, &at.joined}) *column -= slack * 0.3F;
    // Where matrices would lie over each other or over names, W_o's words give way too, then the squares.
    const float beside = std::max(lane_names(sketch, plan, scale) + sketch.px(10), sketch.px(gap));
    const float lacking = std::max(at.weights + weights + beside - at.outputs, 0.0F);
    const float from_words = std::min(lacking, joined_end - at.joined);
    const float from_squares = std::min(lacking - from_words, sketch.px(heads - least_heads));
    for (float* column : {&at.outputs, &at.merge, &at.heads}) *column += from_words + from_squares;
    at.joined += from_words;
    at.heads_width = sketch.px(heads) - from_squares;
    return at;
}

void lay_out_lane(Sketch& sketch, const Plan& plan, const Columns& at, const Lane& lane, const Source& source, float y,
                  float height, float middle) {
    float scale = plan.scales.layer;
    Rect weight = sketch.slab(lane.weight, {at.weights, y}, scale);
    float right = at.weights + sketch.thick(sketch.sides(lane.weight, true).columns, scale);
    const float bias = bias_beside(sketch, plan, lane, scale);
    if (bias > 0 && right + bias + sketch.px(2) <= at.outputs)
        right = sketch.slab(lane.bias, {right + sketch.px(2), y}, scale).max.x;
    else
        sketch.bias_below(lane.bias, weight, scale);
    sketch.wire({source.branch, {source.branch.x, y}, {at.weights - sketch.px(2), y}}, source.tensor);
    sketch.scene.wires.back().faint = source.kept;

    int lines = plan.mixer_lines;
    const float words = right + sketch.px(8);
    const Tensor& tensor = *sketch.find(lane.weight);
    const std::string name = sketch.name_text(tensor);
    const auto fits = [&](float from) {
        return from + sketch.width_of(name, TextRole::name) + sketch.px(2) <= at.outputs;
    };
    const bool beside = fits(words);
    // Behind the words, or behind the name alone where the shape has no room.
    const float behind = right + sketch.px(14) + sketch.label_width(lane.weight, lines),
                behind_name = words + sketch.width_of(name, TextRole::name) + sketch.px(3);
    if (beside && lines == 1 && behind >= at.outputs) {
        sketch.name({words, y - sketch.label_height(1) / 2}, name, lane.weight);
    } else if (beside) {
        sketch.tensor_label(lane.weight, {words, y - sketch.label_height(lines) / 2}, lines);
    } else {  // the name would stand over what the weight makes
        sketch.name({weight.min.x, weight.min.y - sketch.px(20)},
                    fits(weight.min.x) ? name : std::string(tensor.symbol), lane.weight);
    }

    // A norm stands below what it rescales.
    const bool normed = !lane.norm.empty() && sketch.has(lane.normed);
    float tallest = std::max(height - sketch.px(36), sketch.px(normed ? least_side : 2 * least_side));
    const Tensor* output = sketch.find(lane.output);
    const float from = !beside ? right + sketch.px(1) : behind < at.outputs ? behind : behind_name;
    if (from < at.outputs) {
        sketch.line({{from, y}, {at.outputs - sketch.px(1), y}}, lane.output);
        sketch.scene.wires.back().tilted_start = Point{right, y};
        sketch.scene.wires.back().faint = source.kept;
    }
    Rect made = sketch.slab(lane.output, {at.outputs, y}, scale, tallest);
    sketch.line({{made.max.x, y}, {at.merge, y}, {at.merge, middle}}, lane.output);
    if (normed) {
        const float norm_y =
            made.max.y + sketch.px(3) + sketch.thick(sketch.sides(std::string(lane.norm) + ".weight").rows, scale) / 2;
        const Rect bar = sketch.norm_slab(lane.norm, {made.min.x, norm_y}, scale, lane.normed);
        const float word = bar.max.x + sketch.px(6);
        if (word + sketch.width_of("norm", TextRole::caption) + sketch.px(5) <= at.merge)
            sketch.caption({word, bar.centre().y - sketch.px(8)}, "norm", lane.normed);
    }
    bool cached =
        sketch.look_of(*output) == SlabLook::cached && says_cached(lines) && at.outputs + sketch.px(62) <= at.merge;
    float above = made.min.y - sketch.px(16);
    sketch.name({made.min.x, above}, output->symbol, lane.output);
    sketch.scene.labels.back().pair = static_cast<int>(output->block) + 1;  // all three or none
    if (cached)
        sketch.label({made.min.x + sketch.px(14), above}, "cached", TextRole::number, Tone::cached, Anchor::left,
                     lane.output);
}

// What another stack made, left of the layer: the last norm of that, and what comes out of it.
float lay_out_memory_beside(Sketch& sketch, const Plan& plan, const std::string& memory, float y) {
    const float scale = plan.scales.model, wide = sketch.thick(sketch.sides(memory).columns, scale);
    const float right = plan.layer.min.x - sketch.px(12);
    const Rect slab = sketch.slab(memory, {right - wide, y}, scale, sketch.px(28));
    if (const std::string weight = memory + ".weight"; sketch.has(weight)) {
        const Rect bar = sketch.norm_slab(memory, {slab.min.x - sketch.px(10) - wide, y}, scale);
        sketch.line({{bar.max.x, y}, {slab.min.x, y}}, memory);
    }
    const float below = slab.max.y + sketch.px(3);
    sketch.name({right, below}, "Memory " + std::string(sketch.find(memory)->symbol), memory, Anchor::right);
    sketch.number({right, below + sketch.name_line()}, sketch.shape_text(memory), memory, Anchor::right);
    return slab.max.x;
}

// Where it comes from, and its way to where it branches.
Source lay_out_memory(Sketch& sketch, const Plan& plan, const Columns& at) {
    const std::string memory(memory_of(sketch));
    const bool kept = !makes_memory_anew(sketch);
    const float y = memory_y(sketch, plan);
    const float from = plan.beside ? plan.memory_x : lay_out_memory_beside(sketch, plan, memory, y);
    Door& door = sketch.scene.doors.back();
    door.memory = {from, y};
    door.memory_tensor = memory;
    sketch.line({door.memory, {at.memory, y}}, memory);
    sketch.scene.wires.back().faint = kept;
    return {memory, {at.memory, y}, kept};
}

}  // namespace

// Squares between the words above and below; the shape of each below, and what each head is held back by.
void lay_out_heads(Sketch& sketch, const HeadsOf& of, Point left_edge, float width, const Rect& card) {
    constexpr float above = 21, below = 19, tallest = 44, least = 9;  // design pixels
    const std::string_view id = of.shown, held = of.held;
    const Tensor& shown = *sketch.find(id);
    const std::int64_t heads = sketch.value(sketch.input().model.graph.blocks[shown.block].repeat, 1);
    const float y = left_edge.y;
    const float room = 2 * std::min(y - card.min.y - sketch.px(above), card.max.y - y - sketch.px(below));
    const float most_height = std::clamp(room, sketch.px(least), sketch.px(tallest));
    const std::int64_t columns = columns_of_grid(heads), rows = (heads + columns - 1) / columns;
    const float cell =
        std::min({width / static_cast<float>(columns), most_height / static_cast<float>(rows), sketch.px(9)});
    float grid_width = cell * static_cast<float>(columns), grid_height = cell * static_cast<float>(rows);
    float left = left_edge.x + (width - grid_width) / 2;
    Slab& squares = sketch.squares(id, {left, y - grid_height / 2}, cell, columns, rows, heads);
    squares.rect.max.y = y + grid_height / 2;
    squares.look = sketch.look_of(shown);
    sketch.show_mask(squares);
    const Rect grid = squares.rect;
    float centre = left_edge.x + width / 2;
    sketch.name({centre, grid.min.y - sketch.px(19)}, std::to_string(heads) + (heads == 1 ? " head" : " heads"), id,
                Anchor::centre);
    float words = grid.max.y + sketch.px(4);
    if (sketch.has(held)) {
        const float scale = sketch.scene.layer_scale, wide = sketch.thick(sketch.sides(held).columns, scale);
        const float half = sketch.thick(sketch.sides(held).rows, scale) / 2;
        const float from = std::clamp(left_edge.x + width - wide, left_edge.x, grid.min.x);
        const Rect bar = sketch.slab(held, {from, grid.max.y + sketch.px(3) + half}, scale);
        sketch.caption({from + wide + sketch.px(5), bar.centre().y - sketch.px(8)}, of.held_name, held);
        words = bar.max.y + sketch.px(5);
    }
    sketch.number({centre, words}, sketch.shape_text(id), id, Anchor::centre);
    words += sketch.number_line();
    if (words + sketch.number_line() > card.max.y) return;
    sketch.caption({centre, words}, of.said, id, Anchor::centre);
}

void lay_out_heads_joined(Sketch& sketch, const Plan& plan, const HeadsAt& at, float y, float height) {
    const Rect& box = plan.mixer;
    const float scale = plan.scales.layer;
    // With a run's numbers it is the weights that say where a head looks.
    const bool numbers = sketch.input().values.has_value();
    HeadsOf heads{numbers ? "layer.attention.head.weights" : "layer.attention.head.scores",
                  numbers ? "weights each" : "scores each", "layer.attention.sinks.weight", "sinks"};
    if (sketch.has("layer.attention.relative_bias.weight")) {
        heads.held = "layer.attention.relative_bias.weight";
        heads.held_name = "distances";
    }
    lay_out_heads(sketch, heads, {at.heads, y}, at.width, box);
    sketch.line({{at.heads + at.width, y}, {at.joined, y}}, "layer.attention.joined");
    Rect joined = sketch.slab("layer.attention.joined", {at.joined, y}, scale, height);
    Rect output = sketch.weight("layer.attention.output", {at.output, y}, scale);
    sketch.wire({{joined.max.x, y}, {output.min.x - sketch.px(2), y}}, "layer.attention.joined");
    const Tensor& weight = *sketch.find("layer.attention.output.weight");
    // Its words keep clear of the way back on the card's right.
    const float half = sketch.width_of(sketch.shape_text(weight), TextRole::number) / 2;
    float centre = std::min(output.centre().x, box.max.x - sketch.px(12) - half);
    sketch.name({centre, output.min.y - sketch.px(19)}, weight.symbol, weight.id, Anchor::centre);
    float text_y = output.max.y + sketch.px(sketch.has("layer.attention.output.bias") ? 12 : 4);
    const float below = box.max.y - text_y;
    if (below > sketch.px(16)) sketch.number({centre, text_y}, sketch.shape_text(weight), weight.id, Anchor::centre);
    if (below > sketch.px(32))
        sketch.detail({centre, text_y + sketch.number_line()}, grouped(sketch.count(weight)), weight.id,
                      Anchor::centre);
    lay_out_return(sketch, plan, attention_block, {output.max.x, y});
}

void lay_out_attention(Sketch& sketch, const Plan& plan) {
    const Rect& box = plan.mixer;
    Columns at = columns_of(sketch, plan);
    lay_out_card(sketch, plan, attention_block);
    const float norm_y = card_norm_y(sketch, plan, attention_block);
    lay_out_norm(sketch, plan, attention_block, norm_y, at.split);
    const float height = lane_height(sketch, plan);
    float first = box.min.y + lane_inset(sketch, plan) + height / 2;
    float lane_y = first + height;
    const Source stream{block_input(sketch, attention_block), {at.split, norm_y}};
    const Source others = memory_of(sketch).empty() ? stream : lay_out_memory(sketch, plan, at);
    for (int i = 0; i < 3; ++i)
        lay_out_lane(sketch, plan, at, lanes[i], i == 0 ? stream : others, first + static_cast<float>(i) * height,
                     height, norm_y);
    sketch.wire({{at.merge, lane_y}, {at.heads, lane_y}}, "layer.attention.head.scores");
    lay_out_heads_joined(sketch, plan, {at.heads, at.joined, at.output, at.heads_width}, lane_y, height);
}

}  // namespace headcount
