// What a pass needs before it begins: which models can be trained, the steps of the walk, and where everything lies.
#include <algorithm>
#include <tuple>

#include "core/analysis/storages.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"
#include "core/graph/ops.hpp"
#include "core/runtime/plan.hpp"
#include "core/train/pass.hpp"

namespace headcount {

std::optional<Error> cannot_train(const Architecture& arch, const ModelGraph& graph) {
    if (graph.unread) return graph.unread;
    if (reads_numbers(arch) || arch.sound)
        return Error{"a model that reads an image or sound is not trained here", "", "take one that reads a text"};
    if (arch.output != OutputKind::language && arch.output != OutputKind::masked)
        return Error{"this model has no scores for tokens, from which a loss could be made", "output",
                     "set output=language, or masked for an encoder"};
    if (const auto lent = borrowed(arch, graph); !lent) return lent.error();
    for (const Node& node : graph.nodes) {
        const bool known = contains(BatchPass::works(), node.op, &BatchPass::OpWork::op);
        const bool rows_alone = node.op != Op::norm || node.rule<NormRule>().over == NormRule::Over::row;
        if (!known || !rows_alone)
            return Error{"the operation \"" + std::string(info(node.op).name) + "\" has no derivative here",
                         graph.tensors[node.output].id, "take a model without it"};
    }
    return std::nullopt;
}

BatchPass::BatchPass(std::shared_ptr<const Trainee> trainee, const PassShape& shape)
    : trainee_(std::move(trainee)), shape_(shape), pool_(std::make_unique<Pool>(std::max(1, shape.threads))) {
    values_ = bindings(
        trainee_->architecture,
        Input{.tokens = shape.tokens, .batch = shape.sequences, .source = std::max<std::int64_t>(1, shape.source)});
    const std::size_t tensors = trainee_->graph.tensors.size();
    facts_.resize(tensors);
    places_.resize(tensors);
    touched_.resize(tensors, 0);
}

std::int64_t BatchPass::number(const Expr& expr) const {
    const Result<std::int64_t> value = evaluate(expr, values_);
    return value ? *value : 0;
}

std::int64_t BatchPass::working_bytes() const {
    const auto bytes = [](const auto& all) { return std::ssize(all) * static_cast<std::int64_t>(sizeof(all[0])); };
    std::int64_t lists = bytes(row_of_) + bytes(token_of_) + bytes(begins_) + bytes(next_) + bytes(lost_);
    for (const StackSteps& stack : stacks_)
        for (const std::vector<std::int32_t>& each : stack.experts) lists += bytes(each);
    return lists + working_.size() * std::int64_t{sizeof(float)};
}

// As a run's: heads' nodes and experts' nodes become one step each.
void BatchPass::find_steps() {
    const ModelGraph& graph = trainee_->graph;
    std::tie(stacks_, layers_) = steps_of(trainee_->architecture, graph);
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const BlockIndex block = graph.tensors[i].block;
        facts_[i] = {.stack = stack_with(graph, block),
                     .group = graph.layer_of(block),
                     .in_expert = graph.is(block, BlockKind::expert),
                     .of_all_layers = graph.is_for_all_layers(static_cast<TensorIndex>(i))};
    }
    for (const Node& node : graph.nodes) {
        if (node.op != Op::rotate) continue;
        const auto& rule = node.rule<Rotation>();
        const std::int64_t columns = number(rule.columns);
        if (std::ranges::none_of(ropes_, [&](const RopeTable& each) { return each.is_for(rule.rope, columns); }))
            ropes_.emplace_back(rule.rope, columns);
    }
    std::int64_t furthest = 0;
    for (const Node& node : graph.nodes)
        if (node.op == Op::rotate) furthest = std::max(furthest, node.rule<Rotation>().position);
    const std::int64_t most = std::max(shape_.tokens, shape_.source);
    for (RopeTable& table : ropes_) table.prepare(most + furthest, most);
}

// The tensors that this one is made of without taking memory: what it shows, or what its head's columns are of.
std::vector<TensorIndex> BatchPass::shown_by(TensorIndex tensor) const {
    if (places_[tensor].shows) return shown_by(*places_[tensor].shows);
    const Node* const made = trainee_->graph.producer(tensor);
    if (!made || made->op != Op::take_head) return {tensor};
    std::vector<TensorIndex> all;
    for (const TensorIndex input : made->inputs)
        for (const TensorIndex each : shown_by(input)) all.push_back(each);
    return all;
}

