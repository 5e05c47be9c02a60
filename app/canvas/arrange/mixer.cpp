// A mixer in its card on the page of the whole model, from its nodes alone: what reads the same input stands side by
// side, what is made of each hangs below it, and what brings them together follows to the right. It knows no kind of
// mixer.
#include <algorithm>
#include <optional>
#include <vector>

#include "app/canvas/arrange/block_layout.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels.
constexpr float above_row = 5, name_gap = 3, beside_way = 12, way_in = 5, columns_apart = 8, bare_gap = 7,
                below_row = 22, ways_apart = 7, tallest_made = 14, mark_width = 16, least_words = 34;

// A matrix, a filter or a vector, with what is added to it below.
struct HungMatrix {
    std::string id;
    std::string bias;   // empty where there is none
    std::string flows;  // what leaves it
    Sides sides{0, 0};
    bool made = false;  // an activation
};

// What one matrix makes of the input, step by step.
struct MixerColumn {
    std::vector<HungMatrix> hung;
    std::vector<std::size_t> items;  // of the flow
    std::size_t reader = 0;          // the step on the right that reads it first
    float words = 0;                 // how wide its names are
    float left = 0, foot = 0;        // in pixels, once it is drawn
};

// What brings columns together, or changes that.
struct MixerStep {
    std::size_t item = 0;
    double columns = 0;  // of its matrix
    float words = 0;
    float left = 0, width = 0;
};

class MixerCard {
  public:
    MixerCard(Sketch& sketch, const Plan& plan)
        : sketch_(sketch), plan_(plan), graph_(sketch.input().model.graph), box_(plan.mixer) {
        const std::string block = sketch.shown(plan.mixer_block);
        const std::vector<ThingId> elsewhere{block + ".norm", block + ".output", block + ".output_norm"};
        for (FlowItem& item : flow_of(graph_, block, elsewhere)) items_.push_back(std::move(item));
        fold();
        gather_columns();
        gather_steps();
    }

    bool fits(float scale, bool words) const {
        return height(scale, words) <= box_.height() && width(scale, words) <= box_.width();
    }
    void lay_out();

  private:
    float px(float design) const { return sketch_.px(design); }
    bool draws(const FlowItem& item) const {
        return item.block || !item.node->parameters.empty() || item.from.size() > 1;
    }
    // What has no parameters and one input is seen in that, as far as this page goes.
    std::size_t drawn_for(std::size_t index) const {
        while (!draws(items_[index]) && items_[index].from.size() == 1) index = items_[index].from.front();
        return index;
    }
    void fold();
    void gather_columns();
    void hang(MixerColumn& column, const FlowItem& item);
    void gather_steps();
    float names() const { return sketch_.name_line() + px(name_gap); }
    float gap(bool words) const { return words ? names() : px(bare_gap); }
    float column_width(const MixerColumn& column, float scale, bool words) const;
    float hung_height(const HungMatrix& hung, float scale) const;
    float step_width(const MixerStep& step, float scale, bool words) const;
    float height(float scale, bool words) const;
    float width(float scale, bool words) const;
    float split(float scale) const { return card_split(sketch_, plan_, plan_.mixer_block, scale); }
    void draw_columns();
    Rect draw_hung(const HungMatrix& hung, Point corner);
    void name_hung(const HungMatrix& hung, const Rect& rect, float width, bool first);
    void draw_steps();
    void draw_step(const MixerStep& step);
    void lead_to(std::size_t number);
    const Tensor& output_of(std::size_t item) const { return graph_.tensors[items_[item].output]; }

    Sketch& sketch_;
    const Plan& plan_;
    const ModelGraph& graph_;
    const Rect& box_;
    std::vector<FlowItem> items_;
    std::vector<MixerColumn> columns_;
    std::vector<MixerStep> steps_;
    bool words_ = true;
    float scale_ = 0, top_ = 0, foot_ = 0, step_y_ = 0;
};

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
    column.hung.push_back(std::move(hung));
    const bool same = !item.from.empty() && made.shape == graph_.tensors[item.node->inputs.front()].shape;
    if (same) return;
    column.words = std::max(column.words, sketch_.width_of(made.symbol, TextRole::name));
    column.hung.push_back(
        {.id = made.id, .bias = {}, .flows = made.id, .sides = sketch_.sides(made.id, true), .made = true});
}

void MixerCard::gather_columns() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const FlowItem& item = items_[i];
        if (!item.node || !draws(item)) continue;
        if (item.from_outside && item.from.empty()) {
            columns_.push_back({.items = {i}});
            hang(columns_.back(), item);
            continue;
        }
        const auto column = std::find_if(columns_.begin(), columns_.end(), [&](const MixerColumn& each) {
            return item.from.size() == 1 && each.items.back() == item.from.front();
        });
        if (column == columns_.end()) continue;
        column->items.push_back(i);
        hang(*column, item);
    }
}

