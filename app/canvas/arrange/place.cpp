// Divides the area among tables, layers and what stands below them, and a layer among its sub-blocks.
#include "app/canvas/arrange/place.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace headcount {
namespace {

constexpr float tokens_width = 52, tokens_from = 780, tokens_ways = 28, title = 32, below_cards = 4;
constexpr float low_closed = 30;        // of a sub-block that is one line
constexpr float most_closed = 0.4F;     // of all: those that are more lines
constexpr float least_attention = 116;  // above branches, which have more words
constexpr float low_attention = 62;
constexpr float beside_tables = 26;                       // of words right of what hangs beside the table
constexpr float below_made = 24;                          // less where no norms stand below what rows make
constexpr float least_many = 44, most_for_words = 0.55F;  // of more than two: for words, and at most for all of these
constexpr float low_box = 96;                             // of three: where it is lower, a norm's words stand beside it
constexpr float low_below_row = 56;                       // the same of what has its title in a row of its own
constexpr float between_stacks = 48, above_stacks = 50;   // right of the first one's deck; words and ways above both

}  // namespace

// From the area's left to the embedding, where there is room for tokens: beyond their words run their ways to its rows.
float tokens_room(const Sketch& sketch, Rect area) {
    if (area.width() < sketch.px(tokens_from)) return 0;
    return std::max(sketch.px(embedding_x),
                    sketch.width_of(sketch.tokens_text(), TextRole::number) + sketch.px(tokens_ways));
}

