// Which tensors the checkpoint stores, under which names and in which order.
#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "core/arch/class_form.hpp"
#include "core/graph/builder.hpp"
#include "core/graph/stored_shape.hpp"

namespace headcount {
namespace {

// The parameters of one layer, or of the model outside of its layers, by the part that they play.
struct ByPart {
    std::array<std::optional<TensorIndex>, part_count> weight, bias;
};

using Layer = std::optional<std::size_t>;  // index into graph.layers

bool has(const ByPart& parameters, Part part) {
    const auto index = static_cast<std::size_t>(part);
    return parameters.weight[index] || parameters.bias[index];
}

bool applies(const Module& module, const ByPart& parameters) {
    return (!module.with || has(parameters, *module.with)) && (!module.without || !has(parameters, *module.without));
}

class Checkpoint {
  public:
    // Names leave out so many modules at the top of the tree: a model without an output head begins below it.
    Checkpoint(ModelGraph& graph, const Architecture& arch, std::size_t left_out)
        : graph_(graph), arch_(arch), left_out_(left_out), stored_(graph.tensors.size(), false) {
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            const Tensor& tensor = graph.tensors[i];
            if (tensor.role != Role::parameter && tensor.role != Role::buffer) continue;
            const Layer layer = graph.layer_in_files(tensor);
            own_[tensor.shared_in ? graph.layer_of(tensor.block) : layer].push_back(i);
            read_[layer].push_back(i);
        }
    }

    // Stores what lives in these modules; `path` leads to the one before them.
    void store(std::span<const Module> modules, std::vector<std::string_view>& path, Layer layer, BlockIndex stack) {
        const std::array<ByPart, 2> all = parameters_of(layer, stack);
        // What the layers of a stack share, the first of them keeps.
        const ByPart of_stack = layer ? parameters_of(std::nullopt, stack)[0] : ByPart{};
        const Module *cross = nullptr, *shared = nullptr;
        std::vector<Counted> counted;
        for (const Module& module : modules) {
            if (!counted.empty() && !is_counted(path, static_cast<std::size_t>(module.depth))) store_in_turn(counted);
            go_to(module, path);
            if (cross && module.depth <= cross->depth) cross = nullptr;
            if (shared && module.depth <= shared->depth) shared = nullptr;
            if (module.kind == ModuleKind::cross) cross = &module;
            if (module.kind == ModuleKind::shared) shared = &module;
            const ByPart& parameters = all[cross || module.kind == ModuleKind::cross_norm];
            if (module.parts.empty() || !applies(module, parameters)) continue;
            if (module.joining.value_or(arch_.layer.joining) != arch_.layer.joining) continue;
            if (is_counted(path, path.size())) {
                count_each(module, path, stack, counted);
                continue;
            }
            const std::vector<std::string> numbered = shared ? of_set(path, *layer) : std::vector<std::string>();
            const std::vector<std::string_view> place =
                shared ? std::vector<std::string_view>(numbered.begin(), numbered.end()) : path;
            if (module.kind != ModuleKind::bare_bias)
                store(module, place, parameters.weight, suffixes(module.kind).weight, layer);
            store(module, place, parameters.bias, suffixes(module.kind).bias, layer);
            store(module, in_first_layer(path), of_stack.weight, suffixes(module.kind).weight, std::nullopt);
        }
        store_in_turn(counted);
    }

