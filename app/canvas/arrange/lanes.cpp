// What stands where in a card of lanes: its steps, columns and rows, and at which scale they have room with which words.
#include "app/canvas/arrange/lanes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.hpp"

namespace headcount {
namespace {

// From the most words to the fewest: a name is always among them.
std::vector<LaneForm> forms(int from, int to) {
    std::vector<LaneForm> all;
    for (int lines = from; lines >= to; --lines)
        for (const bool hung : {false, true})
            for (const bool over : {false, true}) all.push_back({lines, over, hung});
    return all;
}
constexpr int most_lines = 3;

}  // namespace

LaneCard::LaneCard(Sketch& sketch, const Plan& plan, std::string_view block)
    : sketch_(sketch), plan_(plan), graph_(sketch.input().model.graph), block_(block), box_(plan.box(block)) {
    const std::string own = sketch.shown(block);
    items_ = flow_of(graph_, own, {own + ".norm", own + ".output", own + ".output_norm"});
    gather();
    assign();
}

LaneMatrix LaneCard::matrix(TensorIndex index) const {
    const Tensor& tensor = graph_.tensors[index];
    return {.id = sketch_.written(tensor.id),
            .sides = sketch_.sides(sketch_.written(tensor.id), true),
            .name = sketch_.width_of(sketch_.name_text(tensor), TextRole::name),
            .shape = sketch_.width_of(sketch_.shape_text(tensor), TextRole::number),
            .count = sketch_.width_of(grouped(sketch_.count(tensor)), TextRole::number)};
}

// An operation with one input and without parameters is seen in what it is made of, and so is a norm.
void LaneCard::gather() {
    std::vector<std::size_t> step_of(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const FlowItem& item = items_[i];
        const std::string made = sketch_.written(graph_.tensors[item.output].id);
        const bool norm = item.node && item.node->op == Op::norm;
        const bool marked = item.node && (item.node->op == Op::gate || item.node->op == Op::activate);
        const bool own = item.block || marked || item.from.size() != 1 || (!norm && !item.node->parameters.empty());
        if (!own) {
            LaneStep& step = steps_[step_of[i] = step_of[item.from.front()]];
            if (norm) {
                const Node& node = *item.node;
                const std::string weight =
                    node.parameters.empty() ? made : sketch_.written(graph_.tensors[node.parameters.front()].id);
                step.norm = node.parameters.empty() ? made : weight.substr(0, weight.rfind('.'));
                step.normed = made;
            }
            if (item.node->op == Op::join_heads || graph_.tensors[item.output].role == Role::cache)
                add_made(step, item.output);
            continue;
        }
        step_of[i] = steps_.size();
        LaneStep step;
        step.flows = made;
        step.other = item.from_other_stack;
        step.outside = item.from_outside && item.from.empty() && !step.other;
        for (const std::size_t from : item.from)
            if (std::find(step.from.begin(), step.from.end(), step_of[from]) == step.from.end())
                step.from.push_back(step_of[from]);
        if (item.block) step.heads = i;
        if (marked) step.mark = item.node->op == Op::gate ? MarkKind::multiply : MarkKind::apply;
        if (item.node && !item.node->parameters.empty()) {
            step.weight = matrix(item.node->parameters.front());
            if (item.node->parameters.size() > 1)
                step.bias = sketch_.written(graph_.tensors[item.node->parameters[1]].id);
        }
        if (item.node && !item.output_elsewhere) step.made.push_back(matrix(item.output));
        steps_.push_back(std::move(step));
    }
    // What goes into a mark is seen in what comes out of it.
    for (const LaneStep& step : steps_)
        if (step.mark)
            for (const std::size_t from : step.from)
                if (steps_[from].weight) steps_[from].made.clear();
}

// What is kept of an output stands in its place, in parts where it is kept so.
void LaneCard::add_made(LaneStep& step, TensorIndex output) {
    if (graph_.tensors[output].role != Role::cache) {
        step.made = {matrix(output)};
        step.flows = step.made.front().id;
        return;
    }
    const Tensor* first = step.made.empty() ? nullptr : sketch_.find(step.made.front().id);
    if (!first || (kept_in_cache(*first) && first->role != Role::cache)) return;
    if (first->role != Role::cache) step.made.clear();
    step.made.push_back(matrix(output));
}

// Columns by what a step needs, as late as what needs it allows; lanes by what the input is multiplied with.
void LaneCard::assign() {
    int lane = 0;
    for (LaneStep& step : steps_)
        for (const std::size_t from : step.from) step.level = std::max(step.level, steps_[from].level + 1);
    for (LaneStep& step : steps_) levels_ = std::max(levels_, step.level + 1);
    for (std::size_t i = steps_.size(); i-- > 0;) {
        int before = levels_;
        for (const LaneStep& reader : steps_)
            if (std::find(reader.from.begin(), reader.from.end(), i) != reader.from.end())
                before = std::min(before, reader.level);
        steps_[i].level = before - 1;
    }
    for (LaneStep& step : steps_) {
        int last = -1, count = 0;
        for (const std::size_t from : step.from) last = std::max(last, steps_[from].level);
        if (step.from.empty()) step.lane = static_cast<float>(lane++);
        for (const std::size_t from : step.from) {
            if (steps_[from].level < last) continue;
            step.lane += steps_[from].lane;
            ++count;
        }
        if (count > 0) step.lane /= static_cast<float>(count);
    }
    lanes_ = std::max(lane, 1);
}

std::vector<const LaneStep*> LaneCard::at_level(int level) const {
    std::vector<const LaneStep*> found;
    for (const LaneStep& step : steps_)
        if (step.level == level) found.push_back(&step);
    return found;
}

float LaneCard::words_height(int lines) const {
    return sketch_.label_height(std::max(lines, 1));
}
// Of what stands below a matrix whose name is above it.
float LaneCard::below_height(int lines) const {
    return lines > 1 ? px(4) + static_cast<float>(lines - 1) * sketch_.number_line() : px(2);
}
float LaneCard::bias_height(const LaneStep& step, float scale) const {
    return step.bias.empty() ? 0 : px(2) + sketch_.thick(sketch_.sides(step.bias, true).rows, scale);
}
float LaneCard::norm_height(const LaneStep& step, float scale) const {
    return step.norm.empty() ? 0 : px(3) + sketch_.norm_extent(step.norm, scale, step.normed).y;
}

float LaneCard::made_width(const LaneStep& step, float scale) const {
    float width = 0, words = 0;
    for (const LaneMatrix& made : step.made) {
        width += (width > 0 ? px(apart) : 0) + sketch_.thick(made.sides.columns, scale);
        words = std::max(words, step.mark ? made.width(2) : made.name);
    }
    if (!step.norm.empty()) width = std::max(width, sketch_.norm_extent(step.norm, scale, step.normed).x);
    return std::max(width, words);
}

// What is made is cut where it is taller.
float LaneCard::tallest(const LaneStep& step) const {
    const bool alone = columns_[static_cast<std::size_t>(step.level)].alone;
    const float room = alone ? box_.height() - px(84) : pitch_ - px(name_above + 14) - norm_height(step, scale_);
    return std::max(form_.hung && !alone ? 0 : room, px(step.norm.empty() ? least_tall : least_side));
}

bool LaneCard::inside(const LaneMatrix& weight, float scale) const {
    const int lines = sketch_.thick(weight.sides.rows, scale) >= sketch_.label_height(2) + px(2) ? 2 : 1;
    return sketch_.thick(weight.sides.rows, scale) >= sketch_.label_height(1) + px(2) &&
           sketch_.thick(weight.sides.columns, scale) >= sketch_.label_width(weight.id, lines) + px(16);
}

WordsAt LaneCard::words_at(int level, float scale, const LaneForm& form) const {
    const std::vector<const LaneStep*> steps = at_level(level);
    const bool in_all = std::all_of(steps.begin(), steps.end(),
                                    [&](const LaneStep* step) { return !step->weight || inside(*step->weight, scale); });
    if (in_all) return WordsAt::inside;
    if (steps.size() > 1) return form.over ? WordsAt::over : WordsAt::beside;
    const LaneStep& step = *steps.front();
    const float half = sketch_.thick(step.weight->sides.rows, scale) / 2 + bias_height(step, scale);
    const float room = box_.height() / 2 - px(3);
    if (half + std::max(px(name_above), below_height(form.lines)) <= room) return WordsAt::over;
    const std::vector<const LaneStep*> previous = level > 0 ? at_level(level - 1) : std::vector<const LaneStep*>{};
    return previous.size() == 1 && !previous.front()->made.empty() ? WordsAt::before : WordsAt::beside;
}

// Where everything begins at this scale, and how wide it becomes.
float LaneCard::columns(float scale, const LaneForm& form, std::vector<Column>& all) const {
    all.assign(static_cast<std::size_t>(levels_), {});
    for (const LaneStep& step : steps_) {
        Column& column = all[static_cast<std::size_t>(step.level)];
        if (step.mark) column.mark = px(mark_room);
        if (step.heads) column.weights = std::max(column.weights, px(room::heads));
        const bool hung = form.hung && step.weight && !step.made.empty();
        const float made = made_width(step, scale);
        if (step.weight)
            column.weights = std::max({column.weights, sketch_.thick(step.weight->sides.columns, scale), hung ? made : 0});
        if (!hung) column.made = std::max(column.made, made);
    }
    float x = split(scale) + memory_room(sketch_);
    for (int level = 0; level < levels_; ++level) {
        Column& column = all[static_cast<std::size_t>(level)];
        const std::vector<const LaneStep*> steps = at_level(level);
        column.alone = steps.size() == 1;
        column.at = words_at(level, scale, form);
        float words = 0;
        for (const LaneStep* step : steps)
            if (step->weight)
                words = std::max(words, form.lines == 1 || (form.hung && form.lines > 0 && column.at == WordsAt::over)
                                            ? sketch_.label_width(step->weight->id, 1)
                                            : step->weight->width(form.lines));
        if (column.at == WordsAt::beside) column.words = px(beside_gap) + words + px(4);
        if (column.at == WordsAt::over) column.weights = std::max(column.weights, words);
        if (column.at == WordsAt::before) {
            Column& previous = all[static_cast<std::size_t>(level - 1)];
            const float more = std::max(0.0F, words + px(beside_gap) - previous.made);
            previous.made += more;
            x += more;
        }
        x += plan_.arrow;
        column.left = x;
        column.gap = column.made > 0 && column.weights > 0 ? px(room::gap) : 0;
        x += column.mark + column.weights + column.words + column.gap + column.made;
        if (column.weights > 0 && !column.alone) x += px(room::gap);
    }
    return x + px(room::padding);
}

LaneCard::Extent LaneCard::extent(const LaneStep& step, float scale, const LaneForm& form) const {
    const WordsAt at = words_at(step.level, scale, form);
    if (step.heads) return {px(41), px(24)};
    Extent reach;
    float height = 0;
    const bool hung = form.hung && step.weight && !step.made.empty();
    if (step.weight) height = sketch_.thick(step.weight->sides.rows, scale) + bias_height(step, scale);
    const float made = px(step.norm.empty() ? least_tall : least_side);
    if (hung) height += px(hung_gap) + sketch_.name_line() / 2 + px(least_side) + norm_height(step, scale);
    reach = {height / 2, height / 2};
    if (step.weight && at == WordsAt::over) {
        reach.up += px(name_above);
        if (!hung) reach.down += below_height(form.lines);
    }
    if (step.weight && at == WordsAt::beside) {
        const float words = words_height(form.lines) / 2;
        reach = {std::max(reach.up, words), std::max(reach.down, words)};
    }
    if (!step.made.empty() && !hung) {
        reach.up = std::max(reach.up, made / 2 + px(step.mark ? 34 : name_above));
        reach.down = std::max(reach.down, made / 2 + norm_height(step, scale));
    }
    return reach;
}

bool LaneCard::fits(float scale, const LaneForm& form) const {
    std::vector<Column> at;
    if (columns(scale, form, at) > box_.max.x) return false;
    Extent lanes;
    for (const LaneStep& step : steps_) {
        const Extent own = extent(step, scale, form);
        if (at[static_cast<std::size_t>(step.level)].alone) {
            // Words of what is alone give way before it does.
            const float tall = step.weight ? sketch_.thick(step.weight->sides.rows, scale) : 0;
            if (tall + 2 * bias_height(step, scale) + px(2 * edge) > box_.height()) return false;
            continue;
        }
        lanes = {std::max(lanes.up, own.up), std::max(lanes.down, own.down)};
    }
    return static_cast<float>(lanes_) * (lanes.up + lanes.down) + static_cast<float>(lanes_ - 1) * px(3) + px(2 * edge) <=
           box_.height();
}

LargestScales LaneCard::largest() const {
    const float most = largest_scale({one_row(sketch_)}), least = most * 1e-8F;
    const auto with = [&](int from, int to) {
        float best = least;
        for (const LaneForm& form : forms(from, to))
            if (fits(best, form) || best == least)
                best = std::max(best, largest_fitting(least, most, [&](float scale) { return fits(scale, form); }));
        return best;
    };
    const float shapes = with(0, 0);
    return {shapes, std::min(shapes, with(most_lines, 2))};
}

// Where the input leaves the norm's line.
float LaneCard::split(float scale) const {
    return card_split(sketch_, plan_, block_, scale);
}

// Sets columns and rows for the most words that there is room for.
void LaneCard::place(const LaneForm& form) {
    form_ = form;
    const float end = columns(scale_, form, columns_);
    // What is left over is shared out among the gaps, or lacking.
    const float slack = box_.max.x - end;
    float shift = 0, gaps = static_cast<float>(levels_ - 1);
    for (const Column& column : columns_)
        if (column.gap > 0) gaps += 1;
    for (Column& column : columns_) {
        if (&column != &columns_.front()) shift += slack / std::max(gaps, 1.0F);
        column.left += shift;
        if (column.gap <= 0) continue;
        column.gap += slack / std::max(gaps, 1.0F);
        shift += slack / std::max(gaps, 1.0F);
    }
    Extent lanes;
    for (const LaneStep& step : steps_) {
        if (columns_[static_cast<std::size_t>(step.level)].alone && lanes_ > 1) continue;
        const Extent own = extent(step, scale_, form);
        lanes = {std::max(lanes.up, own.up), std::max(lanes.down, own.down)};
    }
    const auto between = static_cast<float>(lanes_ - 1);
    const float room = box_.height() - px(2 * edge), need = lanes.up + lanes.down;
    pitch_ = lanes_ > 1 ? std::max(std::min(need + px(28), (room - need) / between), px(least_side)) : room;
    const float above = lanes_ > 1 ? (lanes.up - lanes.down) / 2 : 0;
    const float first = box_.centre().y - between * pitch_ / 2 + above;
    for (LaneStep& step : steps_) {
        const Column& column = columns_[static_cast<std::size_t>(step.level)];
        step.y = column.alone ? box_.centre().y : first + step.lane * pitch_;
        step.left = column.left;
    }
}

LargestScales lane_scales(const Sketch& sketch, const Plan& plan, std::string_view block) {
    Sketch trial(sketch.input());
    return LaneCard(trial, plan, block).largest();
}

void lay_out_lanes(Sketch& sketch, const Plan& plan, std::string_view block) {
    LaneCard(sketch, plan, block).lay_out();
}

void LaneCard::lay_out() {
    scale_ = plan_.scales.layer;
    LaneForm chosen{0, false, false};
    for (const LaneForm& form : forms(most_lines, 0))
        if (fits(scale_, form)) {
            chosen = form;
            break;
        }
    place(chosen);
    lay_out_card(sketch_, plan_, block_);
    lay_out_norm(sketch_, plan_, block_, card_norm_y(sketch_, plan_, block_), split(scale_));
    if (!memory_of(sketch_).empty() && block_ == attention_block)
        memory_x_ = lay_out_memory(sketch_, plan_, split(scale_));
    for (LaneStep& step : steps_) draw(step);
    for (const LaneStep& step : steps_) lead(step);
    lay_out_return(sketch_, plan_, block_, {steps_.back().right, steps_.back().y});
}

}  // namespace headcount
