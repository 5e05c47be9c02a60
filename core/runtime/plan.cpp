// Lays out a run's memory, tensor by tensor, as the nodes that make them ask, and adds it up.
#include "core/runtime/plan.hpp"

#include <algorithm>
#include <string>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/runtime/float_memory.hpp"
#include "core/runtime/this_machine.hpp"
#include "core/runtime/weights.hpp"

namespace headcount {

namespace {

// Floats of one kind of memory: scratch, cache and kept together, in bytes, then fit in 64 bits.
constexpr std::int64_t most_floats = std::int64_t{1} << 58;

class Planner {
  public:
    Planner(const Architecture& arch, const ModelGraph& graph, const RunOptions& options)
        : arch_(arch),
          graph_(graph),
          options_(options),
          narrows_(options.narrows() && generates(arch)),
          values_(bindings(arch, Input{.tokens = 1})) {
        plan_.capacity = options.capacity > 0 ? options.capacity : most_tokens(arch);
        if (arch.encoder) plan_.source = options.source > 0 ? options.source : most_source(arch);
        constexpr std::int64_t most_rows = 512;
        const bool at_once = sees_all(arch);
        plan_.pass_rows = at_once ? plan_.capacity : std::min(plan_.capacity, most_rows);
        too_large_ = plan_.capacity > most_floats || plan_.source > most_floats;
        if (too_large_) return;
        plan_.token_step = step_of(plan_.capacity);
        all_ = bindings(arch, Input{.tokens = plan_.capacity, .source = plan_.source});
        plan_.places.resize(graph.tensors.size());
        plan_.kept_experts.resize(graph.tensors.size());
    }

    Result<RunPlan> make() {
        Result<std::vector<Borrowed>> lent = borrowed(arch_, graph_);
        if (!lent) return lent.error();
        plan_.borrowed = *std::move(lent);
        for (const Node& node : graph_.nodes) {
            node_ = &node;
            if (!too_large_) place(node);
            if (too_large_) return Error{"a run of so many tokens does not fit in 64 bits", "", "take fewer tokens"};
        }
        return std::move(plan_);
    }

  private:
    // Floats from one column of so many rows to the next: an odd number of lines, so that columns do not all fall into
    // the same few places of the processor's cache.
    static std::int64_t step_of(std::int64_t rows) {
        const std::int64_t step = whole_lines(rows);
        return step / FloatMemory::alignment % 2 == 0 ? step + FloatMemory::alignment : step;
    }
    // Of all that come to it.
    std::int64_t rows_of(TensorIndex tensor) const {
        if (is_of_distances(graph_.tensors[tensor].part)) return number(graph_.tensors[tensor].shape[0]);
        return graph_.of_source(tensor) ? plan_.source : plan_.capacity;
    }

    std::int64_t number(const Expr& expr) const {
        const Result<std::int64_t> value = evaluate(expr, values_);
        return value ? *value : 0;
    }
    std::int64_t number(Symbol symbol) const { return values_[symbol].value_or(0); }

    std::int64_t threads() const { return std::max(1, options_.threads); }

    std::int64_t layers_of(const Node& node) const {
        const std::optional<std::size_t> group = graph_.layer_of(node.block);
        return group ? graph_.layers[*group].group.count : 1;
    }

    bool keeps(const Node& node) const {
        if (options_.keep == Keep::all) return true;
        if (options_.keep == Keep::nothing) return false;
        const std::optional<std::size_t> group = graph_.layer_of(node.block);
        const BlockIndex stack = graph_.stack_of(node.block);
        const bool hidden = node.output == (group ? graph_.last_of(*group) : graph_.before_layers(stack));
        const bool made = !group && graph_.of_source(node.output);  // what the encoder hands over
        return hidden || made || node.output == graph_.nodes.back().output ||
               (options_.keep == Keep::attention && node.op == Op::masked_softmax);
    }

