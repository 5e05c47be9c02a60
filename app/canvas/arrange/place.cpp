// Divides the area among tables, layers and what stands below them, and a layer among its sub-blocks.
#include "app/canvas/arrange/place.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace headcount {
namespace {

constexpr float tokens_width = 52, tokens_from = 780, tokens_ways = 28, title = 32;
constexpr float closed_height = 30;     // of a sub-block that is its name alone
constexpr float least_attention = 116;  // above branches, which have more words
constexpr float below_made = 24;        // less where no norms stand below what rows make
constexpr float low_attention = 62;
constexpr float beside_tables = 26;                       // of words right of what hangs beside the table
constexpr float least_many = 44, most_for_words = 0.55F;  // of more than two: for words, and at most for all of these
constexpr float low_box = 96;                             // of three: where it is lower, a norm's words stand beside it
constexpr float low_below_row = 56;                       // the same of what has its title in a row of its own
constexpr float between_stacks = 48, above_stacks = 50;   // right of the first one's deck; words and ways above both

// Where a layer attends twice, each gets so much of the boxes' height: where that is low, what three names need.
float attention_share_of(const LayerPencils& pencils, float boxes) {
    const Sketch& sketch = pencils.own;
    if (0.36F * boxes < sketch.px(low_box)) return std::clamp(sketch.px(low_attention) / boxes, 0.32F, 0.36F);
    const double above = pencils.mixer.rows(), below = pencils.feed_forward.rows();
    const float fixed = sketch.px(2 * 38), words = sketch.px(24);
    const auto rows = static_cast<float>(above / (2 * above + below));
    return std::clamp((fixed / 2 + (boxes - fixed - words) * rows) / boxes, 0.32F, 0.36F);
}

// Each box gets the height at which both are drawn at the same scale, as long as the words in the other still fit.
float mixer_share_of(const LayerPencils& pencils, float boxes) {
    const Sketch& sketch = pencils.own;
    const double above = pencils.mixer.rows(), below = pencils.feed_forward.rows();
    const auto branches = static_cast<float>(pencils.feed_forward.branches.size());
    const bool branched = branches > 0;
    const auto mixed = static_cast<float>(pencils.mixer.branches.size());
    const float fixed = sketch.px(38 + 49 * mixed), words = sketch.px(24 + 49 * branches);
    auto share = (fixed + (boxes - fixed - words) * static_cast<float>(above / (above + below))) / boxes;
    const float rows = pencils.mixer.has_norms() ? least_attention : least_attention - below_made;
    const float least = std::min(0.48F, std::max(0.36F, sketch.px(rows) / boxes));
    const float most = mixed > 0 ? 0.68F : branched ? 0.5F : 0.58F;
    return std::clamp(share, branched ? least : 0.48F, most);
}

}  // namespace

// From the area's left to the embedding, where there is room for tokens: beyond their words run their ways to its rows.
float tokens_room(const Sketch& sketch, Rect area) {
    if (area.width() < sketch.px(tokens_from)) return 0;
    return std::max(sketch.px(embedding_x),
                    sketch.width_of(sketch.tokens_text(), TextRole::number) + sketch.px(tokens_ways));
}

