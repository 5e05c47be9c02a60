// Latent attention in one layer: what narrows each token, the bottlenecks of which one is cached, what makes queries,
// keys and values of them, the heads, and back to the stream.
#include <algorithm>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {
namespace {

// One of the two rows: queries above, keys and values below. Without a bottleneck queries come from the stream at once.
struct Row {
    std::string_view down, norm, normed, kept, key, up, made;
};
constexpr std::string_view prefix = "layer.attention.";
constexpr Row latent_rows[] = {
    {"query_down", "query_down_norm", "query_down_norm", "", "", "query", "queries"},
    {"latent_down", "latent_norm", "", "latent_cache", "key_cache", "latent_up", "keys_values"}};

std::string id_of(std::string_view name, std::string_view rest = "") {
    return std::string(prefix) + std::string(name) + std::string(rest);
}

// What a row is measured by: sides, the model's or the base's; 0 x 0 for what is not there. Taken from the graph once,
// because many scales are tried.
struct LatentRow {
    Sides down, down_bias, bottleneck, shared, norm, up, up_bias, made;
    float down_words = 0, up_words = 0;  // how wide their labels are
    float up_name = 0;                   // ... and the second one's name alone
};
struct LatentMeasures {
    explicit LatentMeasures(const Sketch& sketch);

