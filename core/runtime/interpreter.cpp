// The walk: before the layers, each layer, after them; which tensors are what, and whether their shapes are the
// graph's.
#include <algorithm>
#include <tuple>
#include <utility>

#include "core/runtime/run.hpp"

namespace headcount {

Run::Run(std::shared_ptr<const Model> model, const RunOptions& options, RunPlan plan)
    : model_(std::move(model)),
      options_(options),
      plan_(std::move(plan)),
      pool_(std::make_unique<Pool>(std::max(1, options.threads))) {
    options_.capacity = plan_.capacity;
    const Architecture& arch = model_->architecture;
    narrows_ = options_.narrows() && generates(arch);
    std::tie(stacks_, layers_) = steps_of(arch, model_->graph);
    values_.resize(model_->graph.tensors.size());
    expected_.resize(values_.size());
    ids_.reserve(static_cast<std::size_t>(plan_.capacity));
    if (arch.layer.mixture) {
        const std::int64_t chosen = arch.layer.mixture->experts_per_token;
        for (StackSteps& stack : stacks_)
            for (const std::size_t group : stack.groups) {
                const LayerKind& kind = model_->graph.layers[group].group.kind;
                const std::int64_t most = kind.encoder ? plan_.source : plan_.capacity;
                stack.experts.emplace_back(static_cast<std::size_t>(kind.mixture ? most * chosen : 0));
            }
        row_of_.resize(static_cast<std::size_t>(std::max(plan_.pass_rows, plan_.source) * chosen));
        token_of_.resize(row_of_.size());
    }
    find_facts();
    find_turns();
}

void Run::find_facts() {
    const ModelGraph& graph = model_->graph;
    const Bindings values = bindings(model_->architecture, Input{.tokens = 1});
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        TensorFacts facts{.stack = stack_with(graph, tensor.block),
                          .group = graph.layer_of(tensor.block),
                          .of_source = graph.of_source(static_cast<TensorIndex>(i)),
                          .in_expert = graph.is(tensor.block, BlockKind::expert),
                          .of_all_layers = graph.is_for_all_layers(static_cast<TensorIndex>(i))};
        for (std::size_t side = 0; side < tensor.shape.rank() && side < 2; ++side) {
            const Expr& expr = tensor.shape[side];
            const Result<std::int64_t> size = evaluate(expr, values);
            const bool changes = std::ranges::any_of(std::array{Symbol::tokens, Symbol::cached, Symbol::source},
                                                     [&](Symbol each) { return uses(expr, each); });
            if (size && !changes) facts.fixed[side] = *size;
        }
        facts_.push_back(facts);
    }
    choices_.resize(graph.layers.size());
    for (const Node& node : graph.nodes) {
        if (node.op == Op::choose) choices_[*graph.layer_of(node.block)] = node.output;
        if (node.op == Op::pair_heads)
            facts_[node.output].group_columns = *evaluate(node.rule<HeadRule>().step, values);
        if (node.op == Op::norm && node.rule<NormRule>().group)
            facts_[node.output].group_columns = *evaluate(*node.rule<NormRule>().group, values);
        if (node.op == Op::take_columns)
            facts_[node.output].first_column = *evaluate(node.rule<ColumnRange>().first, values);
        if (node.op == Op::mix_blocks)
            facts_[node.output].blocks = {*evaluate(node.rule<BlockRule>().in, values),
                                          *evaluate(node.rule<BlockRule>().out, values)};
        if (node.op != Op::convolve && node.op != Op::fade && node.op != Op::blend && node.op != Op::weigh) continue;
        const TensorIndex kept = node.op == Op::fade ? node.output : node.inputs.front();
        const Op keeps = node.op == Op::weigh ? Op::sum_up : Op::keep_window;
        for (const Node& other : graph.nodes)
            if (other.op == keeps && other.inputs.front() == kept) {
                facts_[node.output].tail = other.output;
                if (node.op == Op::weigh) facts_[other.output].rates = node.parameters.front();
            }
    }
}

