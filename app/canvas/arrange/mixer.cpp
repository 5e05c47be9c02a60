// What stands where in a mixer's card: its columns and steps, how much room they need, at which scale.
#include "app/canvas/arrange/mixer.hpp"

#include <algorithm>
#include <utility>

namespace headcount {

// Steps that nothing reads, such as what is kept for later tokens, are the sub-block's own page's.
void MixerCard::fold() {
    for (FlowItem& item : items_) {
        std::vector<std::size_t> drawn;
        for (const std::size_t from : item.from)
            if (std::find(drawn.begin(), drawn.end(), drawn_for(from)) == drawn.end()) drawn.push_back(drawn_for(from));
        item.from = std::move(drawn);
    }
}

void MixerCard::hang(MixerColumn& column, const FlowItem& item) {
    const auto& parameters = item.node->parameters;
    const Tensor& weight = graph_.tensors[parameters.front()];
    const Tensor& made = graph_.tensors[item.output];
    HungMatrix hung{.id = weight.id, .bias = {}, .flows = made.id, .sides = sketch_.sides(weight.id, true)};
    if (parameters.size() > 1) hung.bias = graph_.tensors[parameters[1]].id;
    column.words = std::max(column.words, sketch_.width_of(sketch_.name_text(weight), TextRole::name));
    if (column.hung.empty()) column.first = column.words;
    column.hung.push_back(std::move(hung));
    const bool same = !item.from.empty() && made.shape == graph_.tensors[item.node->inputs.front()].shape;
    if (same) return;
    column.words = std::max(column.words, sketch_.width_of(made.symbol, TextRole::name));
    column.hung.push_back(
        {.id = made.id, .bias = {}, .flows = made.id, .sides = sketch_.sides(made.id, true), .made = true});
}

MixerColumn* MixerCard::column_of(std::size_t item) {
    const auto column = std::find_if(columns_.begin(), columns_.end(), [&](const MixerColumn& each) {
        return std::find(each.items.begin(), each.items.end(), item) != each.items.end();
    });
    return column == columns_.end() ? nullptr : &*column;
}

void MixerCard::gather_columns() {
    // What makes the sub-block's output is a step.
    const auto hangs = [&](const FlowItem& item) {
        return item.node && draws(item) && item.from.size() == 1 && &item != &items_.back();
    };
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const FlowItem& item = items_[i];
        if (item.node && draws(item) && item.from_outside && item.from.empty() && &item != &items_.back()) {
            columns_.push_back({.items = {i}});
            hang(columns_.back(), item);
            continue;
        }
        if (!hangs(item)) continue;
        const std::size_t from = item.from.front();
        MixerColumn* column = column_of(from);
        if (!column || column->items.back() != from) continue;
        const auto readers = std::count_if(items_.begin(), items_.end(), [&](const FlowItem& other) {
            return hangs(other) && other.from.front() == from;
        });
        if (readers > 1) {
            columns_.push_back({.after = from, .level = column->level + 1});
            column = &columns_.back();
        }
        column->items.push_back(i);
        hang(*column, item);
    }
}

void MixerCard::gather_steps() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (column_of(i) || !draws(items_[i])) continue;
        MixerStep step{.item = i};
        if (items_[i].node && !items_[i].node->parameters.empty()) {
            const Tensor& weight = graph_.tensors[items_[i].node->parameters.front()];
            step.columns = sketch_.sides(weight.id, true).columns;
            const bool norm = items_[i].node->op == Op::norm;
            step.words = sketch_.width_of(norm ? "Norm" : sketch_.name_text(weight), TextRole::name);
        }
        steps_.push_back(step);
    }
    for (MixerColumn& column : columns_)
        for (std::size_t step = steps_.size(); step-- > 0;)
            for (const std::size_t from : items_[steps_[step].item].from)
                if (std::find(column.items.begin(), column.items.end(), from) != column.items.end())
                    column.reader = step;
    // Those that are read first stand first, so that few of their ways cross.
    std::stable_sort(columns_.begin(), columns_.end(), [](const MixerColumn& a, const MixerColumn& b) {
        return std::pair(a.level, a.reader) < std::pair(b.level, b.reader);
    });
}

float MixerCard::column_width(const MixerColumn& column, float scale, const CardRoom& room) const {
    float width = room.words == CardWords::all     ? px(beside_way) + column.words
                  : room.words == CardWords::first ? px(beside_way) + column.first
                                                   : 0;
    for (const HungMatrix& hung : column.hung)
        if (shows(hung, room)) width = std::max(width, sketch_.thick(hung.sides.columns, scale));
    return width;
}

float MixerCard::hung_height(const HungMatrix& hung, float scale) const {
    const float own = sketch_.thick(hung.sides.rows, scale);
    const float bias = hung.bias.empty() ? 0 : px(2) + sketch_.thick(sketch_.drawn(1), scale);
    return (hung.made ? std::min(own, px(tallest_made)) : own) + bias;
}

float MixerCard::step_height(float scale) const {
    float step = 0;
    for (const MixerStep& each : steps_) {
        const FlowItem& item = items_[each.item];
        if (item.node && !item.node->parameters.empty())
            step = std::max(
                step, sketch_.thick(sketch_.sides(graph_.tensors[item.node->parameters.front()].id, true).rows, scale));
    }
    return step;
}

