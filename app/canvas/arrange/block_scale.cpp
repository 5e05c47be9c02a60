// At which scale a sub-block's page is drawn, and how its columns and lanes share the room.
#include <cmath>

#include "app/canvas/arrange/block_layout.hpp"

namespace headcount {
namespace {

constexpr float number_below = 18;  // design pixels: a line of numbers below a matrix
constexpr float nearly_full = 0.75F;
constexpr float largest_cell = 24;  // of a model that is very small
constexpr float most_grid = 300;    // design pixels: no grid is wider
constexpr float legible = 30;       // design pixels: words give way before the longest side is shorter

}  // namespace

float BlockLayout::title_width() const {
    if (!repeated()) return header_width(block_);
    return width_of("Expert 000 of 000", TextRole::title);
}

// How much farther right the first column begins: a norm is low and stands below the title, matrices beside it.
float BlockLayout::beside_title() const {
    const bool matrices = std::ranges::any_of(
        items_, [](const BlockItem& item) { return item.level == 0 && item.node && item.node->op != Op::norm; });
    return matrices && component() ? title_width() * title_share_ + arrow() : 0;
}

// What follows a norm has its words at the height of the title, and begins right of that.
float BlockLayout::title_end() const {
    return component() && beside_title() <= 0 ? title_width() * title_share_ + px(4) : 0;
}

// Where everything goes at this scale; returns how wide it becomes.
float BlockLayout::arrange(float scale) {
    int levels = 0;
    for (const BlockItem& item : items_) levels = std::max(levels, item.level + 1);
    columns_.assign(static_cast<std::size_t>(levels), {});
    for (const BlockItem& item : items_) {
        BlockColumn& column = columns_[static_cast<std::size_t>(item.level)];
        if (has_mark(item)) column.mark = px(mark_room) * closeness_;
        if (item.block) column.outputs = std::max(column.outputs, grid_width());
        if (item.weight.columns > 0) {
            column.widest = std::max(column.widest, thick(item.weight.columns, scale));
            column.weights = std::max(column.weights, item.weight_words);
        }
        if (!item.block && !item.output_elsewhere)
            column.outputs = std::max({column.outputs, item.output_words, thick(item.made.columns, scale)});
    }
    for (const BlockItem& item : items_) {
        BlockColumn& column = columns_[static_cast<std::size_t>(item.level)];
        const float behind =
            named_behind(item) ? column.widest + words_px(beside_name) + item.weight_words * ways_.shrunk : 0;
        column.weights = std::max({column.weights, column.widest, behind});
    }
    float x = input_.area.min.x + px(padding) + beside_title();
    const float below_title = input_.area.min.x + px(padding) + title_end();
    for (BlockColumn& column : columns_) {
        if (&column != &columns_.front()) x = std::max(x, below_title);
        column.left = x;
        x += column.mark + column.weights + (column.weights > 0 && column.outputs > 0 ? within() : 0) + column.outputs +
             arrow();
    }
    return x - input_.area.min.x - (arrow() - px(padding + 6));
}

void BlockLayout::measure() {
    for (BlockItem& item : items_) {
        if (item.block) continue;
        const Tensor& made = graph_.tensors[item.output];
        item.made = sides(made.id, true);
        item.output_words = words_width(made);
        item.weight = {0, 0};
        if (!item.node) continue;
        if (item.node->op == Op::norm) {
            const std::string norm = norm_of(item);
            item.weight = sides(norm + ".weight", true);
            // As wide as what it scales where it trains nothing.
            if (item.weight.columns <= 0) item.weight = {drawn(1), item.made.columns};
            item.weight_words =
                std::max(width_of("Norm", TextRole::name), width_of(norm_size(*this, norm), TextRole::number));
        } else if (!item.node->parameters.empty()) {
            const Tensor& weight = graph_.tensors[item.node->parameters.front()];
            item.weight = sides(weight.id, true);
            item.weight_words = words_width(weight);
        }
    }
}

std::pair<float, float> BlockLayout::lanes() const {
    float first = 1e9F, last = -1e9F;
    for (const BlockItem& item : items_) {
        first = std::min(first, item.lane - half_lanes(item));
        last = std::max(last, item.lane + half_lanes(item));
    }
    return {first, last};
}

void BlockLayout::choose_scale() {
    if (items_.empty()) return;
    const std::pair<float, float> ends = lanes();
    const float first = ends.first, last = ends.second;
    first_lane_ = first + 0.5F;
    share_title();
    const auto longest_with = [&](Words words) {
        words_ = words;
        share_height(last - first);
        measure();
        choose_largest();
        return longest_side();
    };
    // Words give way only as far as that makes the matrices larger.
    const float enough = std::min(px(legible), nearly_full * longest_with(Words::names));
    if (longest_with(Words::all) < enough && longest_with(Words::no_cached) < enough) longest_with(Words::names);
    // Where lanes are too low for names above matrices that can be seen, on a page that has room beside them.
    constexpr float hardly_seen = 9, roomy = 500;  // design pixels
    if (const float above = longest_side(); above < words_px(hardly_seen) && input_.area.width() > px(roomy)) {
        constexpr float worth = 1.5F;
        const Words words = words_;
        if (longest_with(Words::behind) < worth * above) longest_with(words);
    }
    // Where even the smallest matrices have no room, arrows and marks give way.
    constexpr float closest = 0.3F, step = 0.9F;
    for (bool room = arrange(scale_) <= input_.area.width(); !room && closeness_ > closest;
         room = arrange(scale_) <= input_.area.width()) {
        closeness_ *= step;
        longest_with(Words::names);
    }
    if (input_.most_scale > 0) scale_ = std::min(scale_, static_cast<float>(input_.most_scale));
    width_ = arrange(scale_);
    // What is left over is a grid's, as far as that is seen to be large, and shared out among the arrows.
    const auto grids = std::ranges::count_if(items_, [](const BlockItem& item) { return item.block; });
    if (grids > 0) {
        const float free = std::max(0.0F, input_.area.width() - width_) / (2 * static_cast<float>(grids));
        grid_slack_ = std::min(free, px(most_grid) - grid_width());
        width_ = arrange(scale_);
    }
    const float slack = std::max(0.0F, input_.area.width() - width_) / static_cast<float>(columns_.size());
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].left += slack * (static_cast<float>(i) + 0.5F);
}

