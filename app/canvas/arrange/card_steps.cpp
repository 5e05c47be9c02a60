// What brings the strands of a card together, its words, and the ways of the data there.
#include <algorithm>

#include "app/canvas/arrange/card.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Design pixels: from a name above a matrix to that; from the right edge to the way out, and above the foot.
constexpr float step_name = 19, to_edge = 7, above_foot = 3;

}  // namespace

float BlockCard::step_height(float scale) const {
    float tallest = 0;
    for (const CardStep& step : steps_)
        if (!step.weight.empty()) tallest = std::max(tallest, step_tall(step, scale));
    return tallest;
}

// Inside of another card there is no room for words below that a bias could take.
float BlockCard::step_tall(const CardStep& step, float scale) const {
    const Node* const node = items_[step.item].node;
    const bool biased = inlet_ && node && node->parameters.size() > 1;
    const float bias = biased ? px(2) + sketch_.thick(sketch_.drawn(1), scale) : 0;
    return tall(step.sides, scale) + 2 * bias;
}

float BlockCard::most_named() const { return std::max(box_.height() - 4 * px(step_name), 0.3F * box_.height()); }

// Whether its matrix is too tall for words above and below.
bool BlockCard::words_beside(const CardStep& step, float scale) const {
    const bool reads_made = &step != steps_.data() && !(&step - 1)->made.empty();
    return reads_made && tall(step.sides, scale) > most_named();
}

float BlockCard::step_made_width(const CardStep& step, float scale, const StrandRoom& room) const {
    if (step.made.empty()) return 0;
    const float own = wide(step.made_sides, scale);
    if (room.words != CardWords::all) return px(room::gap) + own;
    const CardStep& next = *(&step + 1);
    const float words = words_beside(next, scale) ? next.label + px(room::gap) : 0;
    return px(room::gap) + std::max(own, words);
}

float BlockCard::step_width(const CardStep& step, float scale, const StrandRoom& room) const {
    const FlowItem& item = items_[step.item];
    if (item.block) {
        const float least = px(room.words == CardWords::all ? room::heads : room::least_heads);
        // In columns the ways of others come up beside it.
        const float width = room.form == CardForm::columns ? std::max(least, step.words) : least;
        return step.held > 0 ? std::max(width, sketch_.thick(step.held, scale)) : width;
    }
    if (step.weight.empty()) return px(mark_width);
    const float matrix = wide(step.sides, scale);
    return room.words == CardWords::all && !words_beside(step, scale) ? std::max(matrix, step.words) : matrix;
}

float BlockCard::steps_width(float scale, const StrandRoom& room) const {
    float sum = 0;
    for (const CardStep& step : steps_)
        sum += step_width(step, scale, room) + step_made_width(step, scale, room) + arrow(room);
    return sum;
}

// From the right, each behind an arrow and what is left over.
void BlockCard::place_steps(float slack) {
    float x = box_.max.x - padding();
    for (std::size_t i = steps_.size(); i-- > 0;) {
        CardStep& step = steps_[i];
        const float own = step_width(step, scale_, room_), made = step_made_width(step, scale_, room_);
        step.made_left = x - made + px(room::gap);
        x -= made;
        const bool matrix = !step.weight.empty();
        step.width = matrix ? wide(step.sides, scale_) : own;
        step.left = x - (own + step.width) / 2;
        x -= own + arrow(room_) + slack;
    }
}

// How far above the foot what this step reads passes.
float BlockCard::way_above_foot(std::size_t number) const {
    return px(ways_apart) * (1 + std::min<float>(static_cast<float>(number), 2));
}

// What a row above the last makes for a later step passes below all of them.
float BlockCard::ways_below_rows() const {
    float most = 0;
    for (std::size_t i = 1; i < steps_.size() && strands_.size() > 1; ++i)
        for (const std::size_t from : items_[steps_[i].item].from) {
            const Strand* const strand = strand_of(from);
            if (strand && strand != &strands_.back()) most = std::max(most, way_above_foot(i));
        }
    return most;
}