// Layers that turn by the same angles share a table.
void Run::find_turns() {
    const Bindings values = bindings(model_->architecture, Input{.tokens = 1});
    turned_.resize(model_->graph.tensors.size());
    for (const Node& node : model_->graph.nodes) {
        if (node.op != Op::rotate) continue;
        const auto& rule = node.rule<Rotation>();
        first_position_ = std::max(first_position_, rule.furthest());
        if (rule.by_head) {
            const Expr& all = model_->graph.tensors[node.output].shape[1];
            first_position_ = std::max(first_position_, *evaluate(all, values) / *evaluate(rule.head, values));
        }
        const std::int64_t columns = *evaluate(rule.columns, values);
        const auto table =
            std::ranges::find_if(ropes_, [&](const RopeTable& each) { return each.is_for(rule.rope, columns); });
        turned_[node.output] = {static_cast<std::size_t>(table - ropes_.begin()), *evaluate(rule.head, values),
                                *evaluate(rule.first, values)};
        if (table == ropes_.end()) ropes_.emplace_back(rule.rope, columns);
    }
    for (const Node& node : model_->graph.nodes) {
        if (node.op != Op::scores || !node.rule<ScoreRule>().relative) continue;
        const RelativeRule& rule = *node.rule<ScoreRule>().relative;
        std::vector<std::int32_t>& buckets = buckets_[rule.both_ways];
        if (!buckets.empty()) continue;
        const std::int64_t most = std::max(plan_.capacity, plan_.source);
        for (std::int64_t distance = -most; distance <= most; ++distance)
            buckets.push_back(static_cast<std::int32_t>(rule.bucket(distance)));
    }
}

namespace {

void add_to_steps(std::vector<Step>& steps, const ModelGraph& graph, const Node& node) {
    Step::Kind kind = Step::Kind::node;
    if (graph.is(node.block, BlockKind::head))
        kind = graph.first(Op::update_state, node.block) ? Step::Kind::states : Step::Kind::heads;
    if (graph.is(node.block, BlockKind::expert)) kind = Step::Kind::experts;
    if (kind == Step::Kind::node || steps.empty() || steps.back().kind != kind) steps.push_back({kind, {}});
    steps.back().nodes.push_back(&node);
}

}  // namespace

std::size_t stack_with(const ModelGraph& graph, BlockIndex block) {
    return graph.has_encoder() && graph.stack_of(block) != graph.stack_of(graph.layers.front().block) ? 1 : 0;
}

std::pair<std::vector<StackSteps>, std::vector<std::vector<Step>>> steps_of(const Architecture& arch,
                                                                            const ModelGraph& graph) {
    std::vector<StackSteps> stacks;
    std::vector<std::int64_t> seen(graph.layers.size(), 0);
    const auto add_stack = [&](std::int64_t layers, bool encoder) {
        StackSteps& stack = stacks.emplace_back();
        const LayerKinds kinds(arch, encoder);
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            stack.groups.push_back(graph.group_of(kinds[layer]));
            stack.ordinals.push_back(seen[stack.groups.back()]++);
        }
        stack.entering = graph.before_layers(graph.stack_of(graph.layers[stack.groups.front()].block));
    };
    if (arch.encoder) add_stack(arch.encoder->layers, true);
    add_stack(arch.layers, false);
    std::vector<std::vector<Step>> layers(graph.layers.size());
    std::vector<bool> reached_layers(stacks.size(), false);
    for (const Node& node : graph.nodes) {
        const std::optional<std::size_t> group = graph.layer_of(node.block);
        const std::size_t stack = stack_with(graph, graph.tensors[node.output].block);
        if (group) reached_layers[stack] = true;
        StackSteps& own = stacks[stack];
        add_to_steps(group ? layers[*group] : reached_layers[stack] ? own.after : own.before, graph, node);
    }
    return {std::move(stacks), std::move(layers)};
}

// The sides of every activation in this pass, as the graph has them.
void Run::expect_shapes(std::int64_t rows) {
    const Input input{.tokens = rows, .cached = cached_, .source = std::ssize(source_)};
    const Bindings values = bindings(model_->architecture, input);
    const std::vector<Tensor>& tensors = model_->graph.tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!is_computed(tensors[i].role)) continue;
        for (std::size_t side = 0; side < 2; ++side) {
            if (facts_[i].fixed[side]) {
                expected_[i][side] = *facts_[i].fixed[side];
                continue;
            }
            const Result<std::int64_t> size = evaluate(tensors[i].shape[side], values);
            expected_[i][side] = size ? *size : -1;
        }
    }
}