    // Room for `rows` × `columns` numbers of each copy, in every layer where they are of all tokens.
    PlaceOf reserve(PlaceIn memory, std::int64_t columns, std::int64_t rows, std::int64_t copies = 1) {
        PlaceOf place{.memory = memory, .columns = columns, .copies = copies};
        // Rows whole pages apart would all fall into the same few places of the processor's cache.
        constexpr std::int64_t half_page = 512;
        place.row_step = columns % half_page == 0 ? add(columns, FloatMemory::alignment) : columns;
        finish(place, multiply(rows, place.row_step));
        return place;
    }
    // The same of a state: whole vectors are written to its rows.
    PlaceOf reserve_state(TensorIndex tensor, std::int64_t copies) {
        PlaceOf place{.memory = PlaceIn::state, .columns = columns_of(tensor), .copies = copies};
        place.rows = number(graph_.tensors[tensor].shape[0]);
        place.row_step = whole_lines(place.columns);
        finish(place, multiply(place.rows, place.row_step));
        return place;
    }
    // The same by columns, each of all tokens.
    PlaceOf reserve_by_columns(PlaceIn memory, TensorIndex tensor, std::int64_t columns, std::int64_t copies = 1) {
        PlaceOf place{.memory = memory, .columns = columns, .copies = copies};
        place.row_step = 1;
        place.column_step = step_of(rows_of(tensor));
        finish(place, multiply(place.column_step, columns));
        return place;
    }
    void finish(PlaceOf& place, std::int64_t size) {
        place.copy_step = whole_lines(size);
        place.layer_step = multiply(place.copy_step, place.copies);
        std::int64_t& end = place.memory == PlaceIn::scratch ? plan_.scratch
                            : place.memory == PlaceIn::kept  ? plan_.kept
                                                             : plan_.cache;
        place.offset = end;
        place.of_source = graph_.of_source(node_->output) || is_of_distances(graph_.tensors[node_->output].part);
        const std::int64_t layers = place.memory == PlaceIn::scratch ? 1 : layers_of(*node_);
        end = add(end, multiply(place.layer_step, layers));
        if (place.memory == PlaceIn::scratch) place.layer_step = 0;
    }
    std::int64_t multiply(std::int64_t a, std::int64_t b) {
        const std::optional<std::int64_t> product = checked_multiply(a, b);
        too_large_ = too_large_ || !product || *product > most_floats;
        return too_large_ ? 0 : *product;
    }
    std::int64_t add(std::int64_t a, std::int64_t b) {
        const std::optional<std::int64_t> sum = checked_add(a, b);
        too_large_ = too_large_ || !sum || *sum > most_floats;
        return too_large_ ? 0 : *sum;
    }

    std::int64_t columns_of(TensorIndex tensor) const {
        const Shape& shape = graph_.tensors[tensor].shape;
        return number(shape[shape.rank() - 1]);
    }

    // How many there are of what the node makes, within a layer: one for each head.
    std::int64_t copies_of(const Node& node) const { return number(graph_.blocks[node.block].repeat); }

    // Whether its rows are those of all tokens that are seen, of which a pass computes only the new ones.
    bool remembered(TensorIndex tensor) const { return plan_.places[tensor].memory == PlaceIn::cache; }

    // Whether heads take their keys from it, or index heads compare with it.
    bool gives_keys(TensorIndex tensor) const {
        return std::ranges::any_of(graph_.nodes, [&](const Node& scores) {
            if (scores.op == Op::index_scores && scores.inputs[1] == tensor) return true;
            if (scores.op != Op::scores) return false;
            const Node* take = graph_.producer(scores.inputs[1]);
            return take && take->inputs.size() == 1 && take->inputs.front() == tensor;
        });
    }

    bool of_keys(const Node& take) const { return graph_.tensors[take.output].part == Part::relative_key; }

    // Whether scores take one head's keys from it, of tokens or of distances.
    bool gives_keys_of_head(const Node& take) const {
        return std::ranges::any_of(graph_.nodes, [&](const Node& scores) {
            if (scores.op != Op::scores) return false;
            return scores.inputs[1] == take.output ||
                   (scores.inputs.size() > 2 && scores.inputs[2] == take.output && of_keys(take));
        });
    }