    LatentRow rows[2];
    Sides joined, output, output_bias, sinks;
    float output_words = 0;
};

// Left edges of the columns and how wide they are, at a scale, and how tall a row becomes.
struct LatentAt {
    float split, down, bottleneck, up, merge, heads, joined, output, right;
    float down_width, bottleneck_width, up_width;
    float row, output_height;
};

constexpr float inner = 18;               // an arrow between two matrices
constexpr float above = 17, below = 15;   // a name, a line of numbers
constexpr float made_gap = 12;            // between what makes queries and those
constexpr float norm_gap = 4, apart = 3;  // between a norm and what it makes; between the two that are kept
constexpr float least_made = 2 * least_side;

float bias_height(const Sketch& sketch, const Sides& bias, float scale) {
    return bias.columns > 0 ? sketch.px(2) + sketch.thick(bias.rows, scale) : 0;
}
float wide(const Sketch& sketch, const Sides& sides, float scale) {
    return sides.columns > 0 ? sketch.thick(sides.columns, scale) : 0;
}
float tall(const Sketch& sketch, const Sides& sides, float scale) {
    return sides.columns > 0 ? sketch.thick(sides.rows, scale) : 0;
}
float made_height(const Sketch& sketch, const LatentRow& row, float scale) {
    return std::min(sketch.thick(row.made.rows, scale), sketch.px(least_made));
}

LatentAt measured(const Sketch& sketch, const LatentMeasures& the, const Plan& plan, float scale, bool words) {
    using namespace room;
    const auto px = [&](float design) { return sketch.px(design); };
    LatentAt at{};
    float names = 0, sizes = 0, name = 0;
    for (const LatentRow& row : the.rows) {
        at.down_width = std::max(at.down_width, wide(sketch, row.down, scale));
        const float kept = wide(sketch, row.bottleneck, scale) +
                           (row.shared.columns > 0 ? px(apart) + wide(sketch, row.shared, scale) : 0);
        at.bottleneck_width = std::max({at.bottleneck_width, kept, wide(sketch, row.norm, scale)});
        at.up_width = std::max({at.up_width, wide(sketch, row.up, scale), wide(sketch, row.made, scale)});
        names = std::max(names, row.down_words);
        sizes = std::max(sizes, row.up_words);
        name = std::max(name, row.up_name);
        const float stack = tall(sketch, row.up, scale) + bias_height(sketch, row.up_bias, scale) + px(made_gap) +
                            made_height(sketch, row, scale);
        at.row = std::max({at.row,
                           tall(sketch, row.down, scale) + bias_height(sketch, row.down_bias, scale) +
                               (words ? px(above + below) : px(6)),
                           stack + (words ? px(above) : px(6))});
    }
    at.split = card_split(sketch, plan, attention_block, scale);
    at.down = at.split + plan.arrow;
    // Words stand above and below, and matrices that are narrower leave them room beside.
    const float down_room = words ? std::max(at.down_width, names + px(4)) : at.down_width;
    at.bottleneck = at.down + down_room + px(inner);
    at.up = at.bottleneck + at.bottleneck_width + px(inner);
    // Where rows are too low for words above them, a name stands beside what it names.
    at.merge = at.up + (words ? std::max(at.up_width, sizes) : at.up_width + px(gap) + name) + px(gap);
    at.heads = at.merge + plan.arrow;
    at.joined = at.heads + px(heads + gap);
    const float output = wide(sketch, the.output, scale), output_words = words ? the.output_words : 0;
    at.output = at.joined + wide(sketch, the.joined, scale) + plan.arrow + std::max(0.0F, output_words - output) / 2;
    at.right = at.output + std::max(output, (output + output_words) / 2) + px(padding);
    at.output_height = tall(sketch, the.output, scale) + bias_height(sketch, the.output_bias, scale);
    return at;
}

float row_height(const Sketch& sketch, const Plan& plan) {
    return (plan.mixer.height() - sketch.px(14)) / 2;
}

// The narrowing matrix and what it leaves; returns where that leaves the column, or where the row began.
Point lay_out_bottleneck(Sketch& sketch, const Plan& plan, const LatentAt& at, const Row& row, float y, float norm_y) {
    const std::string down = id_of(row.down, ".weight"), input = block_input(sketch, attention_block);
    if (!sketch.has(down)) {
        sketch.wire({{at.split, norm_y}, {at.split, y}, {at.up - sketch.px(2), y}}, input);
        return {at.up - sketch.px(2), y};
    }
    const float scale = plan.scales.layer;
    sketch.wire({{at.split, norm_y}, {at.split, y}, {at.down - sketch.px(2), y}}, input);
    const Rect weight = sketch.weight(id_of(row.down), {at.down, y}, scale);
    const Tensor& tensor = *sketch.find(down);
    sketch.name({weight.min.x, weight.min.y - sketch.px(above)}, sketch.name_text(tensor), down);
    sketch.number({weight.min.x, weight.max.y + sketch.px(sketch.has(id_of(row.down, ".bias")) ? 11 : 3)},
                  sketch.shape_text(tensor), down);

    const bool kept = !row.kept.empty();
    const std::string norm = id_of(row.norm), narrowed = id_of(kept ? row.kept : row.normed);
    const Point size = sketch.norm_extent(norm, scale);
    const float tallest =
        std::max(row_height(sketch, plan) - 2 * (size.y + sketch.px(norm_gap + 3)), sketch.px(least_side));
    const Rect made = sketch.slab(narrowed, {at.bottleneck, y}, scale, tallest);
    float right = made.max.x;
    if (kept) right = sketch.slab(id_of(row.key), {made.max.x + sketch.px(apart), y}, scale, tallest).max.x;
    const float bar_y = made.min.y - sketch.px(norm_gap) - size.y + sketch.thick(sketch.drawn(1), scale) / 2;
    const Rect bar = sketch.norm_slab(norm, {at.bottleneck, bar_y}, scale);
    sketch.name({at.bottleneck, bar.min.y - sketch.px(above)}, sketch.find(narrowed)->symbol, narrowed);
    if (kept)
        sketch.label({at.bottleneck, made.max.y + sketch.px(3)}, "cached", TextRole::number, Tone::cached, Anchor::left,
                     narrowed);
    sketch.wire({{weight.max.x, y}, {made.min.x - sketch.px(2), y}}, id_of(kept ? "latent" : "query_latent"));
    return {right, y};
}

void lay_out_row(Sketch& sketch, const Plan& plan, const LatentAt& at, const Row& row, const LatentRow& measures,
                 float y, float norm_y) {
    const float scale = plan.scales.layer;
    const Point from = lay_out_bottleneck(sketch, plan, at, row, y, norm_y);
    const std::string up = id_of(row.up, ".weight"), made = id_of(row.made);
    const float height = sketch.thick(sketch.sides(up).rows, scale),
                extra = bias_height(sketch, measures.up_bias, scale);
    const float most = sketch.px(least_made), result = made_height(sketch, measures, scale);
    const float top = y - (height + extra + sketch.px(made_gap) + result) / 2 + sketch.px(above) / 3;
    const Rect weight = sketch.weight(id_of(row.up), {at.up, top + height / 2}, scale);
    if (from.x < at.up - sketch.px(3)) {
        const float turn = at.up - sketch.px(inner / 2);
        sketch.wire({from, {turn, y}, {turn, weight.centre().y}, {at.up - sketch.px(2), weight.centre().y}},
                    id_of(row.kept.empty() ? row.normed : row.kept));
    }
    sketch.tensor_label(up, {weight.min.x, weight.min.y - sketch.px(above)}, 1);
    const float made_y = weight.max.y + extra + sketch.px(made_gap) + result / 2;
    const Rect output = sketch.slab(made, {at.up, made_y}, scale, most);
    const float x = std::min(output.centre().x, output.min.x + sketch.px(20));
    sketch.wire({{x, weight.max.y + extra}, {x, output.min.y - sketch.px(1)}}, made);
    sketch.name({x + sketch.px(10), output.max.y + sketch.px(2)}, sketch.find(made)->symbol, made);
    sketch.line({{output.max.x, made_y}, {at.merge, made_y}, {at.merge, plan.mixer.centre().y}}, made);
}

}  // namespace

