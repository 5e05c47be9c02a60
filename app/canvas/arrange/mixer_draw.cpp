// The matrices of a mixer's card, their words, and the ways of the data.
#include <algorithm>

#include "app/canvas/arrange/mixer.hpp"
#include "core/base/text.hpp"

namespace headcount {

Rect MixerCard::draw_hung(const HungMatrix& hung, Point corner) {
    const float tall =
        hung_height(hung, scale_) - (hung.bias.empty() ? 0 : px(2) + sketch_.thick(sketch_.drawn(1), scale_));
    const Rect rect = hung.made ? sketch_.slab(hung.id, {corner.x, corner.y + tall / 2}, scale_, px(tallest_made))
                                : sketch_.hung(hung.id, corner, scale_);
    if (hung.bias.empty()) return rect;
    sketch_.bias_below(hung.bias, rect, scale_);
    return {rect.min, {rect.max.x, sketch_.scene.slabs.back().rect.max.y}};
}

// Right of the way that leads in from above; a large matrix has its size inside.
void MixerCard::name_hung(const HungMatrix& hung, const Rect& rect, float width, bool named) {
    const Tensor& tensor = *graph_.find(hung.id);
    const std::string name = hung.made ? std::string(tensor.symbol) : sketch_.name_text(tensor);
    const std::string shape = sketch_.shape_text(tensor);
    const Point at{rect.min.x + px(beside_way), rect.min.y - sketch_.name_line() - px(name_gap) / 2};
    if (named) sketch_.name(at, name, tensor.id);
    const float number = sketch_.width_of(shape, TextRole::number);
    if (!hung.made && rect.width() >= number + px(12) && rect.height() >= sketch_.number_line() + px(4)) {
        const bool both = rect.height() >= 2 * sketch_.number_line() + px(6);
        const float y = rect.centre().y - (both ? sketch_.number_line() : sketch_.number_line() / 2);
        sketch_.label({rect.centre().x, y}, shape, TextRole::number, Tone::on_slab, Anchor::centre, tensor.id);
        if (both)
            sketch_.label({rect.centre().x, y + sketch_.number_line()}, grouped(sketch_.count(tensor)),
                          TextRole::number, Tone::on_slab_low, Anchor::centre, tensor.id);
        return;
    }
    const float beside = px(beside_way + 8) + sketch_.width_of(name, TextRole::name);
    if (room_.words == CardWords::all && beside + number <= width)
        sketch_.number({rect.min.x + beside, at.y + px(1)}, shape, tensor.id);
}

void MixerCard::draw_columns() {
    const float bus = top_ + px(above_row), from = split(scale_, room_);
    const std::string input = block_input(sketch_, plan_.mixer_block);
    const float norm_y = card_norm_y(sketch_, plan_, plan_.mixer_block);
    for (MixerColumn& column : columns_) {
        const float wide = column_width(column, scale_, room_) + px(columns_apart), x = column.left + px(way_in) / 2;
        float y = bus + names();
        column.after ? lead_up(column, bus, {x, y - px(1)})
                     : sketch_.wire({{from, norm_y}, {from, bus}, {x, bus}, {x, y - px(1)}}, input);
        std::string above;
        for (const HungMatrix& hung : column.hung) {
            if (!shows(hung, room_)) continue;
            const bool first = &hung == &column.hung.front();
            if (!first) {
                sketch_.line({{x, y}, {x, y + gap(room_)}}, above);
                y += gap(room_);
            }
            const Rect rect = draw_hung(hung, {column.left, y});
            // Where columns are narrower than their names, a name ends before the way into the next one.
            const bool last = &column == &columns_.back();
            const float beyond = last ? box_.max.x : (&column + 1)->left + px(way_in) / 2;
            const float end =
                column.left + px(beside_way) + sketch_.width_of(graph_.find(hung.id)->symbol, TextRole::name);
            name_hung(hung, rect, wide, room_.words == CardWords::all || (first && end < beyond));
            y = rect.max.y;
            above = hung.flows;
        }
        column.foot = y;
    }
}

// From the foot of the column that it reads below all others, and up before the first of its own level.
void MixerCard::lead_up(const MixerColumn& column, float bus, Point end) {
    const MixerColumn& from = *column_of(*column.after);
    const auto first = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const MixerColumn& each) { return each.level == column.level; });
    const float x = from.left + px(way_in) / 2, y = foot_ - px(ways_apart), up = first->left - arrow(room_) / 2;
    sketch_.wire({{x, from.foot}, {x, y}, {up, y}, {up, bus}, {end.x, bus}, end}, output_of(*column.after).id);
}