void MixerCard::gather_steps() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const bool hung = std::any_of(columns_.begin(), columns_.end(), [&](const MixerColumn& column) {
            return std::find(column.items.begin(), column.items.end(), i) != column.items.end();
        });
        if (hung || !draws(items_[i])) continue;
        MixerStep step{.item = i};
        if (items_[i].node && !items_[i].node->parameters.empty()) {
            const Tensor& weight = graph_.tensors[items_[i].node->parameters.front()];
            step.columns = sketch_.sides(weight.id, true).columns;
            step.words = std::max(sketch_.width_of(sketch_.shape_text(weight), TextRole::number),
                                  sketch_.width_of(sketch_.name_text(weight), TextRole::name));
        }
        steps_.push_back(step);
    }
    for (MixerColumn& column : columns_)
        for (std::size_t step = steps_.size(); step-- > 0;)
            for (const std::size_t from : items_[steps_[step].item].from)
                if (std::find(column.items.begin(), column.items.end(), from) != column.items.end())
                    column.reader = step;
    // Those that are read first stand first, so that few of their ways cross.
    std::stable_sort(columns_.begin(), columns_.end(),
                     [](const MixerColumn& a, const MixerColumn& b) { return a.reader < b.reader; });
}

float MixerCard::column_width(const MixerColumn& column, float scale, bool words) const {
    float width = words ? px(beside_way) + column.words : 0;
    for (const HungMatrix& hung : column.hung) width = std::max(width, sketch_.thick(hung.sides.columns, scale));
    return width;
}

float MixerCard::hung_height(const HungMatrix& hung, float scale) const {
    const float own = sketch_.thick(hung.sides.rows, scale);
    const float bias = hung.bias.empty() ? 0 : px(2) + sketch_.thick(sketch_.drawn(1), scale);
    return (hung.made ? std::min(own, px(tallest_made)) : own) + bias;
}

float MixerCard::height(float scale, bool words) const {
    float tallest = 0;
    for (const MixerColumn& column : columns_) {
        float own = 0;
        for (const HungMatrix& hung : column.hung)
            own += (&hung == &column.hung.front() ? names() : gap(words)) + hung_height(hung, scale);
        tallest = std::max(tallest, own);
    }
    float step = 0;
    for (const MixerStep& each : steps_) {
        const FlowItem& item = items_[each.item];
        if (item.node && !item.node->parameters.empty())
            step = std::max(
                step, sketch_.thick(sketch_.sides(graph_.tensors[item.node->parameters.front()].id, true).rows, scale));
    }
    return std::max(tallest + px(above_row + below_row), step + px(2 * below_row) + (words ? px(least_words) : 0));
}

float MixerCard::step_width(const MixerStep& step, float scale, bool words) const {
    const FlowItem& item = items_[step.item];
    if (item.block) return px(room::heads);
    if (item.node->parameters.empty()) return px(mark_width);
    const float matrix = sketch_.thick(step.columns, scale);
    return words ? std::max(matrix, step.words) : matrix;
}

float MixerCard::width(float scale, bool words) const {
    float sum = split(scale) - box_.min.x + plan_.arrow + px(room::padding);
    for (const MixerColumn& column : columns_) sum += column_width(column, scale, words) + px(columns_apart);
    for (const MixerStep& step : steps_) sum += step_width(step, scale, words) + plan_.arrow;
    return sum + px(way_in);
}

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
void MixerCard::name_hung(const HungMatrix& hung, const Rect& rect, float width, bool first) {
    const Tensor& tensor = *graph_.find(hung.id);
    const std::string name = hung.made ? std::string(tensor.symbol) : sketch_.name_text(tensor);
    const std::string shape = sketch_.shape_text(tensor);
    const Point at{rect.min.x + px(beside_way), rect.min.y - sketch_.name_line() - px(name_gap) / 2};
    if (first || words_) sketch_.name(at, name, tensor.id);
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
    if (words_ && beside + number <= width) sketch_.number({rect.min.x + beside, at.y + px(1)}, shape, tensor.id);
}

