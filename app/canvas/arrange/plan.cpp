// Divides the area among the parts and chooses the scales, so that everything fits and one scale serves where it can.
#include <algorithm>

#include "app/canvas/arrange/place.hpp"

namespace headcount {
namespace {

constexpr float return_gap_wide = 38, return_gap_narrow = 26, return_gap_least = 20;
constexpr float least_way_back = 16;                         // words above it
constexpr float sums_norm_wide = 30, sums_norm_narrow = 20;  // below a sum, where its norm is
constexpr float caption_above = 24, captions_below = 38;
constexpr float below_stream = 70;      // where the table of layers' own numbers hangs
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
    const HungRows more = hung_rows(sketch);
    const bool memory = more.groups > 0 && cross_block(sketch);  // they keep clear of what that reads
    constexpr float of_group = 60;
    double idle = 0;
    for (const std::string& id : idle_ends(sketch)) idle = std::max(idle, sketch.sides(id, true).rows);
    constexpr float idle_down = 0.15F;
    float tall = area.height() - sketch.px(caption_above + captions_below);
    // By their logarithm the sides are so much alike that one scale serves all, and the ends need more of the area.
    const float across = sketch.input().log_sides ? 0.14F : 0.1F, down = sketch.input().log_sides ? 0.13F : 0.085F;
    return largest_scale({one_row(sketch),
                          {table.rows, tall},
                          {sketch.sides("layer_embedding.weight", true).rows, tall - sketch.px(below_stream)},
                          {positions.rows + projection.rows + more.rows,
                           area.height() - sketch.px(above_positions + (projection.rows > 0 ? of_group : 0) +
                                                     of_group * static_cast<float>(more.groups + (memory ? 1 : 0)))},
                          {idle, idle_down * area.height()},
                          {table.columns + wide, across * area.width()},
                          {head.columns, ends_room},
                          {head.rows + narrowing.rows, down * area.height()}});
}

double columns_of(const Sketch& sketch, std::string_view id) { return sketch.sides(id, true).columns; }
// Norms behind the sub-blocks or on the stream stand in a row with what is added.
float norms_behind(const Sketch& sketch, const Plan& plan) {
    const bool behind = sketch.has(plan.mixer_block + ".output_norm") || sketch.has("layer.feed_forward.output_norm");
    const double dim = columns_of(sketch, plan.mixer_block + ".output");
    const float width = plan.inner.width() - sketch.px(room::padding + 8);
    return largest_scale({{behind ? 2 * dim : dim, behind ? width - sketch.px(room::normed_back) : width}});
}

// The largest scale at which the sub-blocks of a layer hold what they draw, where the plan puts them.
float layer_scale(const LayerPencils& pencils, const Plan& plan) {
    const Sketch& sketch = pencils.own;
    LargestScales all{std::min(largest_scale({one_row(sketch)}), norms_behind(sketch, plan)), 1e9F};
    for (const LayerPencils::Card& card : pencils.cards) {
        if (plan.of(card.block).closed) {
            all.with_words = std::min(all.with_words, closed_scale(sketch, plan, card.block));
            continue;
        }
        const LargestScales own = card_scales(sketch, plan, card.block, card.parts);
        all = {std::min(all.shapes, own.shapes), std::min(all.with_words, own.with_words)};
    }
    // Where no sub-block is open there is little to enlarge.
    constexpr float alone = 0.06F;  // of a layer's width, what flows between its sub-blocks
    if (std::ranges::all_of(plan.cards, &Plan::Card::closed))
        return std::min(all.with_words, largest_scale({one_row(sketch), {plan.dim, alone * plan.layer.width()}}));
    // Words give way before the picture does: below this they are dropped where they crowd.
    constexpr float least_share = 0.6F;
    return std::max(std::min(all.shapes, all.with_words), least_share * all.shapes);
}

// What does not depend on where the parts go.
Plan begin_plan(const LayerPencils& pencils, Rect area, float title_row = 0) {
    const Sketch& sketch = pencils.own;
    Plan plan;
    const bool wide = area.height() > sketch.px(520);
    plan.return_gap = sketch.px(wide && !pencils.has_many()         ? return_gap_wide
                                : wide || pencils.cards.size() <= 2 ? return_gap_narrow
                                                                    : return_gap_least);
    plan.way_back = std::max(plan.return_gap / 2 + sketch.px(4), sketch.px(least_way_back));
    plan.mixer_block = mixer_block(sketch);
    plan.title_row = title_row;
    // What the first column is wide enough for: a norm's words, where the title is above.
    const auto header = [&](std::string_view block) {
        const std::string norm = std::string(block) + ".norm";
        if (title_row == 0) return sketch.header_width(block);
        if (!sketch.has(norm)) return 0.0F;
        return std::max(sketch.width_of("Norm", TextRole::name),
                        sketch.width_of(norm_size(sketch, norm), TextRole::number));
    };
    const std::vector<std::string>& closed = sketch.input().closed;
    for (const auto& [block, parts] : pencils.cards) {
        const bool gives_way = has_band(sketch.input()) && block == feed_forward_block;
        plan.cards.push_back(
            {block, {}, header(block), gives_way || std::ranges::count(closed, sketch.shown(block)) > 0});
    }
    plan.dim = sketch.drawn(sketch.value(Symbol::dim));
    plan.shares_norm = shares_norm(sketch);
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