namespace {

// More than a mixer and a feed-forward below each other: each gets what its words need, and of the rest as much as its
// matrices are tall.
void place_many(const LayerPencils& pencils, Plan& plan, float left, float right, float boxes) {
    const Sketch& sketch = pencils.own;
    struct Box {
        Rect* rect;
        double rows;
        float words;
        bool closed;
    };
    std::vector<Box> all;
    for (const std::string& block : sub_blocks(sketch)) {
        const auto add = [&](Rect& rect, const CardParts& parts) {
            const float least = sketch.px(parts.has_norms() ? least_many + below_made : least_many);
            all.push_back({&rect, parts.rows(), least + sketch.px(49) * static_cast<float>(parts.branches.size()),
                           plan.is_closed(block)});
        };
        const auto other = std::ranges::find(plan.others, block, &Plan::Other::block);
        if (other != plan.others.end())
            add(other->rect, pencils.others[static_cast<std::size_t>(other - plan.others.begin())].parts);
        else if (block == plan.mixer_block)
            add(plan.mixer, pencils.mixer);
        else if (block == feed_forward_block)
            add(plan.feed_forward, pencils.feed_forward);
        else
            add(plan.cross, pencils.crossing);
    }
    // Where none is open they share what there is.
    const auto closed = static_cast<float>(std::ranges::count(all, true, &Box::closed));
    const auto count = static_cast<float>(all.size());
    const float by_name = closed < count ? sketch.px(closed_height) : boxes / count;
    boxes -= closed * by_name;
    double rows = 0;
    float words = 0;
    for (const Box& box : all) {
        rows += box.closed ? 0 : box.rows;
        words += box.closed ? 0 : box.words;
    }
    const float for_words = std::min(words, most_for_words * boxes);
    float top = plan.layer.min.y + sketch.px(title), lowest = boxes;
    for (const Box& box : all) {
        const float height = box.closed ? by_name
                                        : for_words * box.words / words +
                                              (boxes - for_words) * static_cast<float>(box.rows / std::max(rows, 1.0));
        *box.rect = {{left, top}, {right, top + height}};
        top += height + plan.return_gap;
        if (!box.closed) lowest = std::min(lowest, height);
    }
    plan.low = lowest < sketch.px(low_box);
    if (plan.mixer_block == feed_forward_block) plan.feed_forward = plan.mixer;
}

// The sub-blocks below each other in the layer, in so much height for all.
void place_boxes(const LayerPencils& pencils, Plan& plan, float left, float right, float boxes) {
    const Sketch& sketch = pencils.own;
    if (!pencils.others.empty()) return place_many(pencils, plan, left, right, boxes);
    const bool cross = pencils.cross.has_value();
    const bool alone = !has_feed_forward(sketch) || plan.mixer_block == feed_forward_block;
    float attention = cross ? attention_share_of(pencils, boxes) * boxes : 0;
    float mixer = alone ? boxes - attention : cross ? attention : mixer_share_of(pencils, boxes) * boxes;
    float feed_forward = boxes - mixer - attention;
    // What closed ones leave goes to the others; where none is open they keep what they have.
    const std::array<std::pair<float*, bool>, 3> heights{{{&mixer, plan.is_closed(plan.mixer_block)},
                                                          {&attention, cross && plan.is_closed(*cross_block(sketch))},
                                                          {&feed_forward, plan.is_closed(feed_forward_block)}}};
    float open = 0, by_name = 0;
    for (const auto& [height, closed] : heights) {
        if (!closed)
            open += *height;
        else
            by_name += sketch.px(closed_height);
    }
    if (open > 0)
        for (const auto& [height, closed] : heights)
            *height = closed ? sketch.px(closed_height) : *height / open * (boxes - by_name);
    plan.low = cross && attention - plan.title_row < sketch.px(plan.title_row > 0 ? low_below_row : low_box);
    float top = plan.layer.min.y + sketch.px(title);
    const auto box = [&](float height) {
        const Rect rect{{left, top + plan.title_row}, {right, top + height}};
        top = rect.max.y + plan.return_gap;
        return rect;
    };
    plan.mixer = box(mixer);
    if (cross) plan.cross = box(attention);
    plan.feed_forward = plan.mixer_block == feed_forward_block
                            ? plan.mixer
                            : Rect{{left, top + plan.title_row}, {right, top + feed_forward}};
}

// How high a layer is but for its sub-blocks.
float beside_boxes(const LayerPencils& pencils, const Plan& plan) {
    const auto count = 1 + (pencils.cross ? 1 : 0) + (has_feed_forward(pencils.own) ? 1 : 0) + pencils.others.size();
    return pencils.own.px(title) + static_cast<float>(count) * plan.return_gap + pencils.own.px(4);
}

// Where a head's columns are shown the rest of the picture gives way: attention has room for what is said of them.
float least_boxes(const LayerPencils& pencils) {
    const bool band = has_band(pencils.own.input());
    const float open = pencils.cross ? 2 * low_attention : least_attention;
    const auto boxes = static_cast<float>((pencils.cross ? 3 : 2) + pencils.others.size());
    return pencils.own.px(band ? open + closed_height : boxes * least_box);
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
    float boxes = plan.layer.height() - beside;
    float left = plan.stream_x + px(roomy ? 28 : 22), box_right = plan.layer.max.x - px(roomy ? 12 : 8);
    place_boxes(pencils, plan, left, box_right, boxes);
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
    const float boxes = second.mixer.height() + second.feed_forward.height() + 2 * second.title_row;
    const float foot = top + beside_boxes(pencils.first, first) + boxes;
    first.layer.max.y = first.ends.min.y = foot;
    if (has_feed_forward(sketch) == has_feed_forward(other)) {
        first.mixer.max.y = first.mixer.min.y + second.mixer.height();
        first.feed_forward.min.y = first.mixer.max.y + first.return_gap + first.title_row;
        first.feed_forward.max.y = first.feed_forward.min.y + second.feed_forward.height();
    } else {
        place_boxes(pencils.first, first, first.mixer.min.x, first.mixer.max.x, boxes);
    }
    first.low = second.low;
    second.memory_x = first.layer.max.x + between - sketch.px(between_stacks / 2);
}

}  // namespace headcount
