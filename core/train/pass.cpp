// The walk over the graph: each stack's layers forwards, and the same way back; and where in memory each tensor is
// then.
#include "core/train/pass.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/runtime/dump.hpp"

namespace headcount {

std::span<const BatchPass::OpWork> BatchPass::works() {
    // What each head does is in op_attention.cpp and op_states.cpp; what an expert does is the same as elsewhere.
    static constexpr std::array all{
        OpWork{Op::embed, &BatchPass::embed, &BatchPass::embed_back},
        OpWork{Op::add_positions, &BatchPass::add_rows, &BatchPass::add_rows_back},
        OpWork{Op::add_types, &BatchPass::add_rows, &BatchPass::add_rows_back},
        OpWork{Op::norm, &BatchPass::norm, &BatchPass::norm_back},
        OpWork{Op::linear, &BatchPass::linear, &BatchPass::linear_back},
        OpWork{Op::rotate, &BatchPass::rotate, &BatchPass::rotate_back},
        OpWork{Op::append_cache, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::keep_window, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::take_columns, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::take_head, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::scores, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::masked_softmax, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::mix, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::index_scores, &BatchPass::index_scores, &BatchPass::nothing},
        OpWork{Op::choose, &BatchPass::choose, &BatchPass::nothing},
        OpWork{Op::pair_heads, &BatchPass::pair_heads, &BatchPass::pair_heads_back},
        OpWork{Op::subtract, &BatchPass::subtract, &BatchPass::subtract_back},
        OpWork{Op::join_heads, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::activate, &BatchPass::activate, &BatchPass::activate_back},
        OpWork{Op::gate, &BatchPass::activate, &BatchPass::activate_back},
        OpWork{Op::route, &BatchPass::route, &BatchPass::route_back},
        OpWork{Op::combine, &BatchPass::combine, &BatchPass::combine_back},
        OpWork{Op::add, &BatchPass::add, &BatchPass::add_back},
        OpWork{Op::sum, &BatchPass::add, &BatchPass::add_back},
        OpWork{Op::scale_columns, &BatchPass::scale_columns, &BatchPass::scale_columns_back},
        OpWork{Op::convolve, &BatchPass::convolve, &BatchPass::convolve_back},
        OpWork{Op::step, &BatchPass::time_steps, &BatchPass::time_steps_back},
        OpWork{Op::decay, &BatchPass::decay, &BatchPass::decay_back},
        OpWork{Op::blend, &BatchPass::blend, &BatchPass::blend_back},
        OpWork{Op::weigh, &BatchPass::weighted_mean, &BatchPass::weighted_mean_back},
        OpWork{Op::sum_up, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::fade, &BatchPass::fade, &BatchPass::fade_back},
        OpWork{Op::bonus, &BatchPass::bonus, &BatchPass::bonus_back},
        OpWork{Op::update_state, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::read_state, &BatchPass::nothing, &BatchPass::nothing},
        OpWork{Op::beside, &BatchPass::beside, &BatchPass::beside_back},
        OpWork{Op::mix_blocks, &BatchPass::mix_blocks, &BatchPass::mix_blocks_back},
        OpWork{Op::magnitude, &BatchPass::magnitude, &BatchPass::magnitude_back},
        OpWork{Op::threshold, &BatchPass::threshold, &BatchPass::threshold_back},
        OpWork{Op::table, &BatchPass::table, &BatchPass::table_back},
        OpWork{Op::unfold, &BatchPass::unfold, &BatchPass::unfold_back}};
    return all;
}

void BatchPass::run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
        if (step.kind == Step::Kind::heads) {
            run_heads(step);
        } else if (step.kind == Step::Kind::states) {
            run_states(step);
        } else if (step.kind == Step::Kind::experts) {
            run_experts(step);
        } else {
            const Node& node = *step.nodes.front();
            (this->*std::ranges::find(works(), node.op, &OpWork::op)->forward)(node);
        }
        if (checks_) check(step);
    }
}

