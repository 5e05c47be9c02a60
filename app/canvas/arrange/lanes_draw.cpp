// The matrices of a card of lanes, their words, and the ways of the data.
#include <algorithm>
#include <cmath>

#include "app/canvas/arrange/lanes.hpp"
#include "core/base/text.hpp"

namespace headcount {

// A step from its left side on: its mark, what it multiplies by, what comes out.
void LaneCard::draw(LaneStep& step) {
    const Column& column = columns_[static_cast<std::size_t>(step.level)];
    float x = column.left;
    step.right = x;
    step.out = step.y;
    if (step.heads) {
        const FlowItem& item = items_[*step.heads];
        const BlockIndex inside = graph_.tensors[item.output].block;
        const auto shown = std::find_if(graph_.tensors.begin(), graph_.tensors.end(),
                                        [&](const Tensor& tensor) { return tensor.block == inside && !tensor.view; });
        HeadsOf of{.shown = shown->id, .said = shown->role == Role::state ? "state each" : "scores each"};
        std::string held, name;
        if (!item.held.empty() && graph_.layer_of(graph_.tensors[item.held.front()].block)) {
            of.held = held = sketch_.written(graph_.tensors[item.held.front()].id);
            of.held_name = name = graph_.tensors[item.held.front()].label;
        }
        lay_out_heads(sketch_, of, {x, step.y}, box_);
        step.right = x + px(room::heads);
    }
    if (step.mark) {
        sketch_.mark({x + px(8), step.y}, *step.mark, step.flows);
        step.right = x + px(16);
        x += column.mark;
    }
    const bool hung = form_.hung && step.weight && !step.made.empty();
    if (step.weight) {
        step.right = draw_weight(step, x);
        if (hung) {
            step.out = sketch_.scene.slabs.back().rect.centre().y;
            for (const Slab& slab : sketch_.scene.slabs)
                if (slab.id == step.made.front().id) step.out = slab.rect.centre().y;
            return;
        }
    }
    if (step.made.empty()) return;
    x += column.weights + column.words + column.gap;
    sketch_.line({{step.right + px(1), step.y}, {x - px(1), step.y}}, step.flows);
    if (step.weight) {
        sketch_.scene.wires.back().faint = step.other && !makes_memory_anew(sketch_);
        sketch_.scene.wires.back().tilted_start =
            Point{column.left + column.mark + sketch_.thick(step.weight->sides.columns, scale_), step.y};
    }
    step.right = draw_made(step, x, step.y);
}

// Returns where a line goes on behind it and its words.
float LaneCard::draw_weight(const LaneStep& step, float x) {
    const Column& column = columns_[static_cast<std::size_t>(step.level)];
    const bool hung = form_.hung && !step.made.empty();
    const float tall = sketch_.thick(sketch_.sides(step.weight->id).rows, scale_), bias = bias_height(step, scale_);
    const float made = px(least_side), between = px(hung_gap) + sketch_.name_line() / 2;
    const float norm = norm_height(step, scale_);
    const float up = hung ? (between + made + norm + bias) / 2 : 0;
    // Alone, one that is narrower than its words stands in their middle.
    float left = x;
    const float wide = sketch_.thick(sketch_.sides(step.weight->id).columns, scale_);
    if (column.alone && column.at == WordsAt::over) left += (column.weights - wide) / 2;
    const Rect rect = sketch_.slab(step.weight->id, {left, step.y - up}, scale_);
    sketch_.bias_below(step.bias, rect, scale_);
    const float foot = step.y - up + tall / 2 + bias;
    name_weight(step, rect, foot);
    if (!hung) return column.at == WordsAt::beside ? rect.max.x + px(beside_gap) + column.words - px(beside_gap + 2) : rect.max.x;
    const float below = foot + between, end = left + px(4);
    sketch_.wire({{end, foot}, {end, below - px(1)}}, step.flows);
    return draw_made(step, left, below + made / 2);
}

// What comes out, side by side, with its norm below; returns its right side.
float LaneCard::draw_made(const LaneStep& step, float x, float y) {
    const bool hung = form_.hung && step.weight;
    const float most = hung ? px(least_side) : tallest(step);
    const float left = x;
    Rect rect{};
    float foot = 0;
    for (const LaneMatrix& made : step.made) {
        rect = sketch_.slab(made.id, {x, y}, scale_, most);
        x = rect.max.x + px(apart);
        foot = std::max(foot, rect.max.y);
    }
    const LaneMatrix& first = step.made.front();
    const Tensor& tensor = *sketch_.find(first.id);
    const float above = rect.min.y - px(hung ? 17 : 16);
    if (step.mark) {
        sketch_.name({left, above - px(18)}, tensor.label, first.id);
        sketch_.number({left, above - px(1)}, sketch_.shape_text(tensor), first.id);
    } else if (hung) {
        sketch_.name({left + px(9), above}, tensor.symbol, first.id);
    } else {
        sketch_.name({left, above}, tensor.symbol, first.id);
        const Column& column = columns_[static_cast<std::size_t>(step.level)];
        const float word = left + px(14);
        if (sketch_.look_of(tensor) == SlabLook::cached && form_.lines > 1 && step.made.size() == 1 &&
            word + sketch_.width_of("cached", TextRole::number) <=
                left + std::max(column.made, rect.width()) + px(room::gap - 2))
            sketch_.label({word, above}, "cached", TextRole::number, Tone::cached, Anchor::left, first.id);
    }
    if (!step.norm.empty()) {
        const float half = sketch_.thick(sketch_.drawn(1), scale_) / 2;
        const Rect bar = sketch_.norm_slab(step.norm, {left, foot + px(3) + half}, scale_, step.normed);
        if (!hung && bar.max.x + px(6) + sketch_.width_of("norm", TextRole::caption) <= rect.max.x + px(room::gap) * 4)
            sketch_.caption({bar.max.x + px(6), bar.centre().y - px(8)}, "norm", step.normed);
    }
    return rect.max.x;
}

void LaneCard::name_weight(const LaneStep& step, const Rect& rect, float foot) {
    const Column& column = columns_[static_cast<std::size_t>(step.level)];
    const LaneMatrix& weight = *step.weight;
    const Tensor& tensor = *sketch_.find(weight.id);
    const int lines = form_.lines;
    const bool hung = form_.hung && !step.made.empty();
    const auto label = [&](Point top, Anchor anchor) {
        if (lines == 0)
            sketch_.name(top, tensor.symbol, weight.id, anchor);
        else
            sketch_.tensor_label(weight.id, top, lines, anchor);
    };
    switch (column.at) {
        case WordsAt::beside:
            return label({rect.max.x + px(beside_gap), rect.centre().y - words_height(lines) / 2}, Anchor::left);
        case WordsAt::inside: {
            sketch_.tensor_label_in(weight.id, rect, {rect.max.x + px(beside_gap), rect.min.y}, std::max(lines, 1));
            const bool count = lines > 2 && rect.height() < sketch_.label_height(3) + px(2) && !hung;
            if (!count) return;
            // Two lines are inside; the count goes to the far side of the lanes, where it is in no other's way.
            const bool upper = step.y < box_.centre().y - px(1);
            const float y = upper ? rect.min.y - px(16) : foot + px(3);
            if (y < box_.min.y + px(2) || y + sketch_.number_line() > box_.max.y) return;
            return sketch_.detail({rect.min.x, y}, grouped(sketch_.count(tensor)), weight.id);
        }
        case WordsAt::before: {
            const LaneStep& previous = *at_level(step.level - 1).front();
            const float half = previous.made.empty() ? px(least_side) / 2
                                                     : std::min(sketch_.thick(previous.made.front().sides.rows, scale_),
                                                                tallest(previous)) / 2;
            const float top = step.y + half + px(5), room = box_.max.y - top;
            int most = std::max(lines, 1);
            while (most > 1 && sketch_.label_height(most) > room) --most;
            return sketch_.tensor_label(weight.id, {rect.min.x - px(beside_gap), top}, most, Anchor::right);
        }
        case WordsAt::over: break;
    }
    if (hung) {
        if (lines == 0) return sketch_.name({rect.min.x, rect.min.y - px(17)}, tensor.symbol, weight.id);
        return sketch_.tensor_label(weight.id, {rect.min.x, rect.min.y - px(17)}, 1);
    }
    const std::string name = sketch_.name_text(tensor), shape = sketch_.shape_text(tensor);
    // Words of the last one keep clear of the way back on the card's right.
    const bool centred = column.alone;
    const auto at = [&](float width) {
        return centred ? std::min(rect.centre().x, box_.max.x - px(12) - width / 2) : rect.min.x;
    };
    const Anchor anchor = centred ? Anchor::centre : Anchor::left;
    sketch_.name({at(weight.name), rect.min.y - px(19)}, name, weight.id, anchor);
    const float x = at(weight.shape);
    if (lines > 1) sketch_.number({x, foot + px(4)}, shape, weight.id, anchor);
    if (lines > 2) sketch_.detail({x, foot + px(4) + sketch_.number_line()}, grouped(sketch_.count(tensor)), weight.id, anchor);
}

// From the stream's norm, or what another stack made, to a step.
void LaneCard::lead_in(const LaneStep& step, float to) {
    const float x = step.other ? memory_x_ : split(scale_);
    const float from = step.other ? memory_y(sketch_, plan_) : card_norm_y(sketch_, plan_, block_);
    const std::string flows = step.other ? std::string(memory_of(sketch_)) : block_input(sketch_, block_);
    const float up = form_.hung && step.weight && !step.made.empty()
                         ? (px(hung_gap) + sketch_.name_line() / 2 + px(least_side) + norm_height(step, scale_) +
                            bias_height(step, scale_)) / 2
                         : 0;
    sketch_.wire({{x, from}, {x, step.y - up}, {to, step.y - up}}, flows);
    sketch_.scene.wires.back().faint = step.other && !makes_memory_anew(sketch_);
}

// What a step reads: along its lane, or together with others from column to column.
void LaneCard::lead(const LaneStep& step) {
    const Column& column = columns_[static_cast<std::size_t>(step.level)];
    float left = column.left;
    if (step.weight && column.alone && column.at == WordsAt::over)
        left += (column.weights - sketch_.thick(sketch_.sides(step.weight->id).columns, scale_)) / 2;
    if (step.outside || step.other) lead_in(step, left - px(2));
    const float turn = column.left - plan_.arrow;
    for (const std::size_t each : step.from) {
        const LaneStep& from = steps_[each];
        const bool level = std::abs(from.out - step.y) < 0.5F;
        const float start = from.right;
        const auto lines = [&](std::vector<Point> points, bool arrow) {
            sketch_.wire(std::move(points), from.flows, false, arrow);
            if (from.weight && from.made.empty())
                sketch_.scene.wires.back().tilted_start = Point{
                    columns_[static_cast<std::size_t>(from.level)].left +
                        sketch_.thick(sketch_.sides(from.weight->id).columns, scale_),
                    from.y};
        };
        if (level)
            lines({{start, from.out}, {left - px(step.mark ? 0.0F : 2.0F), step.y}}, true);
        else if (step.mark)
            lines({{start, from.out}, {left + px(8), from.out}, {left + px(8), step.y + px(from.y < step.y ? -8.0F : 8.0F)}}, true);
        else
            lines({{start, from.out}, {turn, from.out}, {turn, step.y}}, false);
    }
    const bool merged = !step.mark && std::any_of(step.from.begin(), step.from.end(), [&](std::size_t each) {
        return std::abs(steps_[each].out - step.y) >= 0.5F;
    });
    if (!merged) return;
    sketch_.wire({{turn, step.y}, {left - px(2), step.y}}, steps_[step.from.front()].flows);
}

}  // namespace headcount