// Which tensors a derivative reads; and of each kind of layers, and behind them of each stack, whether one reads what
// came in.
std::vector<bool> BatchPass::find_kept(std::vector<bool>& entered) const {
    const ModelGraph& graph = trainee_->graph;
    std::vector<bool> kept(graph.tensors.size(), false);
    entered.assign(graph.layers.size() + stacks_.size(), false);
    for (const Node& node : graph.nodes) {
        const std::optional<std::size_t> group = graph.layer_of(node.block);
        const std::size_t stack = facts_[node.output].stack;
        for (const TensorIndex read : read_in_backward(node))
            for (const TensorIndex each : shown_by(read)) {
                const bool stream =
                    facts_[each].stack == stack && facts_[each].group != group && !facts_[each].of_all_layers;
                if (!stream) kept[each] = true;
                if (stream) entered[group.value_or(graph.layers.size() + stack)] = true;
                const bool first = each == stacks_[stack].entering;
                if (stream && first && stacks_[stack].groups.front() == group) kept[each] = true;
            }
    }
    // The first layer's way in may be named by another group's tensor.
    for (std::size_t stack = 0; stack < stacks_.size(); ++stack)
        if (entered[stacks_[stack].groups.front()]) kept[stacks_[stack].entering] = true;
    kept[graph.nodes.back().output] = true;                // the logits, which the loss reads
    if (std::ranges::any_of(graph.tensors, takes_choice))  // which later layers read
        for (const Node& node : graph.nodes)
            if (node.op == Op::choose) kept[node.output] = true;
    return kept;
}

void BatchPass::place(const Node& node) {
    const ModelGraph& graph = trainee_->graph;
    const Tensor& made = graph.tensors[node.output];
    Place& place = places_[node.output];
    const std::int64_t copies = number(graph.copies_in_layer(made.block));
    const bool head = graph.is(made.block, BlockKind::head), expert = facts_[node.output].in_expert;
    place.columns = number(made.shape[made.shape.rank() - 1]);
    place.rows = (is_of_distances(made.part) ? 1 : shape_.sequences) * number(made.shape[0]);
    switch (node.op) {
        case Op::take_columns:
            place.first_column = number(node.rule<ColumnRange>().first);
            if (node.rule<ColumnRange>().by_layer) place.columns_by_layer = place.columns;
            [[fallthrough]];
        case Op::append_cache:
        case Op::keep_window:
        case Op::sum_up:
        case Op::join_heads: place.shows = node.inputs.front(); return;
        case Op::take_head:
        case Op::scores:
        case Op::update_state: return;
        case Op::masked_softmax: place.rows *= copies; break;
        default:
            if (head) place.columns *= copies;
            if (expert) place.rows *= number(Symbol::experts_per_token);
            break;
    }
    place.offset = 0;
}

// What an earlier layer has made of keys or values stays where it is.
void BatchPass::place_borrowed(std::vector<bool>& kept) {
    for (const Borrowed& each : *borrowed(trainee_->architecture, trainee_->graph)) {
        const TensorIndex of = shown_by(each.of).front();
        const auto lent =
            std::ranges::find_if(lent_, [&](const Lent& other) { return other.of == of && other.layer == each.layer; });
        lent_of_[each.tensor] = static_cast<std::size_t>(lent - lent_.begin());
        if (lent == lent_.end()) lent_.push_back({of, each.layer});
        places_[each.tensor].rows = places_[of].rows;
        places_[each.tensor].columns = places_[of].columns;
        kept[of] = true;
    }
    // And what the first layer makes for all that follow.
    const ModelGraph& graph = trainee_->graph;
    for (const Node& node : graph.nodes) {
        if (!facts_[node.output].of_all_layers || !facts_[node.output].group) continue;
        lent_of_[node.output] = lent_.size();
        lent_.push_back({node.output, graph.layers[*facts_[node.output].group].group.first});
        kept[node.output] = true;
    }
}

namespace {

constexpr double most_floats = 0x1p60;  // whose bytes a number of 64 bits holds

}  // namespace

std::int64_t BatchPass::Ends::reserve(std::int64_t Ends::*end, std::int64_t floats, std::int64_t copies) {
    all += static_cast<double>(floats) * static_cast<double>(copies);
    const std::int64_t at = this->*end;
    if (all < most_floats) this->*end += floats * copies;
    return at;
}