LatentMeasures::LatentMeasures(const Sketch& sketch)
    : joined(sketch.sides(id_of("joined"), true)),
      output(sketch.sides(id_of("output", ".weight"), true)),
      output_bias(sketch.sides(id_of("output", ".bias"), true)),
      sinks(sketch.sides("layer.attention.sinks.weight", true)),
      output_words(output_labels(sketch)) {
    for (std::size_t i = 0; i < 2; ++i) {
        const Row& row = latent_rows[i];
        const auto sides = [&](std::string_view name, std::string_view rest = "") {
            return sketch.sides(id_of(name, rest), true);
        };
        rows[i] = {.down = sides(row.down, ".weight"),
                   .down_bias = sides(row.down, ".bias"),
                   .bottleneck = row.kept.empty() ? sides(row.normed) : sides(row.kept),
                   .shared = row.kept.empty() ? Sides{0, 0} : sides(row.key),
                   .norm = sides(row.norm, ".weight"),
                   .up = sides(row.up, ".weight"),
                   .up_bias = sides(row.up, ".bias"),
                   .made = sides(row.made),
                   .down_words = sketch.label_width(id_of(row.down, ".weight"), 2),
                   .up_words = sketch.label_width(id_of(row.up, ".weight"), 1),
                   .up_name = sketch.width_of(sketch.find(id_of(row.up, ".weight"))->symbol, TextRole::name)};
    }
}

LargestScales latent_scales(const Sketch& sketch, const Plan& plan) {
    const LatentMeasures the(sketch);
    return largest_tried(sketch, [&](float scale, bool words) {
        const LatentAt at = measured(sketch, the, plan, scale, words);
        return at.right <= plan.mixer.max.x && at.row <= row_height(sketch, plan) &&
               at.output_height <= plan.mixer.height() - sketch.px(words ? 76 : 12) &&
               (the.sinks.columns <= 0 || sketch.thick(the.sinks.columns, scale) <= sketch.px(room::heads));
    });
}

void lay_out_latent(Sketch& sketch, const Plan& plan) {
    const LatentMeasures the(sketch);
    LatentAt at = measured(sketch, the, plan, plan.scales.layer, true);
    if (at.right > plan.mixer.max.x) at = measured(sketch, the, plan, plan.scales.layer, false);
    // What is left over is shared out.
    const float slack = std::max(0.0F, plan.mixer.max.x - at.right) / 5;
    float shift = 0;
    for (float* column : {&at.down, &at.bottleneck, &at.up, &at.merge}) *column += shift += slack;
    for (float* column : {&at.heads, &at.joined}) *column += shift;
    at.output += shift + slack;
    lay_out_card(sketch, plan, attention_block);
    const float norm_y = card_norm_y(sketch, plan, attention_block), height = row_height(sketch, plan);
    lay_out_norm(sketch, plan, attention_block, norm_y, at.split);
    const float first = plan.mixer.min.y + sketch.px(7) + height / 2, middle = plan.mixer.centre().y;
    for (int i = 0; i < 2; ++i)
        lay_out_row(sketch, plan, at, latent_rows[i], the.rows[i], first + static_cast<float>(i) * height, norm_y);
    sketch.wire({{at.merge, middle}, {at.heads, middle}}, "layer.attention.head.scores");
    lay_out_heads_joined(sketch, plan, {at.heads, at.joined, at.output, sketch.px(room::heads)}, middle,
                         std::max(2 * height * 0.7F, sketch.px(2 * least_side)));
}

}  // namespace headcount
