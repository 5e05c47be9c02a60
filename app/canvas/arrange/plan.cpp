// Divides the area among the parts and chooses the scales, so that everything fits and one scale serves where it can.
#include <algorithm>

#include "app/canvas/arrange/place.hpp"

namespace headcount {
namespace {

constexpr float return_gap_wide = 38, return_gap_narrow = 28, return_gap_least = 20;
constexpr float sums_norm_wide = 30, sums_norm_narrow = 24;  // below a sum, where its norm is
constexpr float caption_above = 24, captions_below = 38;
constexpr float above_positions = 190;  // the stream and its words, or a short table and the words below it
// Of a layer beside that of another stack, with the titles of its sub-blocks in their corners, or in rows of their own.
constexpr float least_stack_width = 490, least_stack_in_rows = 330, title_row = 20;

float model_scale(const Sketch& sketch, Rect area, float ends_room) {
    Sides table = sketch.sides("embedding.weight", true), positions = sketch.sides("positions.weight", true);
    const Sides head = head_sides(sketch, true);
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
                          {head.columns, ends_room},
                          {head.rows + narrowing.rows, down * area.height()}});
}

double columns_of(const Sketch& sketch, std::string_view id) {
    return sketch.sides(id, true).columns;
}
double rows_of(const Sketch& sketch, std::string_view id) {
    return sketch.sides(id, true).rows;
}