// The tensors of a kind of layers, or of what is outside of them.
void BatchPass::lay_out_group(std::optional<std::size_t> group, const std::vector<bool>& kept, Ends& ends) {
    const ModelGraph& graph = trainee_->graph;
    for (const Node& node : graph.nodes) {
        Place& place = places_[node.output];
        if (facts_[node.output].group != group || place.offset < 0) continue;
        if (leaves_layer(node.output)) {
            place.offset = -1;
            continue;
        }
        place.kept = kept[node.output];
        place.layer_step = place.kept ? place.floats() : 0;
        place.offset = ends.reserve(place.kept ? &Ends::kept : &Ends::ahead, place.floats(),
                                    place.kept && group ? graph.layers[*group].group.count : 1);
        // The stream's gradients have two places for all layers; those of scores are made in a thread's room.
        const bool enters = node.output == stacks_[facts_[node.output].stack].entering;
        if (node.op != Op::masked_softmax && !enters) place.gradient = ends.reserve(&Ends::back, place.floats());
    }
}

void BatchPass::lay_out_streams(const std::vector<bool>& kept, const std::vector<bool>& entered, Ends& ends) {
    streams_.resize(stacks_.size());
    for (std::size_t stack = 0; stack < stacks_.size(); ++stack) {
        Stream& stream = streams_[stack];
        const StackSteps& own = stacks_[stack];
        const Place& first = places_[own.entering];
        stream.rows = first.rows, stream.columns = first.columns;
        for (std::int64_t& gradient : stream.gradients) gradient = ends.reserve(&Ends::back, first.floats());
        for (std::size_t layer = 0; layer < own.groups.size(); ++layer) {
            const bool last = layer + 1 == own.groups.size();
            const TensorIndex left = layers_[own.groups[layer]].back().nodes.back()->output;
            const std::size_t reader = last ? trainee_->graph.layers.size() + stack : own.groups[layer + 1];
            stream.kept.push_back(entered[reader] || (last && kept[left]));
            stream.offsets.push_back(ends.reserve(stream.kept.back() ? &Ends::kept : &Ends::ahead, first.floats()));
        }
    }
}

// Of one thread a few rows of a product, or all that a head needs at once.
void BatchPass::lay_out_working(Ends& ends) {
    const ModelGraph& graph = trainee_->graph;
    const std::int64_t tokens = shape_.sequences * shape_.tokens, chosen = number(Symbol::experts_per_token);
    constexpr std::int64_t rows_at_once = 24, padding = 32 * panel_columns;
    std::int64_t widest = 0, head = 0, left = 0, right = 0, gathered = 0, roots = 0, raw = 0, skips = 0, ranges = 0;
    for (const ParameterCopy& each : trainee_->parameters.copies())
        widest = std::max({widest, each.columns, each.matrix ? each.rows : 0});
    const std::int64_t most = std::max(shape_.tokens, shape_.source);
    for (const Node& node : graph.nodes) {
        const Tensor& made = graph.tensors[node.output];
        const Place& place = places_[node.output];
        const Place* const in = node.inputs.empty() ? nullptr : &places_[node.inputs.front()];
        if (node.op == Op::linear) {
            const auto& rule = node.rule<LinearRule>();
            const ParameterCopy& matrix = trainee_->parameters.shape_of(node.parameters.front());
            // However many of them come to one expert.
            const std::int64_t rows = facts_[node.output].in_expert ? place.rows / chosen : place.rows;
            right = std::max({right, matrix.floats(), rule.transposed ? rows * place.columns : 0});
            if (!rule.transposed && trainee_->parameters.is_trained(matrix.tensor))
                left = std::max(left, rows * in->columns);
            if (rule.clip || rule.soft_cap) raw = std::max(raw, rows * place.columns);
            if (facts_[node.output].in_expert && !facts_[node.inputs.front()].in_expert)
                gathered = std::max(gathered, place.rows * in->columns);
        } else if (node.op == Op::norm) {
            const auto& rule = node.rule<NormRule>();
            roots = std::max(roots, 2 * in->rows * (rule.group ? in->columns / number(*rule.group) : 1));
        } else if (node.op == Op::route) {
            const std::size_t all = static_cast<std::size_t>(place.rows * chosen);
            StackSteps& own = stacks_[facts_[node.output].stack];
            own.experts.resize(own.groups.size());
            for (std::size_t layer = 0; layer < own.groups.size(); ++layer)
                if (own.groups[layer] == facts_[node.output].group) own.experts[layer].resize(all);
            for (auto* const list : {&row_of_, &token_of_}) list->resize(std::max(list->size(), all));
            for (auto* const list : {&begins_, &next_})
                list->resize(static_cast<std::size_t>(number(Symbol::experts)) + 1);
        } else if (node.op == Op::take_head) {
            if (is_of_distances(made.part)) ranges = std::max(ranges, number(made.shape[0]));
            head = std::max(head, number(made.shape[1]));
        } else if (node.op == Op::index_scores) {
            head = std::max(head, places_[node.inputs[1]].columns);
        } else if (node.op == Op::update_state) {
            skips = std::max(skips, shape_.sequences * number(graph.blocks[made.block].repeat));
            room_floats_ = std::max(room_floats_, (shape_.tokens + 4) * number(made.shape[0]) * number(made.shape[1]) +
                                                      8 * (number(made.shape[0]) + number(made.shape[1])));
        }
    }
    room_floats_ = std::max(
        {room_floats_, rows_at_once * widest, 10 * most * head + 5 * most * most + 8 * ranges * (most + head)});
    room_floats_ = whole_lines(room_floats_ + padding);
    turned_[0] = ends.reserve(&Ends::ahead, left);
    turned_[1] = ends.reserve(&Ends::ahead, right);
    gathered_ = ends.reserve(&Ends::ahead, gathered);
    gathered_slopes_ = ends.reserve(&Ends::ahead, gathered);
    roots_ = ends.reserve(&Ends::ahead, roots);
    raw_ = ends.reserve(&Ends::ahead, raw);
    skips_ = ends.reserve(&Ends::ahead, skips);
    rooms_ = ends.reserve(&Ends::ahead, room_floats_, pool_->threads());
    lost_.resize(static_cast<std::size_t>(tokens));
}

