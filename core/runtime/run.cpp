// The manners of a run: what it is asked is looked at before the walk does it, and what it keeps is handed out as
// matrices, and forgotten again. The walk is in interpreter.cpp, its operations in op_*.cpp.
#include "core/runtime/run.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>

#include "core/base/text.hpp"
#include "core/graph/ops.hpp"

namespace headcount {

Result<Run> Run::start(std::shared_ptr<const Model> model, const RunOptions& options) {
    const Architecture& arch = model->architecture;
    if (options.capacity < 0 || options.source < 0 || options.threads < 1)
        return Error{"a run takes at least one token and one thread", "", "give 1 or more"};
    const std::int64_t capacity = options.capacity > 0 ? options.capacity : most_tokens(arch);
    const Result<Computation> computation = computation_of(arch);
    const std::int64_t most = std::max(capacity, arch.encoder ? options.source : 0);
    if (computation && computation->limit && most > computation->limit->tokens)
        return Error{"of " + grouped(most) + " tokens " + computation->limit->why + ", which is not computed here", "",
                     "take at most " + grouped(computation->limit->tokens) + " tokens"};
    const auto too_long = [&](std::int64_t tokens, std::int64_t rows) {
        return has_position_table(arch) && tokens > rows
                   ? std::optional(Error{grouped(tokens) + " tokens are more than the " + grouped(rows) +
                                             " that the position table has rows for",
                                         "context", "take fewer tokens"})
                   : std::nullopt;
    };
    if (std::optional<Error> error = too_long(options.capacity, most_tokens(arch))) return *error;
    if (std::optional<Error> error = too_long(arch.encoder ? options.source : 0, most_source(arch))) return *error;
    Result<RunPlan> plan = make_plan(arch, model->graph, options);
    if (!plan) return plan.error();
    const std::int64_t bytes = (plan->scratch + plan->cache + plan->kept) * std::int64_t{sizeof(float)};
    if (std::optional<Error> error = does_not_fit(bytes, "the run's activations")) return *error;
    Result<FloatMemory> scratch = FloatMemory::take(plan->scratch), cache = FloatMemory::take(plan->cache),
                        kept = FloatMemory::take(plan->kept);
    for (const Result<FloatMemory>* each : {&scratch, &cache, &kept})
        if (!*each) return each->error();
    Run made(std::move(model), options, std::move(*plan));
    made.scratch_ = std::move(*scratch);
    made.cache_ = std::move(*cache);
    made.kept_ = std::move(*kept);
    return made;
}

std::optional<Error> Run::pass_in_pieces(std::span<const std::int32_t> ids, const Watch& watch) {
    const std::size_t at_once = static_cast<std::size_t>(plan_.pass_rows);
    for (std::size_t done = 0; done < ids.size(); done += at_once) {
        const std::size_t now = std::min(at_once, ids.size() - done);
        Watch part = watch;
        if (watch.progress)
            part.progress = [&](double share) {
                watch.at((static_cast<double>(done) + share * static_cast<double>(now)) /
                         static_cast<double>(ids.size()));
            };
        if (std::optional<Error> error = pass(ids.subspan(done, now), part)) return error;
    }
    return std::nullopt;
}

std::optional<Error> Run::read(std::span<const std::int32_t> ids, const Watch& watch) {
    std::optional<Error> error;
    const std::vector<std::int32_t> earlier = ids_;
    if (states_lost_ && !earlier.empty()) {
        std::vector<std::int32_t> all = earlier;
        all.insert(all.end(), ids.begin(), ids.end());
        ids_.clear();
        error = pass_in_pieces(all, watch);
        if (error) ids_.assign(earlier.begin(), earlier.end()), logits_ = {};
    } else {
        error = pass_in_pieces(ids, watch);
    }
    states_lost_ = error && has_states();  // a pass that ended early has changed those of some layers
    return error;
}

std::optional<Error> Run::token_error(std::span<const std::int32_t> ids, std::string_view of) const {
    const Architecture& arch = model().architecture;
    const bool of_text = of == "source" ? !arch.sound : !reads_numbers(arch);
    if (!of_text) return std::nullopt;  // what is read is no text
    const std::int64_t vocab = arch.vocab;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || ids[i] >= vocab)
            return Error{"token " + std::to_string(ids[i]) + " is not in the vocabulary of " + grouped(vocab),
                         "token " + std::to_string(i + 1) + " of the " + std::string(of),
                         "give ids from 0 to " + std::to_string(vocab - 1)};
    return std::nullopt;
}

