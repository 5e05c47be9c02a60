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
        auto& side = tensor.bias ? found.bias : found.weight;
        side[static_cast<std::size_t>(tensor.part)] = static_cast<TensorIndex>(i);
    }
    return found;
}

bool has(const ByPart& parameters, Part part) {
    const auto index = static_cast<std::size_t>(part);
    return parameters.weight[index] || parameters.bias[index];
}

bool applies(const Module& module, const ByPart& parameters) {
    return (!module.with || has(parameters, *module.with)) && (!module.without || !has(parameters, *module.without));
}

// Where a kind of module keeps its weight and its bias, behind its path.
struct Suffixes {
    std::string_view weight = ".weight", bias = ".bias";
};

Suffixes suffixes(ModuleKind kind) {
    if (kind == ModuleKind::bare || kind == ModuleKind::buffer) return {"", ""};
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
    if (kind == ModuleKind::stacked_linear)
        return first.rank() == 1 ? Shape{Symbol::experts, outputs} : Shape{Symbol::experts, outputs, first[0]};
    if (kind == ModuleKind::each_head) return {first[1]};
    if (kind == ModuleKind::convolution && first.rank() == 2) return {outputs, 1, first[0]};
    if (first.rank() == 1) return {outputs};
    if (kind == ModuleKind::linear) return {outputs, first[0]};
    return {first[0], outputs};
}

class Checkpoint {
  public:
    // Names leave out so many modules at the top of the tree: a model without an output head begins below it.
    Checkpoint(ModelGraph& graph, Joining joining, std::size_t left_out)
        : graph_(graph), joining_(joining), left_out_(left_out), stored_(graph.tensors.size(), false) {}

    // Stores what lives in these modules; `path` leads to the one before them.
    void store(std::span<const Module> modules, std::vector<std::string_view>& path, Layer layer) {
        const ByPart parameters = parameters_of(graph_, layer);
        for (const Module& module : modules) {
            path.resize(static_cast<std::size_t>(module.depth));
            path.push_back(module.name);
            if (module.parts.empty() || !applies(module, parameters)) continue;
            if (module.joining.value_or(joining_) != joining_) continue;
            store(module, path, parameters.weight, suffixes(module.kind).weight, layer);
            store(module, path, parameters.bias, suffixes(module.kind).bias, layer);
        }
    }

    // Parameters that the family's modules have no place for, since no published model of it has them: behind the
    // modules, by their own names.
    void store_rest(std::string_view path, Layer layer) {
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor& tensor = graph_.tensors[i];
            const bool own = tensor.role == Role::parameter || tensor.role == Role::buffer;
            if (!own || stored_[i] || graph_.layer_of(tensor.block) != layer) continue;
            std::string name(path);
            if (layer) {
                const std::string& block = graph_.blocks[graph_.layers[*layer].block].id;
                name += tensor.id.substr(block.size());
            } else {
                name += (name.empty() ? "" : ".") + tensor.id;
            }
            if (const std::size_t at = name.find(".expert."); at != std::string::npos)
                name.insert(at + std::string_view(".expert").size(), "s.{e}");
            const bool linear = tensor.shape.rank() == 2 && tensor.part != Part::token_embedding &&
                                tensor.part != Part::position_embedding && tensor.part != Part::query_norm &&
                                tensor.part != Part::key_norm;
            const ModuleKind kind = linear ? ModuleKind::linear : ModuleKind::bare;
            add({std::move(name),
                 stored_shape(graph_, kind, {static_cast<TensorIndex>(i)}),
                 {},
                 graph_.copies_in_layer(tensor.block),
                 layer,
                 tensor.component,
                 {static_cast<TensorIndex>(i)},
                 kind,
                 Fusing::in_turn,
                 true});
        }
    }

  private:
    // Fills in how many copies there are in all layers.
    void add(StoredTensor tensor) {
        tensor.copies =
            tensor.layer ? graph_.layers_with(graph_.layers[*tensor.layer].block) * tensor.in_layer : Expr(1);
        for (TensorIndex part : tensor.parts) stored_[part] = true;
        const bool buffer = graph_.tensors[tensor.parts.front()].role == Role::buffer;
        (buffer ? graph_.buffers : graph_.stored).push_back(std::move(tensor));
    }

    void store(const Module& module, const std::vector<std::string_view>& path,
               const std::array<std::optional<TensorIndex>, part_count>& side, std::string_view suffix, Layer layer) {
        std::vector<TensorIndex> parts;
        for (Part part : module.parts)
            if (const auto& index = side[static_cast<std::size_t>(part)]; index && !stored_[*index])
                parts.push_back(*index);
        if (parts.empty()) return;
        const Tensor& first = graph_.tensors[parts.front()];
        if (module.kind == ModuleKind::each_head && first.shape.rank() != 2) return;  // one set of weights for all
        // One tensor of all experts is there once in a layer, one norm of each head as often as there are heads.
        Expr in_layer = graph_.copies_in_layer(first.block);
        if (module.kind == ModuleKind::stacked || module.kind == ModuleKind::stacked_linear) in_layer = 1;
        if (module.kind == ModuleKind::each_head) in_layer = first.shape[0];
        add({name(path, suffix),
             stored_shape(graph_, module.kind, parts),
             {},
             std::move(in_layer),
             layer,
             first.component,
             std::move(parts),
             module.kind,
             module.fusing});
    }

  public:
    // "model.layers.{i}" and the suffix.
    std::string name(const std::vector<std::string_view>& path, std::string_view suffix) const {
        std::string name;
        for (std::size_t i = left_out_; i < path.size(); ++i) {
            if (!name.empty()) name += '.';
            name += path[i];
        }
        return name += suffix;
    }

  private:
    ModelGraph& graph_;
    Joining joining_;
    std::size_t left_out_;
    std::vector<bool> stored_;  // of the graph's tensors
};

}  // namespace

void build_checkpoint(ModelGraph& graph, const Architecture& arch) {
    graph.stored.reserve(graph.tensors.size());
    const std::span<const Module> modules = arch.family->modules;
    const auto layer = std::find_if(modules.begin(), modules.end(),
                                    [](const Module& module) { return module.kind == ModuleKind::layer; });
    const auto after =
        std::find_if(layer + 1, modules.end(), [&](const Module& module) { return module.depth <= layer->depth; });
    const std::size_t left_out = has_head(arch) ? 1 : 2;
    Checkpoint checkpoint(graph, arch.layer.joining, left_out);
    std::vector<std::string_view> path;
    checkpoint.store({modules.begin(), layer}, path, std::nullopt);
    std::vector<std::string_view> layers = path;
    layers.resize(static_cast<std::size_t>(layer->depth));
    const std::string inside = checkpoint.name(layers, "." + std::string(layer->name));
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        checkpoint.store({layer, after}, path, i);
        checkpoint.store_rest(inside, i);
    }
    checkpoint.store({after, modules.end()}, path, std::nullopt);
    checkpoint.store_rest(has_head(arch) ? arch.family->base_path() : "", std::nullopt);
}

}  // namespace headcount
