// Divides the area among the parts and chooses the scales, so that everything fits and one scale serves where it can.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "app/canvas/sketch.hpp"

namespace headcount {
namespace {

constexpr float tokens_width = 52, tokens_from = 780, embedding_x = 92, deck = 14, title = 32, return_gap_wide = 38,
                return_gap_narrow = 28;
constexpr float caption_above = 24, captions_below = 38, least_gap_to_layer = 88;
constexpr float above_positions = 190;  // the stream and its words, or a short table and the words below it

// The largest scale at which `sides` rows or columns fit into `room` pixels.
struct Limit {
    double sides;
    float room;
};
float largest_scale(std::initializer_list<Limit> limits) {
    double scale = 1e9;
    for (const Limit& limit : limits)
        if (limit.sides > 0) scale = std::min(scale, static_cast<double>(std::max(limit.room, 1.0F)) / limit.sides);
    return static_cast<float>(scale);
}

// However small the model: biases and norms are one row, and room is kept for bars of the least thickness.
Limit one_row(const Sketch& sketch) {
    return {sketch.drawn(1), sketch.px(least_side)};
}

float model_scale(const Sketch& sketch, Rect area, float ends_room) {
    Sides table = sketch.sides("embedding.weight", true), positions = sketch.sides("positions.weight", true);
    float tall = area.height() - sketch.px(caption_above + captions_below);
    // By their logarithm the sides are so much alike that one scale serves all, and the ends need more of the area.
    const float across = sketch.input().log_sides ? 0.14F : 0.1F, down = sketch.input().log_sides ? 0.13F : 0.085F;
    return largest_scale({one_row(sketch),
                          {table.rows, tall},
                          {positions.rows, area.height() - sketch.px(above_positions)},
                          {table.columns + positions.columns, across * area.width()},
                          {table.rows, ends_room},
                          {table.columns, down * area.height()}});
}

// What the scale of a layer depends on, measured once: sides in rows and columns, words in pixels (by lines of a
// label).
struct Measures {
    double dim, query, joined, wide;
    bool gated, bias;
    std::array<float, 4> lane{}, made{}, up{}, hidden{};
    float output, attention_header, feed_forward_header, two_lines;
};

Measures measure(const Sketch& sketch) {
    auto columns = [&](std::string_view id) { return sketch.sides(id, true).columns; };
    Measures measures{
        .dim = columns("layer.attention.output.weight"),
        .query = std::max({columns("layer.attention.query.weight"), columns("layer.attention.key.weight"),
                           columns("layer.attention.value.weight")}),
        .joined = sketch.sides("layer.attention.output.weight", true).rows,
        .wide = columns("layer.feed_forward.up.weight"),
        .gated = sketch.has("layer.feed_forward.gate.weight"),
        .bias = sketch.has("layer.feed_forward.up.bias"),
        .output = output_labels(sketch),
        .attention_header = sketch.header_width(Component::attention),
        .feed_forward_header = sketch.header_width(Component::feed_forward),
        .two_lines = sketch.label_height(2),
    };
    for (int lines = 1; lines <= 3; ++lines) {
        auto index = static_cast<std::size_t>(lines);
        measures.lane[index] = sketch.px(8) + lane_labels(sketch, lines);
        measures.made[index] = lane_outputs(sketch, lines);
        measures.up[index] = up_labels(sketch, lines);
        measures.hidden[index] = hidden_labels(sketch, lines);
    }
    return measures;
}

// The largest scale at which both sub-blocks hold what stands side by side and on top of each other in them. Where a
// column is as wide as its matrix or as its words, both are limits.
float layer_scale(const Sketch& sketch, const Measures& the, const Plan& plan) {
    using namespace room;
    auto attention_lines = static_cast<std::size_t>(plan.attention_lines);
    auto feed_forward_lines = static_cast<std::size_t>(plan.feed_forward_lines);
    float attention = plan.attention.width() - sketch.px(2 * padding + 4 * gap + heads + 8) - 4 * plan.arrow;
    float lane = (plan.attention.height() - sketch.px(14)) / 3 - sketch.px(the.bias ? 16 : 8);
    float feed_forward = plan.feed_forward.width() - sketch.px(2 * padding + 2 * gap + operation + 8) - 2 * plan.arrow;
    float shapes =
        largest_scale({one_row(sketch),
                       {the.dim + 2 * the.query + the.joined + the.dim, attention},
                       {the.dim, lane},
                       {the.joined, plan.attention.height() - sketch.px(76)},
                       {the.dim + 2 * the.wide + the.dim, feed_forward},
                       {the.gated ? 2 * the.dim : the.dim, plan.feed_forward.height() - sketch.px(the.bias ? 44 : 28)},
                       {the.wide, plan.feed_forward.height() - sketch.px(24)}});
    auto with_words = [&](float up) {
        float above = attention - the.lane[attention_lines], made = the.made[attention_lines];
        float below = feed_forward - up - the.hidden[feed_forward_lines];
        return largest_scale({{the.dim + 2 * the.query + the.joined + the.dim, above},
                              {the.dim + 2 * the.query + the.joined, above - the.output},
                              {the.dim + the.query + the.joined, above - the.output - made},
                              {the.query + the.joined, above - the.output - made - the.attention_header},
                              {the.dim + the.wide + the.dim, below},
                              {the.wide + the.dim, below - the.feed_forward_header}});
    };
    // Gate and up carry their words inside where they are large enough for them.
    float scale = std::min(shapes, with_words(0));
    bool large = static_cast<float>(the.dim) * scale >= the.two_lines;
    if (static_cast<float>(the.wide) * scale < the.up[large ? 2 : 1] + sketch.px(16))
        scale = std::min(shapes, with_words(the.up[feed_forward_lines] + sketch.px(8)));
    // Words give way before the picture does: below this they are dropped where they crowd.
    constexpr float least_share = 0.6F;
    return std::max(scale, least_share * shapes);
}

int lines_in(const Sketch& sketch, float height) {
    return height >= sketch.label_height(3) + sketch.px(2) ? 3 : height >= sketch.label_height(2) ? 2 : 1;
}

// Attention stacks three matrices, the feed-forward stands one on its end: each box gets the height at which both are
// drawn at the same scale, as long as the words in the other still fit.
float attention_share(const Sketch& sketch, float boxes) {
    double three = 3 * sketch.sides("layer.attention.output.weight", true).columns;
    double tall = sketch.sides("layer.feed_forward.down.weight", true).rows;
    float fixed = sketch.px(38), both = sketch.px(62);
    auto share = (fixed + (boxes - both) * static_cast<float>(three / (three + tall))) / boxes;
    return std::clamp(share, 0.48F, 0.58F);
}

// Everything but the scales' choice: where the parts go at the scale that the plan has.
void place(const Sketch& sketch, Rect area, Plan& plan) {
    auto px = [&](float design) { return sketch.px(design); };
    float scale = plan.scales.model, right = area.max.x - px(deck);
    Sides table = sketch.sides("embedding.weight", true), positions = sketch.sides("positions.weight", true);
    float tables =
        sketch.thick(table.columns, scale) + (positions.rows > 0 ? px(8) + sketch.thick(positions.columns, scale) : 0);
    bool tokens = area.width() >= px(tokens_from);
    float embedding_left = area.min.x + (tokens ? px(embedding_x) : 0);
    plan.tokens = {area.min, {area.min.x + (tokens ? px(tokens_width) : 0), area.max.y}};
    plan.embedding = {{embedding_left, area.min.y}, {embedding_left + tables, area.max.y}};
    float words = sketch.width_of(sketch.shape_text("layer.attention.stream"), TextRole::number);  // above the stream
    float gap = std::max({px(least_gap_to_layer), sketch.thick(table.columns, scale) + px(30), words + px(20)});
    float head_height = sketch.thick(table.columns, scale);
    float layer_left = plan.embedding.max.x + gap;
    bool roomy = area.width() > px(800);
    plan.stream_x = layer_left + px(roomy ? 34 : 24);
    EndsWords end_words = ends_words(sketch, scale, right - (plan.stream_x - px(stream_inset)));
    float ends = px(38) + head_height + px(end_words.head == HeadWords::below ? 18 : 0) + px(20) +
                 px(end_words.logits_beside ? 8 : 24);
    plan.layer = {{layer_left, area.min.y + px(deck)}, {right, area.max.y - ends}};
    plan.ends = {{plan.layer.min.x, plan.layer.max.y}, {right, area.max.y}};
    plan.arrow = px(roomy ? 22 : 14);
    float boxes = plan.layer.height() - px(title) - 2 * plan.return_gap - px(4);
    float left = plan.stream_x + px(roomy ? 28 : 22), box_right = plan.layer.max.x - px(roomy ? 12 : 8);
    float top = plan.layer.min.y + px(title), attention = attention_share(sketch, boxes) * boxes;
    plan.attention = {{left, top}, {box_right, top + attention}};
    float below = plan.attention.max.y + plan.return_gap;
    plan.feed_forward = {{left, below}, {box_right, below + boxes - attention}};
    plan.attention_lines = lines_in(sketch, (plan.attention.height() - px(14)) / 3);
    bool gated = sketch.has("layer.feed_forward.gate.weight");
    plan.feed_forward_lines = lines_in(sketch, (plan.feed_forward.height() - px(8)) / (gated ? 2 : 1));
}

}  // namespace

Plan plan_model(const Sketch& sketch, Rect area) {
    Plan plan;
    plan.return_gap = sketch.px(area.height() > sketch.px(520) ? return_gap_wide : return_gap_narrow);
    // The head is as wide as the vocabulary is tall in the embedding; both share the model's scale.
    float layer_x = area.min.x + sketch.px(embedding_x + least_gap_to_layer) + 0.1F * area.width();
    plan.scales.model = model_scale(sketch, area, area.max.x - sketch.px(deck) - layer_x - sketch.px(8));
    Measures measures = measure(sketch);
    place(sketch, area, plan);
    plan.scales.layer = layer_scale(sketch, measures, plan);
    constexpr float near_enough = 1.4F;  // one scale for both is worth this much size
    // By their logarithm all sides are of like size.
    if (!sketch.input().log_sides && plan.scales.layer > near_enough * plan.scales.model) return plan;
    // A larger embedding leaves the layer less room: halve the interval in which both just fit.
    float fits = 0, most = plan.scales.model;
    plan.scales.model = 0;
    place(sketch, area, plan);
    most = std::min(most, layer_scale(sketch, measures, plan));
    for (int i = 0; i < 7; ++i) {
        plan.scales.model = i == 0 ? most : (fits + most) / 2;
        place(sketch, area, plan);
        float layer = layer_scale(sketch, measures, plan);
        (layer >= plan.scales.model ? fits : most) = plan.scales.model;
        if (fits == most) break;
    }
    plan.scales.model = plan.scales.layer = fits > 0 ? fits : most;
    place(sketch, area, plan);
    return plan;
}

}  // namespace headcount