// Among so many lanes. Where a matrix has other words above it than below, it is not in the middle of its own.
void BlockLayout::share_height(float lanes) {
    const bool behind = words_ == Words::behind;
    lane_height_ = (input_.area.height() - px(8)) / lanes;
    first_y_ = input_.area.min.y + px(4) + lane_height_ / 2;
    if (!behind) first_y_ += words_px((label_above - label_below()) / 2);
    // Where lanes are low, those at the edges need more than half of one: their words stay inside the frame.
    const float above = px(least_side) + words_px(label_above + 1), below = px(least_side) + words_px(number_below);
    const float first = input_.area.min.y + px(2) + above;
    if (lanes < 2 || first_y_ >= first) return;
    first_y_ = first;
    lane_height_ = std::max(behind ? (input_.area.max.y - px(8) - first) / (lanes - 0.5F)
                                   : (input_.area.max.y - below - first) / (lanes - 1),
                            px(2 * least_side));
}

// Words are as wide as ever where the page is seen smaller, so that more of it belongs to the title, as far as there is
// room.
void BlockLayout::share_title() {
    title_share_ = ways_.shrunk;
    words_ = Words::names;
    measure();
    const float lacking = arrange(1e-12F) - input_.area.width();
    if (component() && lacking > 0) title_share_ = std::max(1.0F, title_share_ - lacking / title_width());
}

float BlockLayout::longest_side() const {
    double longest = 0;
    for (const BlockItem& item : items_)
        longest = std::max({longest, item.weight.rows, item.weight.columns, item.made.columns});
    return static_cast<float>(longest) * scale_;
}

// The largest at which all columns have room beside each other, and all lanes above each other.
void BlockLayout::choose_largest() {
    // A matrix in the middle may be as tall as all lanes together; the tallest one decides, and the width.
    float high = px(largest_cell), low = 0;
    const auto fits = [&](float scale) {
        for (const BlockItem& item : items_) {
            if (!item.node) continue;
            const float bias = item.node->parameters.size() > 1
                                   ? thick(sides(graph_.tensors[item.node->parameters[1]].id).rows, scale) + px(3)
                                   : 0;
            const float below = named_behind(item) ? 2 * bias : bias;  // it hangs down, and the lane is as low above
            if (static_cast<float>(item.weight.rows) * scale > room_for(item) - below) return false;
            if (is_whole(item) && static_cast<float>(item.made.rows) * scale > state_height(item)) return false;
        }
        return arrange(scale) <= input_.area.width();
    };
    for (int i = 0; i < 32; ++i) {
        const float middle = low > 0 ? std::sqrt(low * high) : high / 16;
        (fits(middle) ? low : high) = middle;
        if (low == 0 && high < 1e-12F) break;
    }
    scale_ = std::max(low, 1e-12F);
}

}  // namespace headcount