float MixerCard::height(float scale, const CardRoom& room) const {
    float tallest = 0;
    for (const MixerColumn& column : columns_) {
        float own = 0;
        for (const HungMatrix& hung : column.hung)
            if (shows(hung, room))
                own += (&hung == &column.hung.front() ? names() : gap(room)) + hung_height(hung, scale);
        tallest = std::max(tallest, own);
    }
    return std::max(tallest + px(above_row + below_row),
                    step_height(scale) + px(2 * below_row) + (room.words == CardWords::all ? px(least_words) : 0)) +
           (room.below_title ? px(title_lines) : 0);
}

float MixerCard::step_width(const MixerStep& step, float scale, const CardRoom& room) const {
    const FlowItem& item = items_[step.item];
    if (item.block) {
        float width = px(room::heads);
        for (const TensorIndex held : item.held)
            width = std::max(width, sketch_.thick(sketch_.sides(graph_.tensors[held].id, true).columns, scale));
        return width;
    }
    if (item.node->parameters.empty()) return px(mark_width);
    const float matrix = sketch_.thick(step.columns, scale);
    return room.words == CardWords::all ? std::max(matrix, step.words) : matrix;
}

// Where the input leaves the norm's line: right of the title, or right of the norm alone.
float MixerCard::split(float scale, const CardRoom& room) const {
    if (!room.below_title) return card_split(sketch_, plan_, plan_.mixer_block, scale);
    const std::string norm = plan_.mixer_block + ".norm";
    const float words = std::max(sketch_.width_of("Norm", TextRole::name),
                                 sketch_.width_of(norm_size(sketch_, norm), TextRole::number));
    return box_.min.x + px(room::padding + room::gap) + std::max(sketch_.thick(plan_.dim, scale), words);
}

float MixerCard::width(float scale, const CardRoom& room) const {
    float sum = split(scale, room) - box_.min.x + arrow(room) * static_cast<float>(1 + levels()) + px(room::padding);
    for (const MixerColumn& column : columns_) sum += column_width(column, scale, room) + px(columns_apart);
    for (const MixerStep& step : steps_) sum += step_width(step, scale, room) + arrow(room);
    return sum + px(way_in);
}

void MixerCard::lay_out() {
    scale_ = plan_.scales.layer;
    room_ = {CardWords::bare};
    for (const CardWords words : {CardWords::bare, CardWords::few, CardWords::first, CardWords::all})
        room_ = room_for(scale_, words).value_or(room_);
    lay_out_card(sketch_, plan_, plan_.mixer_block);
    lay_out_norm(sketch_, plan_, plan_.mixer_block, card_norm_y(sketch_, plan_, plan_.mixer_block),
                 split(scale_, room_));
    // In the middle of a card that is taller.
    const float spare = std::max(0.0F, box_.height() - height(scale_, room_)) / 2;
    top_ = box_.min.y + spare + (room_.below_title ? px(title_lines) : 0);
    step_y_ = box_.centre().y;
    // The ways below keep clear of the steps' words where they can.
    const float words = step_height(scale_) / 2 + 2 * sketch_.number_line() + px(2 * ways_apart + 8);
    foot_ = std::min(box_.max.y, std::max(box_.max.y - spare, step_y_ + words));
    // What is left over is shared out among the gaps.
    const auto gaps = static_cast<float>(columns_.size() + steps_.size());
    const float slack = std::max(0.0F, box_.width() - width(scale_, room_)) / gaps;
    float x = split(scale_, room_) + arrow(room_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        MixerColumn& column = columns_[i];
        column.left = x += before(i, room_);
        x += column_width(column, scale_, room_) + px(columns_apart) + 0.6F * slack;
    }
    x = box_.max.x - px(room::padding);
    const float apart = arrow(room_) + slack;
    for (std::size_t i = steps_.size(); i-- > 0;) {
        MixerStep& step = steps_[i];
        const FlowItem& item = items_[step.item];
        const float room = step_width(step, scale_, room_);
        step.width = item.node && !item.node->parameters.empty() ? sketch_.thick(step.columns, scale_) : room;
        step.left = x - (room + step.width) / 2;
        x -= room + apart;
    }
    draw_columns();
    draw_steps();
    lay_out_return(sketch_, plan_, plan_.mixer_block, {steps_.back().left + steps_.back().width, step_y_});
}

LargestScales mixer_scales(const Sketch& sketch, const Plan& plan) {
    Sketch trial(sketch.input());
    const MixerCard card(trial, plan);
    const float most = largest_scale({one_row(sketch)}), least = most * 1e-8F;
    const auto largest = [&](float within, CardWords words) {
        return largest_fitting(least, within, [&](float scale) { return card.room_for(scale, words).has_value(); });
    };
    constexpr float enough = 0.6F;       // names are worth smaller matrices, but not tiny ones
    constexpr float enough_made = 0.3F;  // and what is made even more
    const float bare = largest(most, CardWords::bare), few = largest(bare, CardWords::few);
    const float shapes = few >= enough_made * bare ? few : bare;
    for (const CardWords words : {CardWords::all, CardWords::first})
        if (const float with = largest(shapes, words); with >= enough * shapes) return {shapes, with};
    return {shapes, shapes};
}

void lay_out_mixer(Sketch& sketch, const Plan& plan) {
    MixerCard(sketch, plan).lay_out();
}

}  // namespace headcount