namespace {

// The sub-blocks below each other in the layer, so high with their titles.
void stack_up(Plan& plan, const std::vector<float>& heights) {
    float top = plan.inner.min.y;
    for (std::size_t i = 0; i < heights.size(); ++i) {
        plan.cards[i].rect = {{plan.inner.min.x, top + plan.title_row}, {plan.inner.max.x, top + heights[i]}};
        top += heights[i] + plan.return_gap;
    }
}

// Where a layer attends twice, each gets so much of the boxes' height: where that is low, what three names need.
float attention_share_of(const LayerPencils& pencils, float boxes) {
    const Sketch& sketch = pencils.own;
    if (0.36F * boxes < sketch.px(low_box)) return std::clamp(sketch.px(low_attention) / boxes, 0.32F, 0.36F);
    const double above = pencils.cards.front().parts.rows(), below = pencils.cards.back().parts.rows();
    const float fixed = sketch.px(2 * 38), words = sketch.px(24);
    const auto rows = static_cast<float>(above / (2 * above + below));
    return std::clamp((fixed / 2 + (boxes - fixed - words) * rows) / boxes, 0.32F, 0.36F);
}

// Of two each gets the height at which both are drawn at the same scale, as long as the words in the other still fit.
float first_share_of(const LayerPencils& pencils, float boxes) {
    const Sketch& sketch = pencils.own;
    const CardParts &first = pencils.cards.front().parts, &second = pencils.cards.back().parts;
    const double above = first.rows(), below = second.rows();
    const auto branches = static_cast<float>(second.branches.size()), mixed = static_cast<float>(first.branches.size());
    const float fixed = sketch.px(38 + 49 * mixed), words = sketch.px(24 + 49 * branches);
    const auto share = (fixed + (boxes - fixed - words) * static_cast<float>(above / (above + below))) / boxes;
    const float rows = first.has_norms() ? least_attention : least_attention - below_made;
    const float least = std::min(0.48F, std::max(0.36F, sketch.px(rows) / boxes));
    const float most = mixed > 0 ? 0.68F : branches > 0 ? 0.5F : 0.58F;
    return std::clamp(share, branches > 0 ? least : 0.48F, most);
}

// Of more each gets what its words need, and of the rest as much as its matrices are tall.
std::vector<float> heights_of_many(const LayerPencils& pencils, const Plan& plan, float boxes) {
    std::vector<float> words, heights;
    double rows = 0;
    float all = 0;
    for (std::size_t i = 0; i < plan.cards.size(); ++i) {
        const CardParts& parts = pencils.cards[i].parts;
        const float own = parts.has_norms() ? least_many + below_made : least_many;
        words.push_back(pencils.own.px(own + 49 * static_cast<float>(parts.branches.size())));
        if (plan.cards[i].closed) continue;
        rows += parts.rows();
        all += words[i];
    }
    const float for_words = std::min(all, most_for_words * boxes);
    for (std::size_t i = 0; i < plan.cards.size(); ++i)
        heights.push_back(for_words * words[i] / all +
                          (boxes - for_words) *
                              static_cast<float>(pencils.cards[i].parts.rows() / std::max(rows, 1.0)));
    return heights;
}

// Of those that are closed what their matrices need, and 0 for the others; where that is too much, a line for each.
std::vector<float> heights_of_closed(const LayerPencils& pencils, const Plan& plan, float boxes) {
    const Sketch& sketch = pencils.own;
    const bool all_closed = std::ranges::all_of(plan.cards, &Plan::Card::closed);
    const bool low = sketch.input().low_closed || has_band(sketch.input());
    std::vector<float> heights;
    float all = 0;
    for (const Plan::Card& card : plan.cards) {
        const float least = sketch.px(low_closed);
        const float own = low ? least : std::max(least, closed_height(sketch, card.block, plan.inner.width()));
        all += heights.emplace_back(card.closed ? own : 0);
    }
    if (all > (all_closed ? 1 : most_closed) * boxes)
        for (float& height : heights) height = std::min(height, sketch.px(low_closed));
    return heights;
}

// The sub-blocks in so much height for all.
void place_boxes(const LayerPencils& pencils, Plan& plan, float boxes) {
    const auto count = plan.cards.size();
    const bool all_closed = std::ranges::all_of(plan.cards, &Plan::Card::closed);
    const std::vector<float> lines = heights_of_closed(pencils, plan, boxes);
    const float left = boxes - std::accumulate(lines.begin(), lines.end(), 0.0F);
    std::vector<float> heights(count, boxes / static_cast<float>(std::max<std::size_t>(count, 1)));
    if (pencils.has_many() && !all_closed)
        heights = heights_of_many(pencils, plan, left);
    else if (count == 3)
        heights[0] = heights[1] = attention_share_of(pencils, boxes) * boxes, heights[2] = boxes - 2 * heights[0];
    else if (count == 2)
        heights[0] = first_share_of(pencils, boxes) * boxes, heights[1] = boxes - heights[0];
    if (const std::optional<Roomier>& roomier = pencils.own.input().roomier)
        for (std::size_t i = 0; i < count; ++i)
            if (pencils.own.shown(plan.cards[i].block) == roomier->block) heights[i] *= roomier->times;
    // What closed ones leave goes to the others; where none is open they share it.
    float open = 0, lowest = boxes;
    for (std::size_t i = 0; i < count; ++i) open += plan.cards[i].closed ? 0 : heights[i];
    for (std::size_t i = 0; i < count; ++i) {
        const float share = all_closed ? left / static_cast<float>(count) : 0;
        heights[i] = plan.cards[i].closed ? lines[i] + share : heights[i] / open * left;
        if (!plan.cards[i].closed) lowest = std::min(lowest, heights[i] - plan.title_row);
    }
    stack_up(plan, heights);
    plan.low = count > 2 && lowest < pencils.own.px(plan.title_row > 0 ? low_below_row : low_box);
}

// How high a layer is but for its sub-blocks.
float beside_boxes(const LayerPencils& pencils, const Plan& plan) {
    const auto count = std::max<std::size_t>(pencils.cards.size(), 1);
    return pencils.own.px(title + below_cards) + static_cast<float>(count) * plan.return_gap;
}

// Where a head's columns are shown the rest of the picture gives way: attention has room for what is said of them.
float least_boxes(const LayerPencils& pencils) {
    const bool band = has_band(pencils.own.input());
    const std::size_t cards = pencils.cards.size();
    const float open = cards > 2 ? static_cast<float>(cards - 1) * low_attention : least_attention;
    const auto boxes = static_cast<float>(std::max<std::size_t>(cards, 2));
    return pencils.own.px(band ? open + low_closed : boxes * least_box);
}

// The tables, `tokens` pixels from the left; returns where the layer begins.
float place_tables(const Sketch& sketch, Rect area, float tokens, Plan& plan) {
    auto px = [&](float design) { return sketch.px(design); };
    const float scale = plan.scales.model;
    Sides table = sketch.sides("embedding.weight", true), positions = sketch.sides("positions.weight", true);
    const double second = std::max({positions.columns, sketch.sides("embedding_projection.weight", true).columns,
                                    sketch.sides("layer_embedding.weight", true).columns});
    float tables = sketch.thick(table.columns, scale) + (second > 0 ? px(8) + sketch.thick(second, scale) : 0);
    const float embedding_left = area.min.x + tokens;
    plan.tokens = {area.min, {area.min.x + (tokens > 0 ? px(tokens_width) : 0), area.max.y}};
    plan.embedding = {{embedding_left, area.min.y}, {embedding_left + tables, area.max.y}};
    float words = sketch.width_of(sketch.shape_text(first_stream(sketch)), TextRole::number);  // above the stream
    if (sketch.has("layer_embedding.weight")) words += px(beside_tables);
    float gap = std::max({px(least_gap_to_layer), sketch.thick(table.columns, scale) + px(30), words + px(20)});
    return plan.embedding.max.x + gap;
}

// A layer from its upper left corner on to `right`, and the ends below it, down to `bottom` at least.
void place_layer(const LayerPencils& pencils, Point corner, float right, float bottom, bool roomy, Plan& plan) {
    const Sketch& sketch = pencils.own;
    auto px = [&](float design) { return sketch.px(design); };
    plan.stream_x = corner.x + px(roomy ? 34 : 24);
    const float ends = ends_height(sketch, plan.scales.model, right - (plan.stream_x - px(stream_inset)));
    const float beside = beside_boxes(pencils, plan);
    bottom = std::max(bottom, corner.y + beside + least_boxes(pencils) + ends);
    plan.layer = {corner, {right, bottom - ends}};
    plan.ends = {{plan.layer.min.x, plan.layer.max.y}, {right, bottom}};
    plan.arrow = px(roomy ? 22 : 14);
    const float boxes = plan.layer.height() - beside, top = corner.y + px(title);
    plan.inner = {{plan.stream_x + px(roomy ? 28 : 22), top}, {right - px(roomy ? 12 : 8), top + boxes}};
    place_boxes(pencils, plan, boxes);
}

}  // namespace