    // Stores all: the modules in turn, those of a layer for each of the stack's groups.
    void store_all(std::span<const Module> modules, std::string_view base) {
        std::vector<std::string_view> path;
        // What stands before two stacks is of neither.
        BlockIndex stack = graph_.has_encoder() ? 0 : last_stack();
        while (!modules.empty()) {
            const Module& first = modules.front();
            if (is_stack(first.kind) && lacks(arch_, first.kind)) {
                const auto behind = [&](const Module& module) { return module.depth <= first.depth; };
                modules = {std::find_if(modules.begin() + 1, modules.end(), behind), modules.end()};
                continue;
            }
            if (is_stack(first.kind))
                stack = first.kind == ModuleKind::encoder ? graph_.stack_of(graph_.layers.front().block) : last_stack();
            const bool repeated = first.kind == ModuleKind::layer;
            const auto end = std::find_if(modules.begin() + 1, modules.end(), [&](const Module& module) {
                const bool divides = module.kind == ModuleKind::layer || is_stack(module.kind);
                return repeated ? module.depth <= first.depth : divides;
            });
            if (repeated) {
                const auto next = std::find_if(end, modules.end(), [](const Module& module) {
                    return module.kind == ModuleKind::layer || is_stack(module.kind);
                });
                store_layers({modules.begin(), end}, path, stack,
                             next == modules.end() || next->kind != ModuleKind::layer);
            } else if (end != modules.end() && end->kind == ModuleKind::encoder && lacks(arch_, end->kind)) {
                // What stands before two stacks is of both: a decoder alone has it at its own place, where it has one.
                for (const Module& module : modules.first(static_cast<std::size_t>(end - modules.begin()))) {
                    if (!has_place({end, modules.end()}, module, stack)) store({&module, 1}, path, std::nullopt, stack);
                    go_to(module, path);
                }
            } else {
                store({modules.begin(), end}, path, std::nullopt, stack);
            }
            modules = {end, modules.end()};
        }
        const std::string before = base.empty() ? "" : std::string(base) + ".";
        for (std::size_t i = 0; i < graph_.layers.size(); ++i)
            store_rest(before + graph_.blocks[graph_.layers[i].block].id + ".{i}", i);
        store_rest(base, std::nullopt);
    }

    // As the model's file names what was stored.
    void name_as_written() {
        for (auto* list : {&graph_.stored, &graph_.buffers})
            for (StoredTensor& tensor : *list) tensor.name = name_in_file(arch_, std::move(tensor.name));
    }

    // Stores what a whole file holds beside its text part, by its own names.
    void store_senses() {
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor& tensor = graph_.tensors[i];
            if (!is_sense(tensor.component)) continue;
            const Expr copies = graph_.copies(tensor.block);
            const std::string own = tensor.id.substr(graph_.blocks[tensor.block].id.size() + 1);
            add({.name = as_written(arch_, std::string(arch_.whole->type->names.before) + own),
                 .shape = tensor.scalar ? Shape{} : tensor.shape,
                 .in_layer = copies,
                 .component = tensor.component,
                 .parts = {static_cast<TensorIndex>(i)},
                 .kind = ModuleKind::bare});
            (tensor.role == Role::buffer ? graph_.buffers : graph_.stored).back().copies = copies;
        }
    }

  private:
    // Of a stack, and of what all stacks share.
    std::array<ByPart, 2> parameters_of(Layer layer, BlockIndex stack) {
        std::array<ByPart, 2> by_side;  // those of attention to the other stack by themselves
        for (const std::size_t i : read_[layer]) {
            const Tensor& tensor = graph_.tensors[i];
            if (const BlockIndex own = graph_.stack_of(tensor.block); own != stack && own != 0) continue;
            ByPart& found = by_side[graph_.within(tensor.block, BlockKind::cross)];
            (tensor.bias ? found.bias : found.weight)[static_cast<std::size_t>(tensor.part)] =
                static_cast<TensorIndex>(i);
        }
        return by_side;
    }

    static std::vector<std::string_view> in_first_layer(std::vector<std::string_view> path) {
        std::ranges::replace(path, "{i}", "0");
        return path;
    }

    // The path in the first layer that has the same set of what layers share, with the number of this one among all.
    std::vector<std::string> of_set(const std::vector<std::string_view>& path, std::size_t layer) const {
        const std::optional<SharedUse>& own = graph_.layers[layer].group.kind.shared;
        const auto first = std::ranges::find_if(graph_.layers, [&](const LayerBlock& each) {
            const std::optional<SharedUse>& other = each.group.kind.shared;
            return own && other && other->set == own->set;
        });
        std::vector<std::string> numbered(path.begin(), path.end());
        for (std::string& name : numbered) {
            if (name == "{i}" && first != graph_.layers.end()) name = std::to_string(first->group.first);
            if (const std::size_t at = name.find("{u}"); own && at != std::string::npos)
                name.replace(at, 3, std::to_string(own->which));
        }
        return numbered;
    }

    // A tensor of which the file has several, in modules that a list counts.
    struct Counted {
        std::int64_t number;
        StoredTensor tensor;
    };

