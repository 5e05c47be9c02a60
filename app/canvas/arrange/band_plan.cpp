// Divides the page of attention between the three weights, the card in which a head's columns are seen, and the rest.
#include <algorithm>

#include "app/canvas/arrange/head_plan.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float above_card = 5, band_title = 25, said_below = 29, below_card = 8, foot = 6;
constexpr float lane_line = 15, lane_gap = 4, least_row = 40;
constexpr float card_padding = 12, arrow = 20, into_card = 16, right_of_all = 20, past_title = 6;
constexpr float least_for_sums = 184;
constexpr float least_card = 0.5F;    // of the width
constexpr float least_strip = 0.75F;  // of the card's width
constexpr float side_share = 0.13F, norm_share = 0.11F;

constexpr std::string_view norm_id = "layer.attention.norm", output_id = "layer.attention.output.weight";

float bias_room(const Sketch& sketch, std::string_view bias) {
    return sketch.has(bias) ? sketch.px(2 + least_side) : 0;
}

float scale_of(const Sketch& sketch, const BandPlan& plan) {
    const float width = sketch.input().area.width();
    double rows = 0, columns = 0;
    float bias = 0;
    for (const BandLane& lane : band_lanes) {
        const Sides sides = sketch.sides(lane.weight, true);
        rows = std::max(rows, sides.rows);
        columns = std::max(columns, sides.columns);
        bias = std::max(bias, bias_room(sketch, lane.bias));
    }
    const Sides output = sketch.sides(output_id, true);
    const float output_bias = bias_room(sketch, "layer.attention.output.bias");
    return largest_scale({one_row(sketch),
                          {rows, plan.pitch - sketch.px(lane_gap) - 2 * bias},
                          {columns, side_share * width},
                          {rows, norm_share * width},  // the norm is as wide as they are tall
                          {output.rows, plan.row.height() - sketch.px(4) - 2 * output_bias},
                          {output.columns, side_share * width},
                          {output.rows, side_share * width}});  // the joined heads are as wide as that is tall
}

// Rows: the card's three, and one below it, as tall as one of them where there is room.
void share_height(const Sketch& sketch, BandPlan& plan) {
    const Rect& area = sketch.input().area;
    const auto px = [&](float design) { return sketch.px(design); };
    plan.sums = area.height() >= px(least_for_sums);
    const float below = plan.sums ? said_below : lane_gap;
    const float rest = area.height() - px(above_card + band_title + below + below_card + foot);
    plan.line = px(lane_line);
    plan.gap = px(lane_gap);
    plan.pitch = std::max(std::min(rest / 4, (rest - px(least_row)) / 3), px(lane_line + lane_gap + least_side));
    plan.card.min.y = area.min.y + px(above_card);
    plan.inner.min.y = plan.card.min.y + px(band_title);
    plan.inner.max.y = plan.inner.min.y + 3 * plan.pitch;
    plan.card.max.y = plan.inner.max.y + px(below);
    plan.row.min.y = plan.card.max.y + px(below_card);
    plan.row.max.y = std::max(area.max.y - px(foot), plan.row.min.y + px(least_side));
}

float norm_width(const Sketch& sketch, float scale) {
    if (!sketch.has(norm_id)) return 0;
    const float words = std::max(sketch.width_of("Norm", TextRole::name),
                                 sketch.width_of(norm_size(sketch, norm_id), TextRole::number));
    return std::max(sketch.norm_extent(norm_id, scale).x, words);
}

}  // namespace

float BandPlan::lane_y(std::size_t lane) const {
    const float top = inner.min.y + static_cast<float>(lane) * pitch;
    return (top + line + top + pitch - gap) / 2;
}

float BandPlan::tallest() const { return pitch - line - gap; }

bool names_inside(const Sketch& sketch, std::string_view weight, float scale, float share) {
    const Sides sides = sketch.sides(weight);
    const float words = sketch.width_of(sketch.find(weight)->symbol, TextRole::name);
    return share * sketch.thick(sides.columns, scale) >= words + sketch.px(5) &&
           sketch.thick(sides.rows, scale) >= sketch.px(22);
}

BandPlan plan_band(const Sketch& sketch) {
    const Rect& area = sketch.input().area;
    const auto px = [&](float design) { return sketch.px(design); };
    BandPlan plan;
    plan.heads = std::max<std::int64_t>(1, sketch.whole(Symbol::heads));
    plan.kv_heads = std::clamp<std::int64_t>(sketch.whole(Symbol::kv_heads), 1, plan.heads);
    plan.head = std::clamp<std::int64_t>(sketch.input().band.value_or(0), 0, plan.heads - 1);
    share_height(sketch, plan);
    plan.row.max.x = area.max.x - px(right_of_all);
    plan.scale = scale_of(sketch, plan);
    plan.split = area.min.x + px(room::padding) + norm_width(sketch, plan.scale) + px(room::gap);
    plan.weights = plan.split + px(arrow);
    plan.weights_end = plan.weights;
    for (std::size_t i = 0; i < band_lanes.size(); ++i) {
        const BandLane& lane = band_lanes[i];
        const float own = sketch.thick(sketch.sides(lane.weight, true).columns, plan.scale);
        const float words = names_inside(sketch, lane.weight, plan.scale, plan.beside_band(i))
                                ? 0
                                : px(6) + sketch.width_of(sketch.find(lane.weight)->symbol, TextRole::name);
        plan.weights_end = std::max(plan.weights_end, plan.weights + own + words);
    }
    plan.card.max.x = area.max.x - px(right_of_all);
    const float named = area.min.x + px(room::padding + past_title) + sketch.header_width(attention_block);
    plan.card.min.x =
        std::min(std::max(plan.weights_end + px(into_card), named), plan.card.max.x - least_card * area.width());
    plan.row.min.x = plan.card.min.x;
    plan.inner.min.x = plan.card.min.x + px(card_padding);
    plan.inner.max.x = plan.card.max.x - px(card_padding);
    double columns = 1;
    for (const BandLane& lane : band_lanes) columns = std::max(columns, sketch.sides(lane.made, true).columns);
    // All rows are seen where that costs little; of many tokens only the first.
    const float widest = plan.inner.width() / static_cast<float>(columns);
    const float whole = plan.tallest() / static_cast<float>(std::max(sketch.sides(band_lanes[0].made, true).rows, 1.0));
    plan.made_scale = std::max(least_strip * widest, std::min(widest, whole));
    return plan;
}

}  // namespace headcount