void place(const LayerPencils& pencils, Rect area, Plan& plan) {
    const Sketch& sketch = pencils.own;
    const float left = place_tables(sketch, area, tokens_room(sketch, area), plan);
    const float right = std::max(area.max.x - sketch.px(layer_deck), left + sketch.px(least_layer));
    place_layer(pencils, {left, area.min.y + sketch.px(layer_deck)}, right, area.max.y, area.width() > sketch.px(800),
                plan);
}

// Each sub-block of the first stack is as high as that of the second, where both have the same.
void place_stacks(const StackPencils& pencils, Rect area, StackPlans& plans) {
    const Sketch &sketch = pencils.first.own, &other = pencils.second.own;
    Plan &first = plans.first, &second = plans.second;
    const float left = place_tables(sketch, area, 0, first), right = area.max.x - sketch.px(layer_deck);
    const float between = sketch.px(layer_deck + between_stacks), top = area.min.y + sketch.px(above_stacks);
    const float wide = std::max((right - left - between) / 2, sketch.px(least_layer));
    place_tables(other, area, 0, second);
    const bool roomy = second.title_row == 0;
    place_layer(pencils.second, {left + wide + between, top}, left + 2 * wide + between, area.max.y, roomy, second);
    place_layer(pencils.first, {left, top}, left + wide, area.max.y, roomy, first);
    std::vector<float> heights;
    float foot = first.inner.min.y - first.return_gap;
    for (const Plan::Card& card : first.cards) {
        const auto same = std::ranges::find(second.cards, card.block, &Plan::Card::block);
        const Rect& as = same == second.cards.end() ? second.cards.front().rect : same->rect;
        foot += heights.emplace_back(as.height() + second.title_row) + first.return_gap;
    }
    stack_up(first, heights);
    first.layer.max.y = first.ends.min.y = foot + first.return_gap + sketch.px(below_cards);
    first.low = second.low;
    second.memory_x = first.layer.max.x + between - sketch.px(between_stacks / 2);
}

}  // namespace headcount
