// Validates, expands and counts; reads the shape and size of every activation off a graph.
#include "core/analysis/counted_model.hpp"

#include <algorithm>
#include <array>

#include "core/analysis/memory.hpp"
#include "core/arch/validate.hpp"
#include "core/base/checked.hpp"

namespace headcount {

namespace {

// How many heads have the same: the keys and values of grouped heads.
Expr sharing_heads(const ModelGraph& graph, TensorIndex index) {
    if (!graph.tensors[index].view) return 1;
    const auto node = std::ranges::find(graph.nodes, index, &Node::output);
    return node != graph.nodes.end() && node->op == Op::take_head ? node->rule<HeadRule>().share : Expr(1);
}

Result<ActivationRow> size_of(const ModelGraph& graph, TensorIndex index, const Bindings& bindings,
                              const Input& input) {
    const Tensor& tensor = graph.tensors[index];
    const Precision kept = kept_precision(graph, index, input.computed(), input.cached_in());
    const bool vector = tensor.shape.rank() == 1;
    const Expr sharers = sharing_heads(graph, index);
    const Expr formulas[] = {vector ? Expr(1) : tensor.shape[0], tensor.shape[vector ? 0 : 1],
                             element_count(tensor.shape), graph.batch_of(index) * graph.runs(tensor.block) / sharers,
                             graph.batch_of(index) * graph.runs_in_layer(tensor.block) / sharers};
    std::array<std::int64_t, 5> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        Result<std::int64_t> number = evaluate(formulas[i], bindings);
        if (!number) return within(tensor.id, number.error());
        numbers[i] = *number;
    }
    std::optional<std::int64_t> bytes = bytes_of(numbers[2], kept);
    std::optional<std::int64_t> everywhere = bytes ? checked_multiply(*bytes, numbers[3]) : std::nullopt;
    if (!everywhere)
        return Error{"the bytes of " + shape_in_symbols(tensor.shape) + " = " +
                         shape_in_numbers(tensor.shape, bindings) + " in all copies do not fit in 64 bits",
                     tensor.id, "give fewer tokens or a smaller batch"};
    return ActivationRow{index, numbers[0], numbers[1], numbers[2], *bytes, numbers[3], numbers[4], kept};
}

Result<std::vector<ActivationRow>> sizes_of(const ModelGraph& graph, const std::vector<TensorIndex>& tensors,
                                            const Bindings& bindings, const Input& input) {
    std::vector<ActivationRow> rows;
    rows.reserve(tensors.size());
    for (const TensorIndex tensor : tensors) {
        Result<ActivationRow> row = size_of(graph, tensor, bindings, input);
        if (!row) return row.error();
        rows.push_back(*row);
    }
    return rows;
}

// The tensors of one head in the order of a worksheet: its input is what the query projection reads, or the bottleneck
// before it; its end what the output projection makes.
void add_head(const ModelGraph& graph, BlockIndex head, std::vector<TensorIndex>& tensors) {
    std::optional<TensorIndex> input, output;
    for (const Node& node : graph.nodes) {
        if (node.op != Op::linear || !graph.inside(node.block, *graph.blocks[head].parent)) continue;
        const Part part = graph.tensors[node.output].part;
        if (!input && (part == Part::query || part == Part::query_down || part == Part::state_query))
            input = node.inputs.front();
        if (part == Part::attention_output || part == Part::state_output) output = node.output;
    }
    tensors.push_back(*input);
    for (const Node& node : graph.nodes)
        if (node.block == head) tensors.push_back(node.output);
    tensors.push_back(*output);
}

}  // namespace

Result<std::vector<ActivationRow>> activations(const ModelGraph& graph, const Bindings& bindings, const Input& input) {
    std::vector<TensorIndex> tensors;
    for (const Node& node : graph.nodes) {
        const Tensor& made = graph.tensors[node.output];
        if (!made.view && (!graph.made_before(node) || made.role == Role::cache)) tensors.push_back(node.output);
    }
    return sizes_of(graph, tensors, bindings, input);
}

Result<std::vector<ActivationRow>> head_activations(const ModelGraph& graph, const Bindings& bindings,
                                                    const Input& input) {
    std::vector<TensorIndex> tensors;
    for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
        const auto head = static_cast<BlockIndex>(i);
        if (!graph.is(head, BlockKind::head)) continue;
        if (!graph.made_before(*std::ranges::find(graph.nodes, head, &Node::block))) add_head(graph, head, tensors);
    }
    return sizes_of(graph, tensors, bindings, input);
}

std::optional<std::int64_t> weight_bytes(const CountedModel& model, std::optional<Component> component) {
    const StoredWeights weights(model.architecture, model.graph, model.input.precision);
    const Result<std::int64_t> bytes = evaluate(weights.total(model.graph, component), model.bindings);
    return bytes ? std::optional(*bytes) : std::nullopt;
}

std::optional<WeightBytes> weight_bytes(const CountedModel& model, TensorIndex parameter) {
    const Tensor& tensor = model.graph.tensors[parameter];
    const Expr layers = model.graph.layers_with(tensor.block), in_layer = model.graph.copies_in_layer(tensor.block);
    const StoredWeights weights(model.architecture, model.graph, model.input.precision);
    const Result<std::int64_t> all = evaluate(weights.bytes(model.graph, parameter, layers, in_layer), model.bindings),
                               count = evaluate(layers, model.bindings);
    if (!all || !count) return std::nullopt;
    WeightBytes found{.formats = merged(weights.runs(model.graph, parameter, *count)), .one = {}, .all = *all};
    const Result<std::int64_t> copies = evaluate(layers * in_layer, model.bindings);
    if (copies && *copies > 0 && found.formats.size() == 1) found.one = *all / *copies;
    return found;
}

std::optional<std::int64_t> bytes_of(std::int64_t elements, Precision precision) {
    const Result<std::int64_t> bytes = evaluate(bytes_formula(elements, precision), {});
    return bytes ? std::optional(*bytes) : std::nullopt;
}

Result<CountedModel> count_model(const Architecture& architecture, const Input& input) {
    if (const std::vector<Problem> problems = validate(architecture); !problems.empty()) return problems.front().error;
    if (const std::vector<Error> errors = validate(architecture, input); !errors.empty()) return errors.front();
    CountedModel model{architecture, input, expand(architecture, input), bindings(architecture, input), {}};
    Result<Parameters> parameters = count_parameters(model.graph, model.bindings);
    if (!parameters) return parameters.error();
    model.parameters = std::move(*parameters);
    return model;
}

Result<CountedModel> count_model(const Architecture& architecture) {
    return count_model(architecture, first_input(architecture));
}

Result<CountedModelPtr> counted_model(const Architecture& architecture, const Input& input) {
    Result<CountedModel> model = count_model(architecture, input);
    if (!model) return model.error();
    return std::make_shared<const CountedModel>(std::move(*model));
}

Result<Counted> count(const Architecture& architecture, const Input& input) {
    Result<CountedModel> model = count_model(architecture, input);
    if (!model) return model.error();
    Counted counted{std::move(*model), {}, {}};
    Result<std::vector<ActivationRow>> rows = activations(counted.graph, counted.bindings, input);
    if (!rows) return rows.error();
    Result<std::vector<ActivationRow>> head = head_activations(counted.graph, counted.bindings, input);
    if (!head) return head.error();
    counted.activations = std::move(*rows);
    counted.head = std::move(*head);
    return counted;
}

}  // namespace headcount
