// Which tensors the checkpoint stores, under which names, in which order and orientation.
#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// The parameters that live in a module, weights or biases: three for a fused one, else one.
std::vector<TensorIndex> parameters_of(const ModelGraph& graph, const Module& module, bool bias) {
    std::vector<TensorIndex> found;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        bool fused = module.kind == ModuleKind::fused_qkv && (tensor.part == Part::key || tensor.part == Part::value);
        if (tensor.role == Role::parameter && (tensor.part == module.part || fused) &&
            tensor.id.ends_with(bias ? ".bias" : ".weight"))
            found.push_back(static_cast<TensorIndex>(i));
    }
    return found;
}

// Linear layers are stored [out, in], all else as multiplied; fused parts stand side by side along their outputs.
Shape stored_shape(const ModelGraph& graph, const Module& module, const std::vector<TensorIndex>& parts) {
    const Shape& first = graph.tensors[parts.front()].shape;
    std::vector<Expr> columns;
    for (TensorIndex part : parts) columns.push_back(graph.tensors[part].shape[first.rank() - 1]);
    Expr outputs = sum_of(columns);
    if (first.rank() == 1) return {outputs};
    if (module.kind == ModuleKind::linear) return {outputs, first[0]};
    return {first[0], outputs};
}

}  // namespace

void build_checkpoint(ModelGraph& graph, const Architecture& arch) {
    graph.stored.reserve(graph.tensors.size());
    for (const Module& module : arch.family->modules) {
        if (!module.part) continue;
        for (bool bias : {false, true}) {
            std::vector<TensorIndex> parts = parameters_of(graph, module, bias);
            if (parts.empty()) continue;
            const Tensor& first = graph.tensors[parts.front()];
            graph.stored.push_back({std::string(module.path) + (bias ? ".bias" : ".weight"),
                                    stored_shape(graph, module, parts), graph.copies(first.block), first.component,
                                    std::move(parts)});
        }
    }
}

}  // namespace headcount