// Below all strands, those that are read last above the others, then up to what reads them; in rows straight on to the
// first step.
void BlockCard::lead_to(std::size_t number) {
    const CardStep& step = steps_[number];
    const FlowItem& item = items_[step.item];
    const bool mark = !item.block && step.weight.empty();
    const float y = foot_ - way_above_foot(number);
    const float middle = step.left + step.width / 2, before = step.left - arrow(room_) / 2;
    bool on = false;
    // What nothing here has changed comes from where strands begin.
    const auto lead = [&](const Strand* strand, const std::string& flows) {
        const Point start = strand ? strand->end : entry();
        const bool straight = room_.form != CardForm::columns && strand && number == 0;
        const float low = straight ? start.y : y;
        std::vector<Point> way{start};
        if (strand && room_.form != CardForm::columns && !straight) way.push_back({start.x + px(way_in), start.y});
        if (!straight) way.push_back({way.back().x, low});
        const float side = low == step_y_ ? 0.0F : low < step_y_ ? -8.0F : 8.0F;
        if (mark) {
            way.push_back({side == 0 ? step.left : middle, low});
            if (side != 0) way.push_back({middle, step_y_ + px(side)});
            sketch_.wire(std::move(way), flows);
        } else if (straight) {
            way.push_back({before, low});
            if (side != 0) way.push_back({before, step_y_});
            sketch_.line(std::move(way), flows);
            on = true;
        } else {
            way.insert(way.end(), {{before, y}, {before, step_y_}, {step.solid_left - px(1), step_y_}});
            sketch_.wire(std::move(way), flows);
        }
        if (strand) sketch_.scene.wires.back().tilted_start = strand->solid;
    };
    for (const std::size_t from : item.from) {
        if (is_in_branch(from)) continue;
        const Strand* const strand = strand_of(from);
        const auto made = std::ranges::find_if(steps_, [&](const CardStep& each) { return each.item == from; });
        if (strand || made == steps_.end()) {
            lead(strand, strand ? output_of(from).id : flowing_in());
            continue;
        }
        const float right = made->made.empty() ? made->solid_right : made->made_left + wide(made->made_sides, scale_);
        sketch_.wire({{right, step_y_}, {step.solid_left - px(mark ? 0.0F : 1.0F), step_y_}}, output_of(from).id);
    }
    if (joins_input(item)) lead(nullptr, flowing_in());
    if (on) sketch_.wire({{before, step_y_}, {step.solid_left - px(1), step_y_}}, output_of(step.item).id);
}

void BlockCard::draw_step(CardStep& step) {
    const FlowItem& item = items_[step.item];
    step.solid_left = step.left;
    step.solid_right = step.left + step.width;
    if (item.block) {
        const BlockIndex inside = graph_.tensors[item.output].block;
        // With a run's numbers it is the weights that say where a head looks.
        const auto weighs = [&](const Tensor& each) {
            const Node* const made = graph_.producer(static_cast<TensorIndex>(&each - graph_.tensors.data()));
            return made && made->op == Op::masked_softmax;
        };
        const Node* const scores = graph_.first(Op::scores, inside);
        const Tensor* shown = scores ? &tensor(scores->output) : nullptr;
        for (const Tensor& each : graph_.tensors) {
            if (each.block != inside || each.view) continue;
            if (!shown || (sketch_.input().values && weighs(each))) shown = &each;
        }
        HeadsOf of{.shown = shown->id,
                   .said = shown->role == Role::state ? "state each"
                           : weighs(*shown)           ? "weights each"
                                                      : "scores each"};
        if (!item.held.empty()) {
            for (const TensorIndex each : item.held) of.held.push_back(tensor(each).id);
            of.held_name = tensor(item.held.front()).label;
        }
        const Rect squares =
            lay_out_heads(sketch_, of, {step.left, step_y_}, step.width,
                          {box_.min, {box_.max.x, box_.max.y - (room_.form != CardForm::columns ? 0 : px(below_row))}});
        step.solid_left = squares.min.x;
        step.solid_right = squares.max.x;
        return;
    }
    if (step.weight.empty()) {
        const Op op = item.node->op;
        const MarkKind kind = op == Op::gate || op == Op::mix_blocks         ? MarkKind::multiply
                              : op == Op::activate || op == Op::index_scores ? MarkKind::apply
                                                                             : MarkKind::add;
        return sketch_.mark({step.left + step.width / 2, step_y_}, kind, output_of(step.item).id);
    }
    const Rect rect = sketch_.slab(step.weight, {step.left, step_y_}, scale_);
    Rect last = rect;  // below it its bias; of several vectors one below the other
    for (std::size_t i = 1; i < item.node->parameters.size(); ++i)
        last = sketch_.bias_below(tensor(item.node->parameters[i]).id, last, scale_);
    name_step(step, rect, last.max.y);
}