void BatchPass::run_back(const std::vector<Step>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        if (step->kind == Step::Kind::heads) {
            run_heads_back(*step);
        } else if (step->kind == Step::Kind::states) {
            run_states_back(*step);
        } else if (step->kind == Step::Kind::experts) {
            run_experts_back(*step);
        } else {
            const Node& node = *step->nodes.front();
            (this->*std::ranges::find(works(), node.op, &OpWork::op)->back)(node);
        }
    }
}

void BatchPass::run_stack(std::size_t stack) {
    const StackSteps& own = stacks_[stack];
    stack_ = stack;
    layer_ = 0;
    group_.reset();
    run(own.before);
    for (; layer_ < std::ssize(own.groups); ++layer_) {
        group_ = own.groups[static_cast<std::size_t>(layer_)];
        run(layers_[*group_]);
    }
    group_.reset();
    layer_ = 0;
    run(own.after);
}

void BatchPass::run_stack_back(std::size_t stack) {
    const StackSteps& own = stacks_[stack];
    stack_ = stack;
    layer_ = 0;
    group_.reset();
    run_back(own.after);
    for (layer_ = std::ssize(own.groups); layer_-- > 0;) {
        group_ = own.groups[static_cast<std::size_t>(layer_)];
        for (std::size_t i = 0; i < facts_.size(); ++i)
            if (facts_[i].group == group_) touched_[i] = 0;
        streams_[stack].touched[layer_ % 2] = 0;
        if (stack + 1 == stacks_.size()) take_back_lent();
        run_back(layers_[*group_]);
    }
    group_.reset();
    layer_ = 0;
    run_back(own.before);
}

// What has come together of all that borrowed is where this layer's own goes on.
void BatchPass::take_back_lent() {
    for (Lent& each : lent_) {
        if (each.layer != layer_ || each.touched == 0) continue;
        const Place& place = places_[each.of];
        std::copy_n(passing_.data() + each.gradient, place.floats(), passing_.data() + place.gradient);
        touched_[each.of] = 1;
    }
}

double BatchPass::forward(const float* weights, const LineBatch& batch) {
    weights_ = weights;
    batch_ = &batch;
    if (watched_) ++watched_->passes;
    for (std::size_t stack = 0; stack < stacks_.size(); ++stack) run_stack(stack);
    return lose();
}

void BatchPass::backward(float* gradients) {
    gradients_ = gradients;
    turned_of_ = nullptr;
    std::ranges::fill(touched_, 0);
    for (Stream& stream : streams_) stream.touched[0] = stream.touched[1] = 0;
    for (Lent& each : lent_) each.touched = 0;
    stack_ = stacks_.size() - 1;
    group_.reset();
    layer_ = 0;
    // (p - 1 at the target) / how many are counted
    const Value logits = value(trainee_->graph.nodes.back().output);
    const Into to = into(trainee_->graph.nodes.back().output);
    const float share = counted_ > 0 ? 1 / static_cast<float>(counted_) : 0;
    each_row(logits.rows, logits.columns, [&](std::int64_t row, float*) {
        const std::int32_t target = batch_->targets[static_cast<std::size_t>(row)];
        float* const out = to.value.row(row);
        if (target < 0) return void(std::fill_n(out, logits.columns, 0.0f));
        kernels::softmax(logits.row(row), out, logits.columns, nullptr);
        out[target] -= 1;
        kernels::scale(out, logits.columns, share);
    });
    for (std::size_t stack = stacks_.size(); stack-- > 0;) run_stack_back(stack);
    gradients_ = nullptr;
}

double BatchPass::lose() {
    const Value logits = value(trainee_->graph.nodes.back().output);
    std::ranges::fill(lost_, 0.0);
    counted_ = std::ranges::count_if(batch_->targets, [](std::int32_t target) { return target >= 0; });
    each_row(logits.rows, logits.columns, [&](std::int64_t row, float* room) {
        const std::int32_t target = batch_->targets[static_cast<std::size_t>(row)];
        if (target < 0) return;
        const float* const scores = logits.row(row);
        kernels::softmax(scores, room, logits.columns, nullptr);
        const auto most = std::max_element(scores, scores + logits.columns) - scores;
        lost_[static_cast<std::size_t>(row)] = static_cast<double>(scores[most]) - static_cast<double>(scores[target]) -
                                               std::log(static_cast<double>(room[most]));
    });
    double sum = 0;
    for (const double each : lost_) sum += each;
    return counted_ > 0 ? sum / static_cast<double>(counted_) : 0;
}