// Below all columns, those that are read last above the others, then up to what reads them.
void MixerCard::lead_to(std::size_t number) {
    const MixerStep& step = steps_[number];
    const FlowItem& item = items_[step.item];
    const bool mark = item.node && item.node->parameters.empty();
    const float y = foot_ - px(ways_apart) * (1 + std::min<float>(static_cast<float>(number), 2));
    for (const std::size_t from : item.from) {
        const MixerColumn* const column = column_of(from);
        const std::string& flows = output_of(from).id;
        if (!column) {
            const auto before =
                std::find_if(steps_.begin(), steps_.end(), [&](const MixerStep& each) { return each.item == from; });
            sketch_.wire({{before->left + before->width, step_y_}, {step.left - px(mark ? 0.0F : 1.0F), step_y_}},
                         flows);
            continue;
        }
        const float x = column->left + px(way_in) / 2;
        std::vector<Point> way{{x, column->foot}, {x, y}};
        if (mark) {
            way.push_back({step.left + step.width / 2, y});
            way.push_back({step.left + step.width / 2, step_y_ + px(8)});
        } else {
            way.push_back({step.left - arrow(room_) / 2, y});
            way.push_back({step.left - arrow(room_) / 2, step_y_});
            way.push_back({step.left - px(1), step_y_});
        }
        sketch_.wire(std::move(way), flows);
    }
}

void MixerCard::draw_step(const MixerStep& step) {
    const FlowItem& item = items_[step.item];
    if (item.block) {
        const BlockIndex inside = graph_.tensors[item.output].block;
        const auto shown = std::find_if(graph_.tensors.begin(), graph_.tensors.end(),
                                        [&](const Tensor& tensor) { return tensor.block == inside && !tensor.view; });
        HeadsOf of{.shown = shown->id, .said = shown->role == Role::state ? "state each" : "scores each"};
        std::string held_name;
        if (!item.held.empty()) {
            of.held = graph_.tensors[item.held.front()].id;
            held_name = graph_.tensors[item.held.front()].label;
            of.held_name = held_name;
        }
        return lay_out_heads(sketch_, of, {step.left, step_y_}, px(room::heads),
                             {box_.min, {box_.max.x, box_.max.y - px(below_row)}});
    }
    if (item.node->parameters.empty())
        return sketch_.mark({step.left + step.width / 2, step_y_},
                            item.node->op == Op::gate ? MarkKind::multiply : MarkKind::add, output_of(step.item).id);
    const Tensor& weight = graph_.tensors[item.node->parameters.front()];
    const Rect rect = sketch_.slab(weight.id, {step.left, step_y_}, scale_);
    float below = rect.max.y;
    for (std::size_t i = 1; i < item.node->parameters.size(); ++i) {
        sketch_.bias_below(graph_.tensors[item.node->parameters[i]].id, rect, scale_);
        below = sketch_.scene.slabs.back().rect.max.y;
    }
    const bool norm = item.node->op == Op::norm;
    const std::string name = norm ? "Norm" : sketch_.name_text(weight);
    // Words keep clear of the way back on the card's right.
    const auto middle = [&](std::string_view text, TextRole role) {
        return std::min(rect.centre().x, box_.max.x - px(12) - sketch_.width_of(text, role) / 2);
    };
    const std::string shape = sketch_.shape_text(weight), count = grouped(sketch_.count(weight));
    sketch_.name({middle(name, TextRole::name), rect.min.y - px(19)}, name, weight.id, Anchor::centre);
    const float x = middle(shape, TextRole::number), y = below + px(4);
    sketch_.number({x, y}, shape, weight.id, Anchor::centre);
    if (!norm) sketch_.detail({x, y + sketch_.number_line()}, count, weight.id, Anchor::centre);
}

void MixerCard::draw_steps() {
    for (const MixerStep& step : steps_) draw_step(step);
    for (std::size_t i = 0; i < steps_.size(); ++i) lead_to(i);
}

}  // namespace headcount