    void place(const Node& node) {
        PlaceOf& place = plan_.places[node.output];
        const std::int64_t columns = columns_of(node.output);
        const PlaceIn usual = keeps(node) ? PlaceIn::kept : PlaceIn::scratch;
        const bool source = graph_.of_source(node.output);
        const BlockIndex last = graph_.layers.back().block;
        reached_layers_ = reached_layers_ || graph_.inside(node.block, last);
        const bool behind = reached_layers_ && !graph_.layer_of(node.block);
        const std::int64_t pass_rows = behind && narrows_ ? 1 : source ? plan_.source : plan_.pass_rows;
        std::int64_t rows = keeps(node) ? rows_of(node.output) : pass_rows;
        // What lies between sound's moments and the stream has more rows than that.
        if (const Expr& side = graph_.tensors[node.output].shape[0];
            side.kind() != Expr::Kind::symbol && !uses(side, Symbol::cached))
            rows = std::max(rows, evaluate(side, all_) ? *evaluate(side, all_) : 0);
        if (graph_.tensors[node.output].role == Role::state) {
            place = reserve_state(node.output, copies_of(node));
            return;
        }
        switch (node.op) {
            case Op::append_cache:
                place = gives_keys(node.output) ? reserve_by_columns(PlaceIn::cache, node.output, columns)
                                                : reserve(PlaceIn::cache, columns, rows_of(node.output));
                return;
            case Op::keep_window: place = plan_.places[node.inputs.front()]; return;
            case Op::take_columns:
                // The stream lies elsewhere in each layer.
                if (graph_.reads_stream(node, node.inputs.front())) break;
                place = plan_.places[node.inputs.front()];
                if (node.rule<ColumnRange>().by_layer) place.columns_by_layer = columns, place.layer_step = 0;
                place.offset += number(node.rule<ColumnRange>().first);
                place.columns = columns;
                return;
            case Op::take_head: return place_head(node, place, columns);
            case Op::scores: place_distances(node); [[fallthrough]];
            case Op::masked_softmax: return place_scores(node, place);
            case Op::index_scores:
                if (plan_.index_head.memory == PlaceIn::none)
                    plan_.index_head = reserve(PlaceIn::scratch, plan_.token_step, block_rows, threads());
                [[fallthrough]];
            case Op::choose: place = reserve(usual, plan_.token_step, rows); return;
            case Op::mix:
            case Op::read_state: return;  // its columns of the joined heads: placed with them
            case Op::join_heads: {
                const std::int64_t heads = copies_of(*graph_.producer(node.inputs.front()));
                place = reserve(usual, columns, rows);
                PlaceOf& mixed = plan_.places[node.inputs.front()];
                mixed = place;
                mixed.copies = heads;
                mixed.columns = mixed.copy_step = columns / heads;
                return;
            }
            default: break;
        }
        if (graph_.is(node.block, BlockKind::expert)) return place_expert(node, place, columns);
        const bool of_seen = (node.op == Op::linear || node.op == Op::pair_heads) && remembered(node.inputs.front());
        place = of_seen ? reserve(PlaceIn::cache, columns, plan_.capacity) : reserve(usual, columns, rows);
    }

    void place_head(const Node& node, PlaceOf& place, std::int64_t columns) {
        const std::int64_t heads = copies_of(node);
        if (node.inputs.size() == 2) {  // latent attention's keys, put together from two
            place = reserve_by_columns(PlaceIn::cache, node.output, columns, heads);
            return;
        }
        place_borrowed(node.inputs.front());
        const auto& rule = node.rule<HeadRule>();
        const std::int64_t share = std::max<std::int64_t>(1, number(rule.share));
        if (gives_keys_of_head(node) && !remembered(node.inputs.front())) {
            const PlaceIn memory = keeps(node) ? PlaceIn::kept : PlaceIn::scratch;
            place = reserve_by_columns(memory, node.output, columns, heads / share);
            place.copies = heads;
            place.copies_share = share;
            place.in_turn = rule.in_turn;
            return;
        }
        place = plan_.places[node.inputs.front()];
        place.copy_step = number(rule.step) * place.column_step;
        place.offset += number(rule.first) * place.column_step;
        place.copies_share = share;
        place.in_turn = rule.in_turn;
        place.copies = heads;
        place.columns = columns;
    }

