// The ways of the data on a sub-block's page: from column to column, past what stands between.
#include <array>
#include <cmath>

#include "app/canvas/arrange/block_layout.hpp"

namespace headcount {

// How far up and down what an item draws reaches, with its words, with its name above it, or without any.
Rect BlockLayout::reach(const BlockItem& item, const Ends& at, KeptClear what) const {
    const double rows = item.block ? 0 : std::max(item.weight.rows, std::min<double>(item.made.rows, 1e9));
    float half = thick(rows, scale_) / 2;
    if (item.block)
        half = grid_height(item) / 2;
    else if (item.weight.rows <= 0 && !is_whole(item))
        half = std::min(half, tallest() / 2);
    const float above = what == KeptClear::matrices ? px(3) : words_px(label_above);
    const float below = what == KeptClear::all_words ? words_px(34) : px(3);
    return {{at.left, at.y - half - above}, {at.right, at.y + half + below}};
}

// The height at which a line from one column to a later one passes those between: that of its end or its begin, else
// one that is free.
float BlockLayout::passing(float from_y, float to_y, int after, int before) const {
    constexpr std::array order{KeptClear::all_words, KeptClear::names, KeptClear::matrices};
    std::vector<float> tried{from_y, to_y, input_.area.min.y + px(5), input_.area.max.y - px(5)};
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].level <= after || items_[i].level >= before) continue;
        for (const KeptClear what : order) {
            const Rect taken = reach(items_[i], rects_[i], what);
            tried.push_back(taken.min.y - px(3));
            tried.push_back(taken.max.y + px(3));
        }
    }
    const auto detour = [&](float y) { return std::abs(y - from_y) + std::abs(y - to_y); };
    std::stable_sort(tried.begin() + 2, tried.end(), [&](float a, float b) { return detour(a) < detour(b); });
    for (const KeptClear what : order)
        for (float y : tried) {
            const bool inside = y >= input_.area.min.y + px(4) && y <= input_.area.max.y - px(4);
            bool free = inside;
            for (std::size_t i = 0; i < items_.size() && free; ++i) {
                const BlockItem& item = items_[i];
                if (item.level <= after || item.level >= before) continue;
                const Rect taken = reach(item, rects_[i], what);
                free = y <= taken.min.y || y >= taken.max.y;
            }
            if (free) return y;
        }
    return from_y;
}

void BlockLayout::lead(const Ends& from, int from_level, const BlockItem& item, const Ends& ends,
                       const std::string& tensor) {
    const float turn = columns_[static_cast<std::size_t>(item.level)].left - arrow() / 2, end = ends.left - px(2);
    const float y = passing(from.y, ends.y, from_level, item.level);
    std::vector<Point> points{{from.right, from.y}};
    // Turns that lead nowhere are left out.
    const auto add = [&](Point point) {
        if (std::abs(point.x - points.back().x) > 0.5F || std::abs(point.y - points.back().y) > 0.5F)
            points.push_back(point);
    };
    if (std::abs(y - from.y) > 0.5F) {
        const float early = columns_[static_cast<std::size_t>(from_level + 1)].left - arrow() / 2;
        add({early, from.y});
        add({early, y});
    }
    if (std::abs(y - ends.y) > 0.5F) {
        add({turn, y});
        add({turn, ends.y});
    }
    add({end, ends.y});
    wire(std::move(points), tensor);
}

void lead_out(Sketch& sketch, const BlockWays& ways, Point from, std::string_view tensor) {
    if (ways.exit.empty()) return;
    std::vector<Point> back{from, {ways.exit.front().x, from.y}};
    back.insert(back.end(), ways.exit.begin(), ways.exit.end());
    sketch.line(std::move(back), tensor);
}