std::optional<Error> Run::set_source(std::span<const std::int32_t> ids) {
    if (!model().architecture.encoder)
        return Error{"this model has no encoder beside a decoder, which could read a source", "", "leave it out"};
    if (std::optional<Error> error = token_error(ids, "source")) return error;
    const auto count = static_cast<std::int64_t>(ids.size());
    if (count > plan_.source)
        return Error{
            grouped(count) + " source tokens are more than the " + grouped(plan_.source) + " that there is room for",
            "", "take a shorter source"};
    keep_first(0);
    source_.assign(ids.begin(), ids.end());
    return std::nullopt;
}

std::optional<Error> Run::set_numbers(std::vector<float> numbers) {
    const std::optional<TensorIndex> read = model().graph.numbers_read();
    if (!read) return Error{"this model reads a text", "", "leave it out"};
    const Shape& shape = model().graph.tensors[*read].shape;
    const Input input{.tokens = plan_.capacity, .source = plan_.source};
    const Result<std::int64_t> all = element_count(shape, bindings(model().architecture, input));
    if (!all) return all.error();
    if (std::ssize(numbers) != *all)
        return Error{grouped(std::ssize(numbers)) + " numbers are given for " +
                         shape_in_numbers(shape, bindings(model().architecture, input)),
                     model().graph.tensors[*read].id, "give as many as the model reads"};
    keep_first(0);
    numbers_ = std::move(numbers);
    return std::nullopt;
}

std::optional<Error> Run::append(std::span<const std::int32_t> ids, const Watch& watch) {
    const std::int64_t before = tokens();
    const auto count = static_cast<std::int64_t>(ids.size());
    if (std::optional<Error> error = token_error(ids, "prompt")) return error;
    if (model().graph.numbers_read() && numbers_.empty())
        return Error{"the model has nothing to read", "", "give it an image or sound"};
    if (model().architecture.encoder && source_.empty())
        return Error{"the encoder has nothing to read", "source", "give it at least one token"};
    if (const std::int64_t room = plan_.capacity; count > room - before)
        return Error{grouped(before + count) + " tokens are more than the " + grouped(room) + " that there is room for",
                     "", "take a shorter prompt or fewer new tokens"};
    const auto start = std::chrono::steady_clock::now();
    assert(!turns_anew(count));
    prepare_positions(before + count);
    if (std::optional<Error> error = read(ids, watch)) {
        keep_first(before);
        return error;
    }
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::nullopt;
}

bool Run::turns_anew(std::int64_t more) const {
    if (!ids_.empty() && sees_all(model_->architecture)) return more > 0;
    // With the other scalings keys that are cached stay as they were turned, as transformers has it.
    return !ids_.empty() && std::ranges::any_of(ropes_, [&](const RopeTable& table) {
        return table.rope().scaling == RopeScaling::longrope && table.turns_otherwise(tokens() + more);
    });
}

void Run::keep_first(std::int64_t tokens) {
    const std::int64_t before = static_cast<std::int64_t>(ids_.size());
    if (tokens >= before) return;
    ids_.resize(static_cast<std::size_t>(std::max<std::int64_t>(tokens, 0)));
    logits_ = {};
    states_lost_ = has_states();
    // Scores against keys that are no longer there: a block's rows reach no further than to its last token.
    const std::int64_t first = std::max<std::int64_t>(0, tokens - block_rows + 1);
    const ModelGraph& graph = model_->graph;
    for (const Node& node : graph.nodes) {
        const PlaceOf& place = plan_.places[node.output];
        if (node.op != Op::scores || place.memory != PlaceIn::kept) continue;
        if (uses(graph.tensors[node.output].shape[1], Symbol::source)) continue;  // whose keys stay
        const StackSteps& stack = stacks_[facts_[node.output].stack];
        for (std::size_t layer = 0; layer < stack.groups.size(); ++layer) {
            if (stack.groups[layer] != graph.layer_of(node.block)) continue;
            for (std::int64_t copy = 0; copy < place.copies; ++copy) {
                float* from = memory(place.memory) + place.offset + stack.ordinals[layer] * place.layer_step +
                              copy * place.copy_step;
                for (std::int64_t row = first; row < tokens; ++row)
                    std::fill(from + row * place.row_step + tokens,
                              from + row * place.row_step + std::min(row + block_rows, before), 0.0f);
            }
        }
    }
}