    // Where the layer that lends it has it.
    void place_borrowed(TensorIndex tensor) {
        const auto found = std::ranges::find(plan_.borrowed, tensor, &Borrowed::tensor);
        if (found == plan_.borrowed.end()) return;
        PlaceOf& place = plan_.places[tensor];
        place = plan_.places[found->of];
        const LayerKinds kinds(arch_);
        for (std::int64_t layer = 0; layer < found->layer; ++layer)
            if (kinds[layer] == kinds[found->layer]) place.offset += place.layer_step;
        place.layer_step = 0;
    }

    // Rows of as many columns as there may be tokens. What is not kept, each thread has for a few rows.
    void place_scores(const Node& node, PlaceOf& place) {
        const bool of_source = uses(graph_.tensors[node.output].shape[1], Symbol::source);
        const std::int64_t columns = of_source ? step_of(plan_.source) : plan_.token_step;
        place = keeps(node) ? reserve(PlaceIn::kept, columns, rows_of(node.output), copies_of(node))
                            : reserve(PlaceIn::scratch, columns, block_rows, threads());
    }

    void place_distances(const Node& node) {
        for (std::size_t i = 2; i < node.inputs.size(); ++i) {
            const std::int64_t rows = rows_of(node.inputs[i]);
            const bool keys = of_keys(*graph_.producer(node.inputs[i]));
            PlaceOf& place = keys ? plan_.query_distances : plan_.key_distances;
            if (place.memory != PlaceIn::none) continue;
            place = keys ? reserve(PlaceIn::scratch, whole_lines(rows), block_rows, threads())
                         : reserve(PlaceIn::scratch, plan_.token_step, rows, threads());
        }
    }

    void place_expert(const Node& node, PlaceOf& place, std::int64_t columns) {
        const std::int64_t chosen = number(Symbol::experts_per_token);
        const std::int64_t rows = multiply(std::max(plan_.pass_rows, plan_.source), chosen);
        place = reserve(PlaceIn::scratch, columns, rows);
        if (keeps(node))
            plan_.kept_experts[node.output] = reserve(PlaceIn::kept, columns, rows_of(node.output), chosen);
        if (plan_.gathered.memory == PlaceIn::none)
            plan_.gathered = reserve(PlaceIn::scratch, number(Symbol::dim), rows);
    }

    const Architecture& arch_;
    const ModelGraph& graph_;
    const RunOptions& options_;
    const bool narrows_;
    const Bindings values_;
    Bindings all_;                // of as many tokens as there may be
    const Node* node_ = nullptr;  // the one that is being placed
    bool reached_layers_ = false, too_large_ = false;
    RunPlan plan_;
};

}  // namespace

Result<RunPlan> make_plan(const Architecture& arch, const ModelGraph& graph, const RunOptions& options) {
    return Planner(arch, graph, options).make();
}

Result<MemoryNeed> memory_need(const Architecture& arch, const RunOptions& options) {
    const ModelGraph graph = expand(arch, Cache::filled);
    const Result<std::int64_t> weights = Weights::bytes_of(arch, graph);
    if (!weights) return weights.error();
    const Result<RunPlan> plan = make_plan(arch, graph, options);
    if (!plan) return plan.error();
    const auto bytes = [](std::int64_t floats) { return checked_multiply(floats, std::int64_t{sizeof(float)}); };
    const std::optional<std::int64_t> both = checked_add(plan->kept, plan->scratch);
    const std::optional<std::int64_t> activations = both ? bytes(*both) : std::nullopt, caches = bytes(plan->cache);
    const std::optional<std::int64_t> run = activations && caches ? checked_add(*activations, *caches) : std::nullopt;
    if (!run || !checked_add(*run, *weights))
        return Error{"what the run takes does not fit in 64 bits", "", "take fewer tokens"};
    return MemoryNeed{*weights, *caches, *activations};
}

std::optional<Error> does_not_fit(std::int64_t bytes, std::string_view what) {
    constexpr std::int64_t always_there = 1 << 20;  // to ask the system takes longer than a run that needs so little
    if (bytes <= always_there) return std::nullopt;
    const std::optional<std::int64_t> free = available_memory();
    if (!free || bytes <= *free) return std::nullopt;
    return Error{
        std::string(what) + " take " + bytes_text(bytes) + ", and " + bytes_text(*free) + " of memory are free", "",
        "take a smaller model, or fewer tokens"};
}

}  // namespace headcount