void Run::prepare_positions(std::int64_t tokens) {
    // An encoder may turn more rows than the decoder has tokens.
    const std::int64_t most = std::max(plan_.capacity, plan_.source) + first_position_;
    for (RopeTable& table : ropes_) table.prepare(most, tokens);
}

std::optional<Error> Run::run_stack(std::size_t stack, std::span<const std::int32_t> ids, const Watch& watch) {
    const StackSteps& own = stacks_[stack];
    const auto layers = static_cast<std::int64_t>(own.groups.size());
    // An encoder's pass and the decoder's first are one.
    const std::int64_t before = encoding_ && stack > 0 ? std::ssize(stacks_.front().groups) : 0;
    const std::int64_t all =
        encoding_ ? std::ssize(stacks_.front().groups) + std::ssize(stacks_.back().groups) : layers;
    stack_ = stack;
    rows_ = static_cast<std::int64_t>(ids.size());
    new_ids_ = ids;
    group_.reset();
    layer_ = 0;
    if (const std::optional<TensorIndex> read = model_->graph.numbers_read(); read && facts_[*read].stack == stack) {
        const std::int64_t columns = *facts_[*read].fixed[1];
        values_[*read] = {numbers_.data(), std::ssize(numbers_) / columns, columns, columns};
    }
    if (std::optional<Error> error = run(own.before)) return error;
    stream_ = values_[own.entering];
    for (; layer_ < layers; ++layer_) {
        if (watch.stopped()) return stopped_error();
        watch.at(static_cast<double>(before + layer_) / static_cast<double>(all + 1));
        group_ = own.groups[static_cast<std::size_t>(layer_)];
        for (const Borrowed& each : plan_.borrowed)
            if (facts_[each.tensor].group == group_) values_[each.tensor] = values_[each.of];
        for (std::size_t i = 0; i < facts_.size(); ++i)
            if (facts_[i].group == group_ && takes_choice(model_->graph.tensors[i])) values_[i] = chosen_;
        if (std::optional<Error> error = run(layers_[*group_])) return error;
    }
    if (watch.stopped()) return stopped_error();
    group_.reset();
    layer_ = 0;
    return std::nullopt;
}

// What the encoder makes of the source, which the first pass of the decoder reads.
std::optional<Error> Run::encode(const Watch& watch) {
    if (std::optional<Error> error = run_stack(0, source_, watch)) return error;
    return run(stacks_.front().after);
}

std::optional<Error> Run::pass(std::span<const std::int32_t> ids, const Watch& watch) {
    const Architecture& arch = model_->architecture;
    cached_ = 0;
    error_.reset();
    encoding_ = arch.encoder && ids_.empty();
    if (encoding_) {
        expect_shapes(static_cast<std::int64_t>(ids.size()));
        if (std::optional<Error> error = encode(watch)) return error;
    }
    cached_ = static_cast<std::int64_t>(ids_.size());
    if (cached_ == 0) clear_states();
    expect_shapes(static_cast<std::int64_t>(ids.size()));
    if (std::optional<Error> error = run_stack(stacks_.size() - 1, ids, watch)) return error;
    if (narrows_ && rows_ > 1) {
        stream_.data = stream_.row(rows_ - 1);
        stream_.rows = rows_ = 1;
        cached_ = static_cast<std::int64_t>(ids_.size() + ids.size()) - 1;
        expect_shapes(1);
    }
    if (std::optional<Error> error = run(stacks_.back().after)) return error;
    if (has_head(arch)) {
        const Value& logits = values_[model_->graph.nodes.back().output];
        logits_ = {logits.row(logits.rows - 1), static_cast<std::size_t>(logits.columns)};
    }
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    watch.at(1);
    return std::nullopt;
}

std::optional<Error> Run::run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
        if (step.kind == Step::Kind::heads) {
            run_heads(step);
        } else if (step.kind == Step::Kind::states) {
            run_states(step);
        } else if (step.kind == Step::Kind::experts) {
            run_experts(step);
        } else if (const Node& node = *step.nodes.front(); facts_[node.output].of_source && !encoding_) {
            const Value& there = values_[node.output];  // made with the first token
            output(node, there.rows, there.columns);
        } else {
            run_node(node);
            if (!changes_.empty() && !error_ && node.op != Op::fade) change(values_[node.output], node.output, {});
        }
        if (error_) return error_;
    }
    if (!steps.empty()) stream_ = values_[steps.back().nodes.back()->output];
    return std::nullopt;
}