void BlockLayout::connect(std::size_t index) {
    const BlockItem& item = items_[index];
    const Ends& to = rects_[index];
    const float inside = columns_[static_cast<std::size_t>(item.level)].left;
    const float turn = inside - arrow() / 2, end = to.left - px(2);
    const bool into_mark = has_mark(item);
    for (std::size_t i = 0; i < item.from.size(); ++i) {
        const Ends& from = rects_[item.from[i]];
        const int level = items_[item.from[i]].level;
        const std::string& tensor = graph_.tensors[items_[item.from[i]].output].id;
        const bool free = std::abs(passing(from.y, to.y, level, item.level) - from.y) < 0.5F;
        if (!into_mark) {
            lead(from, level, item, to, tensor);
            scene.wires.back().faint = items_[item.from[i]].from_other_stack && !makes_memory_anew(*this);
        } else if (std::abs(from.y - to.y) < 0.5F && free) {
            wire({{from.right, from.y}, {to.left, to.y}}, tensor);
        } else {  // from above and below into the circle
            const float x = to.left + px(8), y = passing(from.y, from.y, level, item.level);
            const bool above = std::abs(y - to.y) < 0.5F ? from.y < to.y : y < to.y;
            std::vector<Point> points{{from.right, from.y}};
            if (std::abs(y - from.y) > 0.5F) {
                const float early = columns_[static_cast<std::size_t>(level + 1)].left - arrow() / 2;
                points.push_back({early, from.y});
                points.push_back({early, y});
            }
            points.push_back({x, y});
            points.push_back({x, to.y + px(above ? -8.0F : 8.0F)});
            wire(std::move(points), tensor);
        }
    }
    if (item.from_other_stack)
        lead_in_memory(inside, to, end);
    else if (item.from_outside)
        lead_in(item, turn, {end, to.y});
    if (item.brought) wire({{to.left - arrow(), to.y}, {end, to.y}}, graph_.tensors[comes_as(item)].id);
    const bool last = index + 1 == items_.size();
    if (ways_.onward && item.node && item.node->op == Op::norm && item.from_outside) lead_onward(to, item);
    if (last) lead_out(*this, ways_, {to.right, to.y}, graph_.tensors[item.output].id);
}

// From the stream; what else of it the item reads, such as other copies, close to that.
void BlockLayout::lead_in(const BlockItem& item, float turn, Point end) {
    const Point entry = ways_.entry;
    const auto lead = [&](float down, const std::string& id) {
        const float x = turn - down, first = columns_.front().left - arrow() / 2 - down;
        const float y = item.level > 0 ? passing(entry.y, end.y, -1, item.level) : entry.y + down;
        std::vector<Point> points{{entry.x, entry.y + down}};
        if (item.level > 0 && std::abs(y - entry.y) > 0.5F)
            points.insert(points.end(), {{first, entry.y + down}, {first, y}});
        points.insert(points.end(), {{x, y}, {x, end.y + down}, {end.x, end.y + down}});
        wire(std::move(points), id);
    };
    lead(0, ways_.entry_tensor);
    if (item.block) return;
    float down = px(4);
    for (const TensorIndex input : item.inputs) {
        const std::string& id = graph_.tensors[input].id;
        const bool made = std::ranges::any_of(items_, [&](const BlockItem& other) { return other.output == input; });
        if (made || id == ways_.entry_tensor || item.brought) continue;
        lead(down, id);
        down += px(4);
    }
}

// Right of where the stream's norm turns. What is kept of it is not made again.
void BlockLayout::lead_in_memory(float column, const Ends& ends, float end) {
    const float x = column - arrow() / 4, y = ways_.memory.y;
    wire({ways_.memory, {x, y}, {x, ends.y}, {end, ends.y}}, ways_.memory_tensor);
    scene.wires.back().faint = !makes_memory_anew(*this);
}

// The norm's output is the other sub-block's input too: along the foot of the page to where it leaves.
void BlockLayout::lead_onward(const Ends& from, const BlockItem& item) {
    const float x = from.right + arrow() / 4, foot = input_.area.max.y - px(5);
    line({{from.right, from.y}, {x, from.y}, {x, foot}, {ways_.onward->x, foot}, *ways_.onward},
         graph_.tensors[item.output].id);
}

}  // namespace headcount
