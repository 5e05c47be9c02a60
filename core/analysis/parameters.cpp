// Exact parameter counts, read off a graph.
#include "core/analysis/parameters.hpp"

#include <cassert>
#include <functional>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// Tensors of every layer are summed within one layer and multiplied by L once, as people write it.
Expr formula_over(const ModelGraph& graph, const std::function<bool(const StoredTensor&)>& counts) {
    std::vector<Expr> outside, inside;
    for (const StoredTensor& tensor : graph.stored)
        if (counts(tensor))
            (tensor.copies == Expr(Symbol::layers) ? inside : outside).push_back(tensor_formula(tensor));
    Expr layers = inside.empty() ? Expr(0) : Expr(Symbol::layers) * sum_of(inside);
    return sum_of(outside) + layers;
}

Error sum_overflow(std::string_view what) {
    return {"the sum of " + std::string(what) + " does not fit in 64 bits", "parameters", "make a dimension smaller"};
}

bool add_to(std::int64_t& sum, std::int64_t term) {
    std::optional<std::int64_t> result = checked_add(sum, term);
    if (result) sum = *result;
    return result.has_value();
}

Result<ParameterRow> count_tensor(const ModelGraph& graph, std::size_t index, const Bindings& bindings) {
    const StoredTensor& tensor = graph.stored[index];
    ParameterRow row{index, {}, 0, 0, 0};
    row.shape.reserve(tensor.shape.rank());
    for (const Expr& dimension : tensor.shape.dimensions()) {
        Result<std::int64_t> size = evaluate(dimension, bindings);
        if (!size) return within(tensor.name, size.error());
        row.shape.push_back(*size);
    }
    Expr total = tensor.copies * element_count(tensor.shape);
    Result<std::int64_t> all = evaluate(total, bindings);
    if (!all) return within(tensor.name, all.error());
    row.total = *all;
    row.copies = *evaluate(tensor.copies, bindings);
    row.count = row.total / row.copies;
    return row;
}

}  // namespace

TensorCount count_of(const ModelGraph& graph, const Tensor& parameter, const Bindings& bindings) {
    Result<std::int64_t> one = element_count(parameter.shape, bindings);
    Result<std::int64_t> copies = evaluate(graph.copies(parameter.block), bindings);
    assert(one && copies && "a counted graph's parameters fit in 64 bits");
    return {*one, *copies, *one * *copies};
}

std::optional<Expr> head_share(const Tensor& parameter) {
    bool projects = parameter.part == Part::query || parameter.part == Part::key || parameter.part == Part::value;
    if (parameter.role != Role::parameter || parameter.shape.rank() != 2) return std::nullopt;
    if (projects) return parameter.shape[0] * Symbol::head_dim;
    if (parameter.part == Part::attention_output) return Expr(Symbol::head_dim) * parameter.shape[1];
    return std::nullopt;
}

Expr tensor_formula(const StoredTensor& tensor) {
    // (in) · (out) reads as the matrix is multiplied; fused tensors show their parts' sum.
    const Shape& shape = tensor.shape;
    bool out_first = shape.rank() == 2 && shape[1] == Expr(Symbol::dim);
    return out_first ? shape[1] * shape[0] : element_count(shape);
}

Expr component_formula(const ModelGraph& graph, Component component) {
    return formula_over(graph, [&](const StoredTensor& tensor) { return tensor.component == component; });
}

Expr layer_formula(const ModelGraph& graph) {
    std::vector<Expr> inside;
    for (const StoredTensor& tensor : graph.stored)
        if (tensor.copies == Expr(Symbol::layers)) inside.push_back(tensor_formula(tensor));
    return sum_of(inside);
}

Expr total_formula(const ModelGraph& graph) {
    return formula_over(graph, [](const StoredTensor&) { return true; });
}

Result<Parameters> count_parameters(const ModelGraph& graph, const Bindings& bindings) {
    Parameters result;
    result.tensors.reserve(graph.stored.size());
    std::int64_t looked_up = 0;
    for (std::size_t i = 0; i < graph.stored.size(); ++i) {
        Result<ParameterRow> row = count_tensor(graph, i, bindings);
        if (!row) return row.error();
        const StoredTensor& tensor = graph.stored[i];
        std::int64_t& component = result.by_component[static_cast<std::size_t>(tensor.component)];
        bool fits = add_to(component, row->total) && add_to(result.total, row->total);
        if (tensor.copies == Expr(Symbol::layers))
            fits = fits && add_to(result.per_layer, row->count) && add_to(result.in_layers, row->total);
        if (!fits) return sum_overflow("all tensors up to " + tensor.name);
        bool table = graph.tensors[tensor.parts.front()].part == Part::token_embedding;
        if (table && !graph.tied_head) looked_up = row->total;
        result.tensors.push_back(std::move(*row));
    }
    result.active = result.total;
    result.active_multiplied = result.active - looked_up;
    return result;
}

}  // namespace headcount