// What a matrix behind it reads.
void BlockCard::draw_step_made(const CardStep& step) {
    if (step.made.empty()) return;
    const float tallest = std::max(box_.height() - px(84), px(2 * least_side));
    const Rect made = sketch_.slab(step.made, {step.made_left, step_y_}, scale_, tallest);
    sketch_.line({{step.solid_right, step_y_}, {made.min.x, step_y_}}, step.made);
    const Tensor& tensor = *graph_.find(step.made);
    const CardStep& next = *(&step + 1);  // the name ends before that does
    const bool fits = made.min.x + sketch_.width_of(tensor.label, TextRole::name) <= next.left + next.width;
    if (room_.words != CardWords::all || !fits) return;
    if (made.min.y - px(34) >= box_.min.y) {
        sketch_.name({made.min.x, made.min.y - px(34)}, tensor.label, step.made);
        sketch_.number({made.min.x, made.min.y - px(17)}, sketch_.shape_text(tensor), step.made);
    } else {
        sketch_.name_and_size({made.min.x, made.min.y - px(step_name)}, tensor.label, sketch_.shape_text(tensor),
                              step.made);
    }
}

// Above and below its matrix; where that is too tall for a name and a shape, left of it below what it reads.
void BlockCard::name_step(const CardStep& step, const Rect& rect, float below) {
    const Tensor& weight = *weight_of(step);
    const bool fits = rect.min.y - px(step_name) >= box_.min.y && below + px(4) + sketch_.number_line() <= box_.max.y;
    if (words_beside(step, scale_) && !fits) {
        const float top = step_y_ + px(2 * least_side);
        const float height = box_.max.y - top;
        const int lines = height > sketch_.label_height(3) ? 3 : height > sketch_.label_height(2) ? 2 : 1;
        const float right = rect.min.x - px(8);
        if (lines > 1) return sketch_.tensor_label(weight.id, {right, top}, lines, Anchor::right);
        // The name next to its matrix, its shape beyond that; a subscript hangs lower.
        const float y = std::min(top, box_.max.y - sketch_.name_line() - px(inside_edge));
        sketch_.name({right, y}, weight.symbol, weight.id, Anchor::right);
        const auto says_made = [&](const Label& label) { return label.id == (&step - 1)->made; };
        // Below what has no words of its own it would seem to be that's.
        if (std::ranges::none_of(sketch_.scene.labels, says_made)) return;
        const float beyond = right - sketch_.width_of(weight.symbol, TextRole::name) - px(8);
        return sketch_.number({beyond, y + px(2)}, sketch_.shape_text(weight), weight.id, Anchor::right);
    }
    const bool norm = items_[step.item].node->op == Op::norm;
    const std::string name = norm ? "Norm" : sketch_.name_text(weight);
    // Words keep clear of the way back on the card's right.
    const auto middle = [&](std::string_view text, TextRole role) {
        return std::min(rect.centre().x, box_.max.x - px(12) - sketch_.width_of(text, role) / 2);
    };
    const std::string shape = sketch_.shape_text(weight), count = grouped(sketch_.count(weight));
    sketch_.name({middle(name, TextRole::name), rect.min.y - px(step_name)}, name, weight.id, Anchor::centre);
    const float x = middle(shape, TextRole::number), y = below + px(4);
    // Inside of another card the operation before it is close: the shape does not reach below that.
    const CardStep* const before = inlet_ && &step != steps_.data() ? &step - 1 : nullptr;
    const float left = before ? before->left + before->width : box_.min.x;
    if (y + sketch_.number_line() > box_.max.y || x - sketch_.width_of(shape, TextRole::number) / 2 < left) return;
    sketch_.number({x, y}, shape, weight.id, Anchor::centre);
    if (!norm && y + 2 * sketch_.number_line() <= box_.max.y)
        sketch_.detail({x, y + sketch_.number_line()}, count, weight.id, Anchor::centre);
}

void BlockCard::draw_steps() {
    for (CardStep& step : steps_) {
        draw_step(step);
        draw_step_made(step);
    }
    for (std::size_t i = branches_.empty() ? 0 : 1; i < steps_.size(); ++i) lead_to(i);
    lead_out_added();
}

// What a strand makes for the stream itself joins the way out.
void BlockCard::lead_out_added() {
    if (inlet_) return;
    for (const Strand& strand : strands_) {
        const TensorIndex made = items_[strand.items.back()].output;
        const bool added = std::ranges::any_of(
            graph_.nodes, [&](const Node& node) { return node.op == Op::add && contains(node.inputs, made); });
        if (!added) continue;
        const float y = room_.form == CardForm::columns ? std::min(foot_, box_.max.y) - px(above_foot) : strand.end.y;
        sketch_.line({strand.end, {strand.end.x, y}, {box_.max.x - px(to_edge), y}}, tensor(made).id);
    }
}

}  // namespace headcount