// Of all that was read: of sound, what lies between its moments and the stream has more than that.
std::int64_t Run::rows_now(TensorIndex tensor, std::int64_t tokens) const {
    const Expr& rows = model_->graph.tensors[tensor].shape[0];
    if (!facts_[tensor].of_source || rows.kind() == Expr::Kind::symbol) return tokens;
    const Result<std::int64_t> all =
        evaluate(rows, bindings(model_->architecture, Input{.source = std::ssize(source_)}));
    return all ? *all : tokens;
}

MatrixView Run::activation(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const {
    const ModelGraph& graph = model_->graph;
    const std::optional<std::size_t> group = graph.layer_of(graph.tensors[tensor].block);
    const StackSteps& stack = stacks_[facts_[tensor].stack];
    const auto source = static_cast<std::int64_t>(ids_.empty() ? 0 : source_.size());
    const auto tokens = facts_[tensor].of_source ? source : static_cast<std::int64_t>(ids_.size());
    if (layer < 0 || copy < 0) return {};
    if (group && (layer >= static_cast<std::int64_t>(stack.groups.size()) ||
                  stack.groups[static_cast<std::size_t>(layer)] != *group))
        return {};
    if (takes_choice(graph.tensors[tensor])) {
        for (std::int64_t before = layer; before-- > 0;)
            if (const auto own = choices_[stack.groups[static_cast<std::size_t>(before)]])
                return activation(*own, before, copy);
        return {};
    }
    if (graph.numbers_read() == tensor && !numbers_.empty()) {
        const std::int64_t columns = *facts_[tensor].fixed[1];
        return {
            .data = numbers_.data(), .rows = std::ssize(numbers_) / columns, .columns = columns, .row_step = columns};
    }
    const bool expert = plan_.kept_experts[tensor].memory != PlaceIn::none;
    const PlaceOf& place = expert ? plan_.kept_experts[tensor] : plan_.places[tensor];
    if (!place.outlives_pass() || copy >= place.copies) return {};
    const bool state = place.memory == PlaceIn::state;
    if (state && states_lost_) return {};
    const Node* made = graph.producer(tensor);
    MatrixView view{.data = memory(place.memory) + place.offset + place.owner(copy) * place.copy_step,
                    .rows = state ? place.rows : facts_[tensor].fixed[0].value_or(rows_now(tensor, tokens)),
                    .columns = place.columns,
                    .row_step = place.row_step,
                    .column_step = place.column_step};
    if (group)
        view.data +=
            stack.ordinals[static_cast<std::size_t>(layer)] * place.layer_step + layer * place.columns_by_layer;
    if (made && info(made->op).of_pairs)
        view.columns = uses(graph.tensors[tensor].shape[1], Symbol::source) ? source : tokens;
    if (made && made->op == Op::keep_window && !state) {
        view.rows = std::min(tokens, made->rule<Mask>().size);
        view.data += (tokens - view.rows) * view.row_step;
    }
    return view;
}

MatrixView Run::encoder_hidden(std::int64_t layer) const {
    return stacks_.size() > 1 ? hidden_of(stacks_.front(), layer) : MatrixView{};
}

MatrixView Run::encoder_output() const {
    if (stacks_.size() < 2) return {};
    const StackSteps& encoder = stacks_.front();
    return encoder.after.empty() ? encoder_hidden(static_cast<std::int64_t>(encoder.groups.size()))
                                 : activation(encoder.after.back().nodes.back()->output, 0, 0);
}

MatrixView Run::hidden_of(const StackSteps& stack, std::int64_t layer) const {
    if (layer == 0) return activation(stack.entering, 0, 0);
    if (layer < 0 || layer > static_cast<std::int64_t>(stack.groups.size())) return {};
    const std::size_t group = stack.groups[static_cast<std::size_t>(layer - 1)];
    return activation(layers_[group].back().nodes.back()->output, layer - 1, 0);
}

std::span<const std::int32_t> Run::experts(std::int64_t layer, bool encoder) const {
    if (encoder && (stacks_.size() < 2 || ids_.empty())) return {};
    const std::vector<std::vector<std::int32_t>>& layers = (encoder ? stacks_.front() : stacks_.back()).experts;
    if (layer < 0 || layer >= std::ssize(layers) || layers[static_cast<std::size_t>(layer)].empty()) return {};
    return std::span(layers[static_cast<std::size_t>(layer)])
        .first((encoder ? source_ : ids_).size() *
               static_cast<std::size_t>(model_->architecture.layer.mixture->experts_per_token));
}

}  // namespace headcount