void Run::run_node(const Node& node) {
    if (node.op == Op::join_heads) {  // the heads wrote their columns there
        output(node, rows_, plan_.places[node.output].columns);
        return;
    }
    // What each head does is in run_head.
    constexpr std::pair<Op, void (Run::*)(const Node&)> works[] = {{Op::embed, &Run::embed},
                                                                   {Op::add_positions, &Run::add_positions},
                                                                   {Op::add_types, &Run::add_types},
                                                                   {Op::first_row, &Run::first_row},
                                                                   {Op::pool, &Run::pool},
                                                                   {Op::insert_rows, &Run::insert_rows},
                                                                   {Op::unfold, &Run::unfold},
                                                                   {Op::scale_columns, &Run::scale_columns},
                                                                   {Op::norm, &Run::norm},
                                                                   {Op::linear, &Run::linear},
                                                                   {Op::rotate, &Run::rotate},
                                                                   {Op::append_cache, &Run::append_cache},
                                                                   {Op::keep_window, &Run::keep_window},
                                                                   {Op::take_columns, &Run::take_columns},
                                                                   {Op::pair_heads, &Run::pair_heads},
                                                                   {Op::index_scores, &Run::index_scores},
                                                                   {Op::choose, &Run::choose},
                                                                   {Op::subtract, &Run::subtract},
                                                                   {Op::activate, &Run::feed_forward},
                                                                   {Op::gate, &Run::feed_forward},
                                                                   {Op::route, &Run::route},
                                                                   {Op::combine, &Run::combine},
                                                                   {Op::add, &Run::add},
                                                                   {Op::sum, &Run::add},
                                                                   {Op::convolve, &Run::convolve},
                                                                   {Op::step, &Run::time_steps},
                                                                   {Op::decay, &Run::decay},
                                                                   {Op::fade, &Run::fade},
                                                                   {Op::blend, &Run::blend},
                                                                   {Op::weigh, &Run::weighted_mean},
                                                                   {Op::bonus, &Run::bonus},
                                                                   {Op::sum_up, &Run::sum_up},
                                                                   {Op::beside, &Run::beside},
                                                                   {Op::mix_blocks, &Run::mix_blocks},
                                                                   {Op::magnitude, &Run::magnitude},
                                                                   {Op::threshold, &Run::threshold},
                                                                   {Op::table, &Run::table}};
    for (const auto& [op, work] : works)
        if (node.op == op) return (this->*work)(node);
}

const Value& Run::input(const Node& node, std::size_t index) const {
    const TensorIndex tensor = node.inputs[index];
    const TensorFacts& facts = facts_[tensor];
    return facts.group == group_ || facts.stack != stack_ || facts.of_all_layers ? values_[tensor] : stream_;
}

void Run::check(TensorIndex tensor, std::int64_t rows, std::int64_t columns) {
    if (expected_[tensor] == std::array{rows, columns} || error_) return;
    const auto text = [](std::int64_t a, std::int64_t b) { return std::to_string(a) + " × " + std::to_string(b); };
    error_ = Error{"the run made " + text(rows, columns) + " numbers where the graph says " +
                       text(expected_[tensor][0], expected_[tensor][1]),
                   model_->graph.tensors[tensor].id, "report this: the two must always agree"};
}

float* Run::memory(PlaceIn where) const {
    const FloatMemory& memory = where == PlaceIn::scratch ? scratch_ : where == PlaceIn::kept ? kept_ : cache_;
    return const_cast<float*>(memory.data());
}

Value Run::at(TensorIndex tensor, const PlaceOf& place, std::int64_t rows, std::int64_t copy) const {
    const std::size_t layer = static_cast<std::size_t>(layer_);
    const std::int64_t ordinal = facts_[tensor].group ? stacks_[stack_].ordinals[layer] : 0;
    const bool behind = place.of_all_tokens() && !place.of_source;
    float* data = memory(place.memory) + place.offset + ordinal * place.layer_step + layer_ * place.columns_by_layer +
                  place.owner(copy) * place.copy_step + (behind ? cached_ * place.row_step : 0);
    return {data, rows, place.columns, place.row_step, place.column_step};
}

Value& Run::output(const Node& node, std::int64_t rows, std::int64_t columns) {
    check(node.output, rows, columns);
    return values_[node.output] = at(node.output, plan_.places[node.output], rows, 0);
}

}  // namespace headcount
