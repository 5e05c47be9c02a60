// Which tensors the checkpoint stores, under which names, in which order and orientation.
#include <algorithm>

#include "core/graph/builder.hpp"

namespace headcount {
namespace {

// The parameters of one layer, or of the model outside of its layers, by the part that they play.
struct ByPart {
    std::array<std::optional<TensorIndex>, part_count> weight, bias;
};

using Layer = std::optional<std::size_t>;  // index into graph.layers

ByPart parameters_of(const ModelGraph& graph, Layer layer) {
    ByPart found;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& tensor = graph.tensors[i];
        if (tensor.role != Role::parameter && tensor.role != Role::buffer) continue;
        if (graph.layer_of(tensor.block) != layer) continue;
        auto& side = tensor.id.ends_with(".bias") ? found.bias : found.weight;
        side[static_cast<std::size_t>(tensor.part)] = static_cast<TensorIndex>(i);
    }
    return found;
}

// Where a kind of module keeps its weight and its bias, behind its path.
struct Suffixes {
    std::string_view weight = ".weight", bias = ".bias";
};

Suffixes suffixes(ModuleKind kind) {
    if (kind == ModuleKind::bare || kind == ModuleKind::buffer) return {"", ".bias"};
    if (kind == ModuleKind::stacked) return {"", "_bias"};
    return {};
}

// Linear layers are stored [out, in], all else as multiplied; parts that are fused stand side by side along their
// outputs, stacked ones behind the number of experts.
Shape stored_shape(const ModelGraph& graph, ModuleKind kind, const std::vector<TensorIndex>& parts) {
    const Shape& first = graph.tensors[parts.front()].shape;
    std::vector<Expr> columns;
    for (TensorIndex part : parts) columns.push_back(graph.tensors[part].shape[first.rank() - 1]);
    Expr outputs = sum_of(columns);
    if (kind == ModuleKind::stacked)
        return first.rank() == 1 ? Shape{Symbol::experts, outputs} : Shape{Symbol::experts, first[0], outputs};
    if (kind == ModuleKind::each_head) return {first[1]};
    if (first.rank() == 1) return {outputs};
    if (kind == ModuleKind::linear) return {outputs, first[0]};
    return {first[0], outputs};
}

class Checkpoint {
  public:
    explicit Checkpoint(ModelGraph& graph) : graph_(graph) {}

    // Stores what lives in these modules; `path` leads to the one before them.
    void store(std::span<const Module> modules, std::vector<std::string_view>& path, Layer layer) {
        const ByPart parameters = parameters_of(graph_, layer);
        for (const Module& module : modules) {
            path.resize(static_cast<std::size_t>(module.depth));
            path.push_back(module.name);
            if (module.parts.empty()) continue;
            store(module, path, parameters.weight, suffixes(module.kind).weight, layer);
            store(module, path, parameters.bias, suffixes(module.kind).bias, layer);
        }
    }

  private:
    void store(const Module& module, const std::vector<std::string_view>& path,
               const std::array<std::optional<TensorIndex>, part_count>& side, std::string_view suffix, Layer layer) {
        std::vector<TensorIndex> parts;
        for (Part part : module.parts)
            if (const auto& index = side[static_cast<std::size_t>(part)]) parts.push_back(*index);
        if (parts.empty()) return;
        const Tensor& first = graph_.tensors[parts.front()];
        // One tensor of all experts is there once in a layer, one norm of each head as often as there are heads.
        Expr in_layer = graph_.copies_in_layer(first.block);
        if (module.kind == ModuleKind::stacked) in_layer = 1;
        if (module.kind == ModuleKind::each_head) in_layer = first.shape[0];
        Expr copies = layer ? graph_.blocks[graph_.layers[*layer].block].repeat * in_layer : Expr(1);
        auto& into = module.kind == ModuleKind::buffer ? graph_.buffers : graph_.stored;
        into.push_back({name(path, suffix), stored_shape(graph_, module.kind, parts), std::move(copies),
                        std::move(in_layer), layer, first.component, std::move(parts)});
    }

    static std::string name(const std::vector<std::string_view>& path, std::string_view suffix) {
        std::string name;
        for (std::string_view part : path) {
            if (!name.empty()) name += '.';
            name += part;
        }
        return name += suffix;
    }

    ModelGraph& graph_;
};

}  // namespace

void build_checkpoint(ModelGraph& graph, const Architecture& arch) {
    graph.stored.reserve(graph.tensors.size());
    const std::span<const Module> modules = arch.family->modules;
    const auto layer = std::find_if(modules.begin(), modules.end(),
                                    [](const Module& module) { return module.kind == ModuleKind::layer; });
    const auto after =
        std::find_if(layer + 1, modules.end(), [&](const Module& module) { return module.depth <= layer->depth; });
    Checkpoint checkpoint(graph);
    std::vector<std::string_view> path;
    checkpoint.store({modules.begin(), layer}, path, std::nullopt);
    for (std::size_t i = 0; i < graph.layers.size(); ++i) checkpoint.store({layer, after}, path, i);
    checkpoint.store({after, modules.end()}, path, std::nullopt);
}

}  // namespace headcount