    // Whether what is so far down counts several of the same part, one behind the other: from 0, {j}, or from 1, {n}.
    static bool is_counted(const std::vector<std::string_view>& path, std::size_t depth) {
        return std::ranges::any_of(std::span(path).first(depth), [](std::string_view name) {
            return name.find("{j}") != std::string_view::npos || name.find("{n}") != std::string_view::npos;
        });
    }

    // Stores what was counted: modules of one list's place together.
    void store_in_turn(std::vector<Counted>& all) {
        std::ranges::stable_sort(all, {}, &Counted::number);
        for (Counted& each : all) add(std::move(each.tensor));
        all.clear();
    }

    // All tensors of the module's part in this stack, in their order.
    void count_each(const Module& module, const std::vector<std::string_view>& path, BlockIndex stack,
                    std::vector<Counted>& all) {
        std::int64_t seen = 0;  // a bias is of the weight before it
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor& tensor = graph_.tensors[i];
            const BlockIndex own = graph_.stack_of(tensor.block);
            if (tensor.role != Role::parameter || tensor.part != *module.parts.begin() || stored_[i]) continue;
            if (own != stack && own != 0) continue;
            const std::int64_t number = tensor.bias ? seen - 1 : seen++;
            std::string counted = name(path, tensor.bias ? suffixes(module.kind).bias : suffixes(module.kind).weight);
            for (const auto& [sign, first] : {std::pair("{j}", 0), std::pair("{n}", 1)})
                if (const std::size_t at = counted.find(sign); at != std::string::npos)
                    counted.replace(at, 3, std::to_string(number + first));
            const std::vector<TensorIndex> parts{static_cast<TensorIndex>(i)};
            graph_.tensors[i].linear = is_linear(graph_, module, tensor);
            const Shape shape = stored_shape(graph_, module.kind, parts);
            all.push_back(
                {number, {counted, shape, {}, 1, std::nullopt, tensor.component, parts, module.kind, module.fusing}});
            stored_[i] = true;
        }
    }

    // Whether what lives in this module does so in one of these, too.
    bool has_place(std::span<const Module> modules, const Module& module, BlockIndex stack) {
        const ByPart parameters = parameters_of(std::nullopt, stack)[0];
        return std::ranges::any_of(modules, [&](const Module& each) {
            return std::ranges::equal(each.parts, module.parts) && applies(each, parameters);
        });
    }

    static void go_to(const Module& module, std::vector<std::string_view>& path) {
        path.resize(static_cast<std::size_t>(module.depth));
        path.push_back(module.name);
    }

    // The decoder of two, or the model itself: whose modules those of a family without stacks are.
    BlockIndex last_stack() const { return graph_.stack_of(graph_.layers.back().block); }

    // `last`: no other modules of the stack are of layers too (XLM has a list of each sub-block's).
    void store_layers(std::span<const Module> modules, std::vector<std::string_view>& path, BlockIndex stack,
                      bool last) {
        go_to(modules.front(), path);
        const std::string inside = name(path, "");
        for (std::size_t i = 0; i < graph_.layers.size(); ++i) {
            if (graph_.stack_of(graph_.layers[i].block) != stack) continue;
            store(modules, path, i, stack);
            if (last) store_rest(inside, i);
        }
    }

    // Parameters that the family's modules have no place for, since no published model of it has them: behind the
    // modules, by their own names.
    void store_rest(std::string_view path, Layer layer) {
        for (const std::size_t i : own_[layer]) {
            const Tensor& tensor = graph_.tensors[i];
            if (stored_[i]) continue;
            if (is_sense(tensor.component) && graph_.blocks[tensor.block].kind == BlockKind::sense) continue;
            if (tensor.role == Role::buffer && tensor.part == Part::position_embedding) continue;  // in no file
            std::string name(path);
            if (layer) {
                const std::string& block = graph_.blocks[graph_.layers[*layer].block].id;
                name += tensor.id.substr(block.size());
            } else {
                const bool of_whole = tensor.part == Part::beside && tensor.component == Component::output;
                name = of_whole || name.empty() ? tensor.id : name + "." + tensor.id;
                const std::string base = std::string(arch_.family->base_path()) + ".";
                if (left_out_ > 1 && name.starts_with(base)) name.erase(0, base.size());
            }
            if (const std::size_t at = name.find(".expert."); at != std::string::npos)
                name.insert(at + std::string_view(".expert").size(), "s.{e}");
            const bool linear = tensor.shape.rank() == 2 && !is_extra(tensor.part) &&
                                tensor.part != Part::token_embedding && tensor.part != Part::position_embedding &&
                                tensor.part != Part::query_norm && tensor.part != Part::key_norm;
            const ModuleKind kind = linear ? ModuleKind::linear : ModuleKind::bare;
            if (linear) graph_.tensors[i].linear = !graph_.within(tensor.block, BlockKind::expert);
            add({std::move(name),
                 stored_shape(graph_, kind, {static_cast<TensorIndex>(i)}),
                 {},
                 graph_.copies_in_layer(tensor.block),
                 layer,
                 tensor.component,
                 {static_cast<TensorIndex>(i)},
                 kind,
                 Fusing::in_turn,
                 !is_extra(tensor.part)});
        }
    }

    // Fills in how many copies there are in all layers.
    void add(StoredTensor tensor) {
        tensor.copies =
            tensor.layer ? graph_.layers_with(graph_.layers[*tensor.layer].block) * tensor.in_layer : Expr(1);
        for (TensorIndex part : tensor.parts) stored_[part] = true;
        const Role role = graph_.tensors[tensor.parts.front()].role;
        (role == Role::buffer ? graph_.buffers : graph_.stored).push_back(std::move(tensor));
    }

    void store(const Module& module, const std::vector<std::string_view>& path,
               const std::array<std::optional<TensorIndex>, part_count>& side, std::string_view suffix, Layer layer) {
        std::vector<TensorIndex> parts;
        for (Part part : module.parts)
            if (const auto& index = side[static_cast<std::size_t>(part)]; index && !stored_[*index])
                if (parts.empty() || module.kind == ModuleKind::embedding || reads_as_much(parts.front(), *index))
                    parts.push_back(*index);
        if (parts.empty()) return;
        const Tensor& first = graph_.tensors[parts.front()];
        for (const TensorIndex part : parts)
            graph_.tensors[part].linear = is_linear(graph_, module, graph_.tensors[part]);
        if (module.kind == ModuleKind::embedding && first.role == Role::buffer) return;  // sines, computed where read
        if (module.kind == ModuleKind::each_head && first.shape.rank() != 2) return;     // one set of weights for all
        // One tensor of all experts is there once in a layer, one norm of each head as often as there are heads.
        Expr in_layer = graph_.copies_in_layer(first.block);
        if (is_stacked(module.kind)) in_layer = 1;
        if (module.kind == ModuleKind::each_head) in_layer = first.shape[0];
        const bool once = first.shared_in.has_value();
        add({name(once ? in_first_layer(path) : path, suffix),
             stored_shape(graph_, module.kind, parts),
             {},
             std::move(in_layer),
             once ? std::nullopt : layer,
             first.component,
             std::move(parts),
             module.kind,
             module.fusing,
             false,
             module.pieces});
    }

    // Whether two can stand side by side along their outputs: an edited model may make one of them of something else.
    bool reads_as_much(TensorIndex first, TensorIndex other) const {
        const Shape &a = graph_.tensors[first].shape, &b = graph_.tensors[other].shape;
        return a.rank() == b.rank() && (a.rank() < 2 || a[0] == b[0]);
    }

    // "model.layers.{i}" and the suffix.
    std::string name(const std::vector<std::string_view>& path, std::string_view suffix) const {
        std::string name;
        for (std::size_t i = left_out_; i < path.size(); ++i) {
            if (!name.empty()) name += '.';
            name += path[i];
        }
        return name += suffix;
    }

    ModelGraph& graph_;
    const Architecture& arch_;
    std::size_t left_out_;
    std::vector<bool> stored_;  // of the graph's tensors
    // Parameters and buffers, by the layers in which they stand, and by those that read them.
    std::map<Layer, std::vector<std::size_t>> own_, read_;
};

}  // namespace

void build_checkpoint(ModelGraph& graph, const Architecture& arch) {
    const bool whole = has_head(arch);
    const std::string_view base = arch.family->base_path();
    Checkpoint checkpoint(graph, arch, whole || base.empty() ? 1 : 2);
    const std::vector<Module> modules = modules_of(arch);
    checkpoint.store_all(modules, whole ? base : std::string_view());
    checkpoint.name_as_written();
    if (arch.whole) checkpoint.store_senses();
}

}  // namespace headcount
