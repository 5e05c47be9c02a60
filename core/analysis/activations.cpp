// The shape and size of every activation, read off a graph.
#include "core/analysis/activations.hpp"

#include <algorithm>
#include <array>

#include "core/analysis/memory.hpp"
#include "core/base/checked.hpp"

namespace headcount {
namespace {

// Copies within a layer, in the whole model, both times the batch.
struct Copies {
    Expr in_layer, all;
};

Copies copies_of(const ModelGraph& graph, BlockIndex block) {
    return {Expr(Symbol::batch) * graph.runs_in_layer(block), Expr(Symbol::batch) * graph.runs(block)};
}

Result<ActivationRow> size_of(const ModelGraph& graph, TensorIndex index, const Bindings& bindings,
                              Precision precision) {
    const Tensor& tensor = graph.tensors[index];
    bool vector = tensor.shape.rank() == 1;
    Copies copies = copies_of(graph, tensor.block);
    const Expr formulas[] = {vector ? Expr(1) : tensor.shape[0], tensor.shape[vector ? 0 : 1],
                             element_count(tensor.shape), copies.all, copies.in_layer};
    std::array<std::int64_t, 5> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        Result<std::int64_t> number = evaluate(formulas[i], bindings);
        if (!number) return within(tensor.id, number.error());
        numbers[i] = *number;
    }
    std::optional<std::int64_t> bytes = bytes_of(numbers[2], precision);
    std::optional<std::int64_t> everywhere = bytes ? checked_multiply(*bytes, numbers[3]) : std::nullopt;
    if (!everywhere)
        return Error{"the bytes of " + shape_in_symbols(tensor.shape) + " = " +
                         shape_in_numbers(tensor.shape, bindings) + " in all copies do not fit in 64 bits",
                     tensor.id, "give fewer tokens or a smaller batch"};
    return ActivationRow{index, numbers[0], numbers[1], numbers[2], *bytes, numbers[3], numbers[4]};
}

template <class Wanted>
Result<std::vector<ActivationRow>> rows_where(const ModelGraph& graph, const Bindings& bindings, Precision precision,
                                              const Wanted& wanted) {
    std::vector<ActivationRow> rows;
    rows.reserve(graph.nodes.size());
    for (const Node& node : graph.nodes) {
        if (!wanted(graph.tensors[node.output])) continue;
        Result<ActivationRow> row = size_of(graph, node.output, bindings, precision);
        if (!row) return row.error();
        rows.push_back(*row);
    }
    return rows;
}

}  // namespace

Result<std::vector<ActivationRow>> activations(const ModelGraph& graph, const Bindings& bindings, Precision precision) {
    return rows_where(graph, bindings, precision, [](const Tensor& tensor) { return !tensor.view; });
}

namespace {

// The tensors of one head in the order of a worksheet: its input is what the query projection reads, or the bottleneck
// before it; its end what the output projection makes.
std::vector<TensorIndex> tensors_of_head(const ModelGraph& graph, BlockIndex head) {
    std::vector<TensorIndex> tensors;
    std::optional<TensorIndex> output;
    for (const Node& node : graph.nodes) {
        if (node.op != Op::linear || !graph.inside(node.block, *graph.blocks[head].parent)) continue;
        const Part part = graph.tensors[node.output].part;
        if (tensors.empty() && (part == Part::query || part == Part::query_down))
            tensors.push_back(node.inputs.front());
        if (part == Part::attention_output) output = node.output;
    }
    for (const Node& node : graph.nodes)
        if (node.block == head) tensors.push_back(node.output);
    tensors.push_back(*output);
    return tensors;
}

}  // namespace

Result<std::vector<ActivationRow>> head_activations(const ModelGraph& graph, const Bindings& bindings,
                                                    Precision precision) {
    std::vector<ActivationRow> rows;
    for (const LayerBlock& layer : graph.layers) {
        const Block* head = graph.find_block(graph.blocks[layer.block].id + ".attention.head");
        for (TensorIndex tensor : tensors_of_head(graph, static_cast<BlockIndex>(head - graph.blocks.data()))) {
            Result<ActivationRow> row = size_of(graph, tensor, bindings, precision);
            if (!row) return row.error();
            rows.push_back(*row);
        }
    }
    return rows;
}

std::optional<std::int64_t> cache_bytes_per_token(const ModelGraph& graph, const Bindings& bindings,
                                                  Precision precision) {
    Expr bytes = 0;
    for (const Tensor& tensor : graph.tensors)
        if (tensor.role == Role::cache)
            bytes = bytes + graph.copies(tensor.block) * bytes_formula(tensor.shape[1], precision);
    const Result<std::int64_t> count = evaluate(bytes, bindings);
    return count ? std::optional(*count) : std::nullopt;
}

std::optional<std::int64_t> bytes_of(std::int64_t elements, Precision precision) {
    const Result<std::int64_t> bytes = evaluate(bytes_formula(elements, precision), {});
    return bytes ? std::optional(*bytes) : std::nullopt;
}

}  // namespace headcount