void BatchPass::check(const Step& step) {
    if (not_finite_) return;
    for (const Node* node : step.nodes) {
        const Place& place = places_[node->output];
        if (place.shows || (place.offset < 0 && !leaves_layer(node->output))) continue;
        const Value made = value(node->output);
        for (std::int64_t row = 0; row < made.rows; ++row)
            if (std::any_of(made.row(row), made.row(row) + made.columns, [](float x) { return !std::isfinite(x); })) {
                not_finite_ = activation_name(trainee_->graph, node->output, layer_);
                return;
            }
    }
}

std::optional<std::string> BatchPass::first_not_finite(const float* weights, const LineBatch& batch) {
    not_finite_.reset();
    checks_ = true;
    forward(weights, batch);
    checks_ = false;
    return not_finite_;
}

MatrixView BatchPass::logits() const {
    const Value made = const_cast<BatchPass*>(this)->value(trainee_->graph.nodes.back().output);
    return {.data = made.data, .rows = made.rows, .columns = made.columns, .row_step = made.row_step};
}

// Whether the node reads it from outside of its layer as what the layer before has left.
bool BatchPass::is_stream(TensorIndex tensor) const {
    return facts_[tensor].stack == stack_ && facts_[tensor].group != group_ && !facts_[tensor].of_all_layers;
}

bool BatchPass::leaves_layer(TensorIndex tensor) const {
    const std::optional<std::size_t>& group = facts_[tensor].group;
    return group && layers_[*group].back().nodes.back()->output == tensor;
}

// What enters the layer that the walk is in, or leaves it; of a stack that is done what left its last.
Value BatchPass::stream_value(bool out, std::size_t stack) {
    const Stream& stream = streams_[stack];
    const bool behind = stack != stack_ || !group_;
    const std::int64_t layer = behind ? std::ssize(stream.offsets) : layer_ + (out ? 1 : 0);
    if (layer == 0) {
        const Place& first = places_[stacks_[stack].entering];
        return {floats(first.kept, first.offset), first.rows, first.columns, first.columns};
    }
    const auto at = static_cast<std::size_t>(layer - 1);
    return {floats(stream.kept[at], stream.offsets[at]), stream.rows, stream.columns, stream.columns};
}

std::int64_t BatchPass::go_to_whole(TensorIndex& tensor) const {
    std::int64_t first = 0;
    while (!is_stream(tensor) && places_[tensor].shows) {
        first += places_[tensor].first_column + layer_ * places_[tensor].columns_by_layer;
        tensor = *places_[tensor].shows;
    }
    return first;
}

// Null of what the layer that the walk is in has made itself.
BatchPass::Lent* BatchPass::lent(TensorIndex tensor) {
    const auto found = lent_of_.find(tensor);
    if (found == lent_of_.end()) return nullptr;
    Lent& from = lent_[found->second];
    return from.of == tensor && from.layer == layer_ ? nullptr : &from;
}

Value BatchPass::value(TensorIndex tensor) {
    if (const Lent* const from = lent(tensor)) {
        const Place& place = places_[from->of];
        const std::int64_t ordinal = stacks_.back().ordinals[static_cast<std::size_t>(from->layer)];
        return {floats(true, place.offset + ordinal * place.layer_step), place.rows, place.columns, place.columns};
    }
    const std::int64_t columns = places_[tensor].columns, first = go_to_whole(tensor);
    Value found;
    if (expert_rows_ >= 0 && !facts_[tensor].in_expert) {
        found = {working(gathered_) + expert_begin_ * columns, expert_rows_, columns, columns};
    } else if (is_stream(tensor) || leaves_layer(tensor)) {
        found = stream_value(!is_stream(tensor), facts_[tensor].stack);
    } else {
        const Place& place = places_[tensor];
        const std::int64_t ordinal = facts_[tensor].group && facts_[tensor].stack == stack_
                                         ? stacks_[stack_].ordinals[static_cast<std::size_t>(layer_)]
                                         : 0;
        found = {floats(place.kept, place.offset + ordinal * place.layer_step), place.rows, place.columns,
                 place.columns};
        if (expert_rows_ >= 0) found.data = found.row(expert_begin_), found.rows = expert_rows_;
    }
    found.data += first;
    found.columns = columns;
    return found;
}