std::optional<Error> BatchPass::lay_out() {
    const ModelGraph& graph = trainee_->graph;
    for (const Node& node : graph.nodes) place(node);
    std::vector<bool> entered;
    std::vector<bool> kept = find_kept(entered);
    place_borrowed(kept);
    Ends outside;
    lay_out_group(std::nullopt, kept, outside);
    lay_out_streams(kept, entered, outside);
    for (Lent& each : lent_) each.gradient = outside.reserve(&Ends::back, places_[each.of].floats());
    // Of all layers one is overwritten at a time: the largest kind decides.
    Ends all = outside;
    for (std::size_t group = 0; group < graph.layers.size(); ++group) {
        Ends own = outside;
        own.kept = all.kept;
        own.all = all.all;
        lay_out_group(group, kept, own);
        all = {own.kept, std::max(all.ahead, own.ahead), std::max(all.back, own.back), own.all};
    }
    Ends working;
    if (all.all < most_floats) lay_out_working(working);
    if (all.all + working.all >= most_floats)
        return Error{"the activations of training do not fit in 64 bits", "", "take a smaller model, or fewer tokens"};
    const std::int64_t passing = std::max(all.ahead, all.back);
    const std::int64_t bytes = (all.kept + passing + working.ahead) * std::int64_t{sizeof(float)};
    if (std::optional<Error> error = does_not_fit(bytes, "the activations of training")) return error;
    Result<FloatMemory> keeps = FloatMemory::take(all.kept), passes = FloatMemory::take(passing),
                        works = FloatMemory::take(working.ahead);
    for (const Result<FloatMemory>* each : {&keeps, &passes, &works})
        if (!*each) return each->error();
    kept_ = std::move(*keeps);
    passing_ = std::move(*passes);
    working_ = std::move(*works);
    return std::nullopt;
}

Result<BatchPass> BatchPass::make(std::shared_ptr<const Trainee> trainee, const PassShape& shape) {
    const Architecture& arch = trainee->architecture;
    if (std::optional<Error> error = cannot_train(arch, trainee->graph)) return *std::move(error);
    if (shape.sequences < 1 || shape.tokens < 1 || (arch.encoder && shape.source < 1))
        return Error{"a step takes at least one line of one token", "batch", "give 1 or more"};
    // Times heads and tokens that are looked at it still fits in 64 bits.
    constexpr std::int64_t most_rows = std::int64_t{1} << 32;
    const std::int64_t longest = std::max(shape.tokens, shape.source);
    if (shape.sequences > most_rows / longest)
        return Error{grouped(shape.sequences) + " lines of " + grouped(longest) + " tokens are too many for a pass",
                     "batch", "give at most " + grouped(most_rows / longest)};
    const Result<Computation> computation = computation_of(arch);
    if (!computation) return computation.error();
    if (computation->limit && longest > computation->limit->tokens)
        return Error{"of " + grouped(longest) + " tokens " + computation->limit->why + ", which is not computed here",
                     "tokens", "take at most " + grouped(computation->limit->tokens)};
    if (has_position_table(arch) &&
        (shape.tokens > most_tokens(arch) || (arch.encoder && shape.source > most_source(arch))))
        return Error{grouped(longest) + " tokens are more than the position table has rows for", "context",
                     "take fewer tokens, or a longer context"};
    BatchPass pass(std::move(trainee), shape);
    pass.find_steps();
    if (std::optional<Error> error = pass.lay_out()) return *std::move(error);
    return pass;
}

}  // namespace headcount