float header_of(const Plan& plan, std::string_view block) {
    if (plan.shares_norm) return std::max(plan.mixer_header, plan.feed_forward_header);
    return plan.second(block) ? plan.feed_forward_header : plan.mixer_header;
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
    // Names never give way; the squares of the heads do.
    const float names = lane_names(sketch, plan, 0);
    const float for_shapes = names > 0 ? std::max(width - names + sketch.px(heads - least_heads), width / 2) : width;
    const float shapes =
        largest_scale({{dim + 2 * query + joined + dim, std::min(width, for_shapes)},
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
float layer_scale(const LayerPencils& pencils, const Plan& plan) {
    const Sketch& sketch = pencils.own;
    constexpr LargestScales any{1e9F, 1e9F};
    const bool alone = is_feed_forward_alone(sketch);
    const LargestScales mixer = alone                  ? any
                                : is_latent(sketch)    ? latent_scales(sketch, plan)
                                : is_attention(sketch) ? attention_scales(sketch, plan)
                                                       : mixer_scales(sketch, plan);
    const LargestScales crossing = pencils.cross ? attention_scales(*pencils.cross, plan.of_cross()) : any;
    const LargestScales feed_forward =
        plan.closed || !(alone || has_feed_forward(sketch)) ? any
        : is_mixture(sketch)                                ? mixture_scales(sketch, plan)
                             : feed_forward_scales(sketch, plan, std::min(mixer.shapes, mixer.with_words));
    const float shapes = std::min({largest_scale({one_row(sketch)}), mixer.shapes, crossing.shapes, feed_forward.shapes,
                                   norms_behind(sketch, plan)});
    // Words give way before the picture does: below this they are dropped where they crowd.
    constexpr float least_share = 0.6F;
    return std::max(std::min({shapes, mixer.with_words, crossing.with_words, feed_forward.with_words}),
                    least_share * shapes);
}

}  // namespace

Plan Plan::of_cross() const {
    Plan plan = *this;
    plan.mixer = cross;
    plan.mixer_lines = cross_lines;
    plan.mixer_header = cross_header;
    return plan;
}

namespace {

// What does not depend on where the parts go.
Plan begin_plan(const LayerPencils& pencils, Rect area, float title_row = 0) {
    const Sketch& sketch = pencils.own;
    Plan plan;
    const bool wide = area.height() > sketch.px(520);
    plan.return_gap = sketch.px(wide ? return_gap_wide : pencils.cross ? return_gap_least : return_gap_narrow);
    plan.way_back = plan.return_gap / 2 + sketch.px(4);
    plan.mixer_block = mixer_block(sketch);
    plan.title_row = title_row;
    // What the first column is wide enough for: a norm's words, where the title is above.
    const auto header = [&](const Sketch& of, std::string_view block) {
        const std::string norm = std::string(block) + ".norm";
        if (title_row == 0) return of.header_width(block);
        if (!of.has(norm)) return 0.0F;
        return std::max(of.width_of("Norm", TextRole::name), of.width_of(norm_size(of, norm), TextRole::number));
    };
    plan.mixer_header = header(sketch, plan.mixer_block);
    if (pencils.cross) plan.cross_header = header(*pencils.cross, attention_block);
    if (has_feed_forward(sketch)) plan.feed_forward_header = header(sketch, feed_forward_block);
    plan.dim = sketch.drawn(sketch.value(Symbol::dim));
    plan.shares_norm = shares_norm(sketch);
    plan.closed = has_band(sketch.input());
    if (norm_after_sum(sketch)) plan.return_gap += sketch.px(wide ? sums_norm_wide : sums_norm_narrow);
    return plan;
}

// Chooses from `most` on downwards what `place_at` lays out at a scale of the model, and returns that of the layers.
template <class PlaceAt>
Scales choose_scales(const Sketch& sketch, float most, PlaceAt place_at) {
    const float largest = place_at(most);
    constexpr float near_enough = 1.4F;  // one scale for both is worth this much size
    // By their logarithm all sides are of like size.
    if (!sketch.input().log_sides && largest > near_enough * most) return {most, largest};
    // A larger embedding leaves the layer less room: halve the interval in which both just fit.
    float fits = 0;
    most = std::min(most, place_at(0));
    for (int i = 0; i < 7; ++i) {
        const float model = i == 0 ? most : (fits + most) / 2;
        (place_at(model) >= model ? fits : most) = model;
        if (fits == most) break;
    }
    const float both = fits > 0 ? fits : most;
    place_at(both);
    return {both, both};
}

}  // namespace

Plan plan_model(const LayerPencils& pencils, Rect area) {
    const Sketch& sketch = pencils.own;
    Plan plan = begin_plan(pencils, area);
    // The head is as wide as the vocabulary is tall in the embedding; both share the model's scale.
    float layer_x = area.min.x + std::max(sketch.px(embedding_x), tokens_room(sketch, area)) +
                    sketch.px(least_gap_to_layer) + 0.1F * area.width();
    const float most = model_scale(sketch, area, area.max.x - sketch.px(layer_deck) - layer_x - sketch.px(8));
    plan.scales = choose_scales(sketch, most, [&](float model) {
        plan.scales.model = model;
        place(pencils, area, plan);
        return layer_scale(pencils, plan);
    });
    return plan;
}

std::optional<StackPlans> plan_stacks(const StackPencils& pencils, Rect area) {
    const Sketch& sketch = pencils.first.own;
    for (const bool in_rows : {false, true}) {
        const float row = in_rows ? sketch.px(title_row) : 0;
        const float least = sketch.px(in_rows ? least_stack_in_rows : least_stack_width);
        StackPlans plans{begin_plan(pencils.first, area, row), begin_plan(pencils.second, area, row)};
        plans.first.return_gap = plans.second.return_gap;
        plans.first.way_back = plans.second.way_back;
        const float most = std::min(model_scale(sketch, area, least), model_scale(pencils.second.own, area, least));
        const Scales scales = choose_scales(sketch, most, [&](float model) {
            plans.first.scales.model = plans.second.scales.model = model;
            place_stacks(pencils, area, plans);
            return std::min(layer_scale(pencils.first, plans.first), layer_scale(pencils.second, plans.second));
        });
        plans.first.scales = plans.second.scales = scales;
        if (plans.second.layer.width() >= least) return plans;
    }
    return std::nullopt;
}

}  // namespace headcount