void MixerCard::draw_columns() {
    const float bus = top_ + px(above_row), from = split(scale_);
    const std::string input = block_input(sketch_, plan_.mixer_block);
    const float norm_y = card_norm_y(sketch_, plan_, plan_.mixer_block);
    for (MixerColumn& column : columns_) {
        const float wide = column_width(column, scale_, words_) + px(columns_apart), x = column.left + px(way_in) / 2;
        float y = bus + names();
        sketch_.wire({{from, norm_y}, {from, bus}, {x, bus}, {x, y - px(1)}}, input);
        std::string above;
        for (const HungMatrix& hung : column.hung) {
            const bool first = &hung == &column.hung.front();
            if (!first) {
                sketch_.line({{x, y}, {x, y + gap(words_)}}, above);
                y += gap(words_);
            }
            const Rect rect = draw_hung(hung, {column.left, y});
            name_hung(hung, rect, wide, first);
            y = rect.max.y;
            above = hung.flows;
        }
        column.foot = y;
    }
}

// Below all columns, those that are read last above the others, then up to what reads them.
void MixerCard::lead_to(std::size_t number) {
    const MixerStep& step = steps_[number];
    const FlowItem& item = items_[step.item];
    const bool mark = item.node && item.node->parameters.empty();
    const float y = foot_ - px(ways_apart) * (1 + std::min<float>(static_cast<float>(number), 2));
    for (const std::size_t from : item.from) {
        const auto column = std::find_if(columns_.begin(), columns_.end(), [&](const MixerColumn& each) {
            return std::find(each.items.begin(), each.items.end(), from) != each.items.end();
        });
        const std::string& flows = output_of(from).id;
        if (column == columns_.end()) {
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
            way.push_back({step.left - plan_.arrow / 2, y});
            way.push_back({step.left - plan_.arrow / 2, step_y_});
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
        return lay_out_heads(sketch_, of, step.left, step_y_, box_.max.y - px(below_row));
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
    const float half = std::max(sketch_.width_of(sketch_.shape_text(weight), TextRole::number),
                                sketch_.width_of(name, TextRole::name)) /
                       2;
    const float centre = std::min(rect.centre().x, box_.max.x - px(12) - half);
    sketch_.name({centre, rect.min.y - px(19)}, name, weight.id, Anchor::centre);
    sketch_.number({centre, below + px(4)}, sketch_.shape_text(weight), weight.id, Anchor::centre);
    if (!norm)
        sketch_.detail({centre, below + px(4) + sketch_.number_line()}, grouped(sketch_.count(weight)), weight.id,
                       Anchor::centre);
}

void MixerCard::draw_steps() {
    for (const MixerStep& step : steps_) draw_step(step);
    for (std::size_t i = 0; i < steps_.size(); ++i) lead_to(i);
}

void MixerCard::lay_out() {
    scale_ = plan_.scales.layer;
    words_ = fits(scale_, true);
    lay_out_card(sketch_, plan_, plan_.mixer_block);
    lay_out_norm(sketch_, plan_, plan_.mixer_block, card_norm_y(sketch_, plan_, plan_.mixer_block), split(scale_));
    // In the middle of a card that is taller.
    const float spare = std::max(0.0F, box_.height() - height(scale_, words_)) / 2;
    top_ = box_.min.y + spare;
    foot_ = box_.max.y - spare;
    // What is left over is shared out among the gaps.
    const auto gaps = static_cast<float>(columns_.size() + steps_.size());
    const float slack = std::max(0.0F, box_.width() - width(scale_, words_)) / gaps;
    float x = split(scale_) + plan_.arrow;
    for (MixerColumn& column : columns_) {
        column.left = x;
        x += column_width(column, scale_, words_) + px(columns_apart) + 0.6F * slack;
    }
    x = box_.max.x - px(room::padding);
    const float apart = plan_.arrow + slack;
    for (std::size_t i = steps_.size(); i-- > 0;) {
        MixerStep& step = steps_[i];
        const FlowItem& item = items_[step.item];
        const float room = step_width(step, scale_, words_);
        step.width = item.node && !item.node->parameters.empty() ? sketch_.thick(step.columns, scale_) : room;
        step.left = x - (room + step.width) / 2;
        x -= room + apart;
    }
    step_y_ = box_.centre().y;
    draw_columns();
    draw_steps();
    lay_out_return(sketch_, plan_, plan_.mixer_block, {steps_.back().left + steps_.back().width, step_y_});
}

}  // namespace

LargestScales mixer_scales(const Sketch& sketch, const Plan& plan) {
    Sketch trial(sketch.input());
    const MixerCard card(trial, plan);
    const float most = largest_scale({one_row(sketch)}), least = most * 1e-8F;
    const float shapes = largest_fitting(least, most, [&](float scale) { return card.fits(scale, false); });
    return {shapes, largest_fitting(least, shapes, [&](float scale) { return card.fits(scale, true); })};
}

void lay_out_mixer(Sketch& sketch, const Plan& plan) {
    MixerCard(sketch, plan).lay_out();
}

}  // namespace headcount
