// Divides the area among the parts and chooses the scales, so that everything fits and one scale serves where it can.
#include <algorithm>

#include "app/canvas/arrange/layer_page.hpp"

namespace headcount {
namespace {

constexpr float tokens_width = 52, tokens_from = 780, tokens_ways = 28, embedding_x = 92, deck = 14, title = 32,
                return_gap_wide = 38, return_gap_narrow = 28, return_gap_least = 24;
constexpr float low_box = 96;  // of three: where it is lower, a norm's words stand beside it
constexpr float closed_height = 30;     // of a feed-forward that is its name alone
constexpr float least_attention = 116;  // beside a mixture, which has more words
constexpr float mixer_height = 205;     // of a mixer that is laid out from its nodes alone, as far as there is room
constexpr float sums_norm_wide = 30, sums_norm_narrow = 24;  // below a sum, where its norm is
constexpr float caption_above = 24, captions_below = 38, least_gap_to_layer = 88;
constexpr float above_positions = 190;  // the stream and its words, or a short table and the words below it

float model_scale(const Sketch& sketch, Rect area, float ends_room) {
    Sides table = sketch.sides("embedding.weight", true), positions = sketch.sides("positions.weight", true);
    // The way from the embedding's width to the stream's and back.
    Sides projection = sketch.sides("embedding_projection.weight", true),
          narrowing = sketch.sides("output_projection.weight", true);
    const double wide = std::max(positions.columns, projection.columns);
    float tall = area.height() - sketch.px(caption_above + captions_below);
    // By their logarithm the sides are so much alike that one scale serves all, and the ends need more of the area.
    const float across = sketch.input().log_sides ? 0.14F : 0.1F, down = sketch.input().log_sides ? 0.13F : 0.085F;
    return largest_scale({one_row(sketch),
                          {table.rows, tall},
                          {positions.rows + projection.rows,
                           area.height() - sketch.px(above_positions + (projection.rows > 0 ? 60 : 0))},
                          {table.columns + wide, across * area.width()},
                          {table.rows, ends_room},
                          {table.columns + narrowing.rows, down * area.height()}});
}

int lines_in(const Sketch& sketch, float height) {
    return height >= sketch.label_height(3) + sketch.px(2) ? 3 : height >= sketch.label_height(2) ? 2 : 1;
}

// How tall what stands above each other in a sub-block is, in rows.
double attention_rows(const Sketch& sketch) {
    const double dim = sketch.sides("layer.attention.output.weight", true).columns;
    if (!is_latent(sketch)) return 3 * dim;
    const Sides up = sketch.sides("layer.attention.query.weight", true);
    return std::max(dim, up.rows) + dim;
}
double feed_forward_rows(const Sketch& sketch) {
    if (!is_mixture(sketch)) return sketch.sides("layer.feed_forward.down.weight", true).rows;
    const Sides up = sketch.sides("layer.feed_forward.expert.up.weight", true);
    const double expert = up.columns > up.rows ? std::max(2 * up.rows, up.columns) : up.rows;
    return sketch.has("layer.feed_forward.shared.up.weight") ? 2 * expert : expert;
}

// Where a layer attends twice, each gets so much of the boxes' height.
float attention_share_of(const Sketch& sketch, float boxes) {
    const double above = attention_rows(sketch), below = feed_forward_rows(sketch);
    const float fixed = sketch.px(2 * 38), words = sketch.px(24);
    const auto rows = static_cast<float>(above / (2 * above + below));
    return std::clamp((fixed / 2 + (boxes - fixed - words) * rows) / boxes, 0.32F, 0.36F);
}

// Attention stacks three matrices, the feed-forward stands one on its end: each box gets the height at which both are
// drawn at the same scale, as long as the words in the other still fit.
float mixer_share_of(const Sketch& sketch, float boxes) {
    if (!is_attention(sketch))
        return is_mixture(sketch) ? 0.5F : std::clamp(sketch.px(mixer_height) / boxes, 0.5F, 0.62F);
    const double above = attention_rows(sketch), below = feed_forward_rows(sketch);
    const bool mixture = is_mixture(sketch), shared = sketch.has("layer.feed_forward.shared.up.weight");
    const float fixed = sketch.px(38), words = sketch.px(shared ? 122.0F : mixture ? 77.0F : 24.0F);
    auto share = (fixed + (boxes - fixed - words) * static_cast<float>(above / (above + below))) / boxes;
    const bool rows = is_latent(sketch) || sketch.has("layer.attention.query_norm.weight");
    const float least =
        std::min(0.48F, std::max(0.36F, sketch.px(rows ? least_attention : least_attention - 24) / boxes));
    return std::clamp(share, mixture ? least : 0.48F, mixture ? 0.5F : 0.58F);
}

// From the area's left to the embedding, where there is room for tokens: beyond their words run their ways to its rows.
float tokens_room(const Sketch& sketch, Rect area) {
    if (area.width() < sketch.px(tokens_from)) return 0;
    return std::max(sketch.px(embedding_x),
                    sketch.width_of(sketch.tokens_text(), TextRole::number) + sketch.px(tokens_ways));
}

double columns_of(const Sketch& sketch, std::string_view id) {
    return sketch.sides(id, true).columns;
}
double rows_of(const Sketch& sketch, std::string_view id) {
    return sketch.sides(id, true).rows;
}

float header_of(const Plan& plan, std::string_view block) {
    if (plan.shares_norm) return std::max(plan.mixer_header, plan.feed_forward_header);
    return block == feed_forward_block ? plan.feed_forward_header : plan.mixer_header;
}

// Where a column is as wide as its matrix or as its words, both are limits.
LargestScales attention_scales(const Sketch& sketch, const Plan& plan) {
    using namespace room;
    const double dim = columns_of(sketch, "layer.attention.output.weight"),
                 joined = rows_of(sketch, "layer.attention.output.weight");
    const double query =
        std::max({columns_of(sketch, "layer.attention.query.weight"), columns_of(sketch, "layer.attention.key.weight"),
                  columns_of(sketch, "layer.attention.value.weight")});
    const double normed =
        std::max(rows_of(sketch, "layer.attention.query_norm.weight"),
                 rows_of(sketch, "layer.attention.key_norm.weight")) +
        std::max(rows_of(sketch, "layer.attention.query_norm.bias"), rows_of(sketch, "layer.attention.key_norm.bias"));
    const bool bias = sketch.has("layer.feed_forward.up.bias");
    const float width =
        plan.mixer.width() - sketch.px(2 * padding + 4 * gap + heads + 8) - 4 * plan.arrow - memory_room(sketch);
    const float height = (plan.mixer.height() - sketch.px(14)) / 3;
    // A bias below each, and air, of which there is less where lanes are low.
    const float beside = bias ? std::clamp(0.55F * height, sketch.px(10), sketch.px(16)) : sketch.px(8);
    const float shapes =
        largest_scale({{dim + 2 * query + joined + dim, width},
                       {dim, height - beside},
                       {2 * normed, height - sketch.px(20)},
                       {columns_of(sketch, "layer.attention.sinks.weight"), sketch.px(heads)},
                       {joined, std::max(plan.mixer.height() - sketch.px(76), 0.3F * plan.mixer.height())}});
    const float above = width - (sketch.px(8) + lane_labels(sketch, plan.mixer_lines)),
                made = lane_outputs(sketch, plan.mixer_lines), output = output_labels(sketch);
    return {shapes, largest_scale({{dim + 2 * query + joined + dim, above},
                                   {dim + 2 * query + joined, above - output},
                                   {dim + query + joined, above - output - made},
                                   {query + joined, above - output - made - header_of(plan, attention_block)}})};
}

LargestScales feed_forward_scales(const Sketch& sketch, const Plan& plan, float limit) {
    using namespace room;
    const double dim = columns_of(sketch, "layer.feed_forward.down.weight"),
                 wide = columns_of(sketch, "layer.feed_forward.up.weight");
    const bool gated = sketch.has("layer.feed_forward.gate.weight"), bias = sketch.has("layer.feed_forward.up.bias");
    const float width = plan.feed_forward.width() - sketch.px(2 * padding + 2 * gap + operation + 8) - 2 * plan.arrow;
    const float height = plan.feed_forward.height();
    const float shapes = largest_scale({{dim + 2 * wide + dim, width},
                                        {gated ? 2 * dim : dim, height - sketch.px(bias ? 44 : 28)},
                                        {wide, height - sketch.px(24)}});
    const float hidden = hidden_labels(sketch, plan.feed_forward_lines);
    auto with_words = [&](float up) {
        const float below = width - up - hidden;
        return largest_scale({{dim + wide + dim, below}, {wide + dim, below - header_of(plan, feed_forward_block)}});
    };
    // Gate and up carry their words inside where they are large enough for them.
    const float scale = std::min({limit, shapes, with_words(0)});
    const bool large = static_cast<float>(dim) * scale >= sketch.label_height(2);
    if (static_cast<float>(wide) * scale >= up_labels(sketch, large ? 2 : 1) + sketch.px(16))
        return {shapes, with_words(0)};
    return {shapes, with_words(up_labels(sketch, plan.feed_forward_lines) + sketch.px(8))};
}

// Norms behind the sub-blocks or on the stream stand in a row with what is added.
float norms_behind(const Sketch& sketch, const Plan& plan) {
    const bool behind = sketch.has(plan.mixer_block + ".output_norm") || sketch.has("layer.feed_forward.output_norm");
    const double dim = columns_of(sketch, plan.mixer_block + ".output");
    const float width = plan.mixer.width() - sketch.px(room::padding + 8);
    return largest_scale({{behind ? 2 * dim : dim, behind ? width - sketch.px(room::normed_back) : width}});
}

// The largest scale at which both sub-blocks of a layer hold what they draw, where the plan puts them.
float layer_scale(const Sketch& sketch, const Sketch* cross, const Plan& plan) {
    const LargestScales mixer = is_latent(sketch)      ? latent_scales(sketch, plan)
                                : is_attention(sketch) ? attention_scales(sketch, plan)
                                                       : mixer_scales(sketch, plan);
    constexpr LargestScales any{1e9F, 1e9F};
    const LargestScales crossing = cross ? attention_scales(*cross, plan.of_cross()) : any;
    const LargestScales feed_forward =
        plan.closed || !has_feed_forward(sketch) ? any
        : is_mixture(sketch)                     ? mixture_scales(sketch, plan)
                             : feed_forward_scales(sketch, plan, std::min(mixer.shapes, mixer.with_words));
    const float shapes = std::min({largest_scale({one_row(sketch)}), mixer.shapes, crossing.shapes,
                                   feed_forward.shapes, norms_behind(sketch, plan)});
    // Words give way before the picture does: below this they are dropped where they crowd.
    constexpr float least_share = 0.6F;
    return std::max(std::min({shapes, mixer.with_words, crossing.with_words, feed_forward.with_words}),
                    least_share * shapes);
}

// The sub-blocks below each other in the layer, in so much height for all.
void place_boxes(const Sketch& sketch, const Sketch* cross, Plan& plan, float left, float right, float boxes) {
    const float open = plan.closed ? boxes - sketch.px(closed_height) : boxes;
    const bool alone = !has_feed_forward(sketch);
    const float attention = cross ? attention_share_of(sketch, boxes) * boxes : 0;
    plan.low = cross && attention < sketch.px(low_box);
    const float mixer = alone         ? boxes - attention
                        : plan.closed ? open - attention
                        : cross       ? attention
                                      : mixer_share_of(sketch, boxes) * boxes;
    float top = plan.layer.min.y + sketch.px(title);
    const auto box = [&](float height) {
        const Rect rect{{left, top}, {right, top + height}};
        top = rect.max.y + plan.return_gap;
        return rect;
    };
    const auto lines = [&](const Rect& rect) { return lines_in(sketch, (rect.height() - sketch.px(14)) / 3); };
    plan.mixer = box(mixer);
    plan.mixer_lines = lines(plan.mixer);
    if (cross) {
        plan.cross = box(attention);
        plan.cross_lines = lines(plan.cross);
    }
    plan.feed_forward = {{left, top}, {right, top + boxes - mixer - attention}};
    const bool gated = sketch.has("layer.feed_forward.gate.weight");
    plan.feed_forward_lines =
        lines_in(sketch, (plan.feed_forward.height() - sketch.px(8)) / (gated ? 2.0F : 1.0F));
}

// Everything but the scales' choice: where the parts go at the scale that the plan has.
void place(const Sketch& sketch, const Sketch* cross, Rect area, Plan& plan) {
    auto px = [&](float design) { return sketch.px(design); };
    float scale = plan.scales.model, right = area.max.x - px(deck);
    Sides table = sketch.sides("embedding.weight", true), positions = sketch.sides("positions.weight", true);
    const double second = std::max(positions.columns, sketch.sides("embedding_projection.weight", true).columns);
    float tables = sketch.thick(table.columns, scale) + (second > 0 ? px(8) + sketch.thick(second, scale) : 0);
    const float tokens = tokens_room(sketch, area), embedding_left = area.min.x + tokens;
    plan.tokens = {area.min, {area.min.x + (tokens > 0 ? px(tokens_width) : 0), area.max.y}};
    plan.embedding = {{embedding_left, area.min.y}, {embedding_left + tables, area.max.y}};
    float words = sketch.width_of(sketch.shape_text(first_stream(sketch)), TextRole::number);  // above the stream
    float gap = std::max({px(least_gap_to_layer), sketch.thick(table.columns, scale) + px(30), words + px(20)});
    float layer_left = plan.embedding.max.x + gap;
    right = std::max(right, layer_left + px(least_layer));
    bool roomy = area.width() > px(800);
    plan.stream_x = layer_left + px(roomy ? 34 : 24);
    const float ends = ends_height(sketch, scale, right - (plan.stream_x - px(stream_inset)));
    const int count = 1 + (cross ? 1 : 0) + (has_feed_forward(sketch) ? 1 : 0);
    const float beside_boxes = px(title) + static_cast<float>(count) * plan.return_gap + px(4);
    const float layer_top = area.min.y + px(deck),
                bottom = std::max(area.max.y, layer_top + beside_boxes + px(std::max(count, 2) * least_box) + ends);
    plan.layer = {{layer_left, layer_top}, {right, bottom - ends}};
    plan.ends = {{plan.layer.min.x, plan.layer.max.y}, {right, bottom}};
    plan.arrow = px(roomy ? 22 : 14);
    float boxes = plan.layer.height() - beside_boxes;
    float left = plan.stream_x + px(roomy ? 28 : 22), box_right = plan.layer.max.x - px(roomy ? 12 : 8);
    place_boxes(sketch, cross, plan, left, box_right, boxes);
}

}  // namespace

Plan Plan::of_cross() const {
    Plan plan = *this;
    plan.mixer = cross;
    plan.mixer_lines = cross_lines;
    plan.mixer_header = cross_header;
    return plan;
}

Plan plan_model(const Sketch& sketch, const Sketch* cross, Rect area) {
    Plan plan;
    const bool wide = area.height() > sketch.px(520);
    plan.return_gap = sketch.px(wide ? return_gap_wide : cross ? return_gap_least : return_gap_narrow);
    plan.way_back = plan.return_gap / 2 + sketch.px(4);
    plan.mixer_block = mixer_block(sketch);
    plan.mixer_header = sketch.header_width(plan.mixer_block);
    if (cross) plan.cross_header = cross->header_width(attention_block);
    if (has_feed_forward(sketch)) plan.feed_forward_header = sketch.header_width(feed_forward_block);
    plan.dim = sketch.drawn(sketch.value(Symbol::dim));
    plan.shares_norm = shares_norm(sketch);
    plan.closed = has_band(sketch.input());
    if (norm_after_sum(sketch)) plan.return_gap += sketch.px(wide ? sums_norm_wide : sums_norm_narrow);
    // The head is as wide as the vocabulary is tall in the embedding; both share the model's scale.
    float layer_x = area.min.x + std::max(sketch.px(embedding_x), tokens_room(sketch, area)) +
                    sketch.px(least_gap_to_layer) + 0.1F * area.width();
    plan.scales.model = model_scale(sketch, area, area.max.x - sketch.px(deck) - layer_x - sketch.px(8));
    place(sketch, cross, area, plan);
    plan.scales.layer = layer_scale(sketch, cross, plan);
    constexpr float near_enough = 1.4F;  // one scale for both is worth this much size
    // By their logarithm all sides are of like size.
    if (!sketch.input().log_sides && plan.scales.layer > near_enough * plan.scales.model) return plan;
    // A larger embedding leaves the layer less room: halve the interval in which both just fit.
    float fits = 0, most = plan.scales.model;
    plan.scales.model = 0;
    place(sketch, cross, area, plan);
    most = std::min(most, layer_scale(sketch, cross, plan));
    for (int i = 0; i < 7; ++i) {
        plan.scales.model = i == 0 ? most : (fits + most) / 2;
        place(sketch, cross, area, plan);
        float layer = layer_scale(sketch, cross, plan);
        (layer >= plan.scales.model ? fits : most) = plan.scales.model;
        if (fits == most) break;
    }
    plan.scales.model = plan.scales.layer = fits > 0 ? fits : most;
    place(sketch, cross, area, plan);
    return plan;
}

}  // namespace headcount