// Where a gradient comes together: the whole that its tensor is a part of, and whether that has begun.
BatchPass::Spot BatchPass::spot(TensorIndex tensor) {
    if (Lent* const from = lent(tensor)) {
        const Place& place = places_[from->of];
        const Value whole{passing_.data() + from->gradient, place.rows, place.columns, place.columns};
        return {whole, whole, &from->touched};
    }
    const std::int64_t columns = places_[tensor].columns, first = go_to_whole(tensor);
    Spot found;
    if (expert_rows_ >= 0 && !facts_[tensor].in_expert) {
        found.part = {working(gathered_slopes_) + expert_begin_ * columns, expert_rows_, columns, columns};
        found.whole = found.part;
        return found;
    }
    const std::size_t stack = facts_[tensor].stack;
    const bool enters = is_stream(tensor), first_of_stack = tensor == stacks_[stack].entering;
    if (enters || leaves_layer(tensor) || first_of_stack) {
        Stream& stream = streams_[stack];
        const std::int64_t all = std::ssize(stream.offsets);
        const bool behind = stack != stack_ || !group_;
        const std::int64_t layer = !enters && first_of_stack ? 0 : behind ? all : layer_ + (enters ? 0 : 1);
        found.whole = {passing_.data() + stream.gradients[layer % 2], stream.rows, stream.columns, stream.columns};
        found.touched = &stream.touched[layer % 2];
    } else {
        const Place& place = places_[tensor];
        found.whole = {passing_.data() + place.gradient, place.rows, place.columns, place.columns};
        found.touched = &touched_[tensor];
    }
    found.part = found.whole;
    if (expert_rows_ >= 0) found.part.data = found.part.row(expert_begin_), found.part.rows = expert_rows_;
    found.part.data += first;
    found.part.columns = columns;
    return found;
}

void BatchPass::begin_with_zeros(const Spot& spot) {
    if (!spot.touched || *spot.touched != 0) return;
    std::fill_n(spot.whole.data, spot.whole.rows * spot.whole.row_step, 0.0f);
    *spot.touched = 1;
}

Value BatchPass::slope(TensorIndex tensor) {
    const Spot found = spot(tensor);
    begin_with_zeros(found);
    return found.part;
}

BatchPass::Into BatchPass::into(TensorIndex tensor) {
    const Spot found = spot(tensor);
    const bool all = found.part.data == found.whole.data && found.part.columns == found.whole.columns &&
                     found.part.rows == found.whole.rows;
    if (found.touched && *found.touched == 0 && all) {
        *found.touched = 1;
        return {found.part, true};
    }
    begin_with_zeros(found);
    return {found.part, false};
}

BatchPass::Weight BatchPass::weight(TensorIndex tensor) const {
    const ParameterLayout& layout = trainee_->parameters;
    const ParameterCopy* copy =
        layout.find(tensor, facts_[tensor].group ? layer_ : 0, facts_[tensor].in_expert ? expert_ : 0);
    if (!copy) return {};
    return {.data = weights_ + copy->offset,
            .gradient = gradients_ && layout.is_trained(tensor) ? gradients_ + copy->offset : nullptr,
            .rows = copy->rows,
            .columns = copy->columns};
}

BatchPass::Weight BatchPass::weight_of(const Node& node, Part part) const {
    const auto tensor = trainee_->graph.parameter_of(node, part);
    return tensor ? weight(*tensor) : Weight{};
}

}  // namespace headcount
