// What the graph answers to a reference: sizes of a tensor, sums over parameters, and their bytes.
#include <array>

#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

struct ByteSum {
    const CountedModel& model;
    std::span<const CountedTensor> counted;
    std::vector<bool> done = std::vector<bool>(counted.size(), false);

    Expr operator()() {
        std::vector<Expr> terms;
        for (const StoredTensor& stored : model.graph.stored)
            if (take_whole(stored)) terms.push_back(weights.bytes(model.graph, stored));
        for (std::size_t i = 0; i < counted.size(); ++i)
            if (!done[i]) terms.push_back(bytes(counted[i]));
        return sum_of(terms);
    }

    StoredWeights weights = StoredWeights(model.architecture, model.graph, model.input.precision);

    // Of some layers in the first one's format.
    Expr bytes(const CountedTensor& part) const {
        const Tensor& tensor = model.graph.tensors[part.tensor];
        if (tensor.role == Role::parameter) return weights.some(model.graph, part.tensor, part.times);
        return part.times * bytes_formula(element_count(tensor.shape), model.input.precision.rest);
    }

    // Whether each part of it is counted as often as there are copies; these are then done.
    bool take_whole(const StoredTensor& stored) {
        std::vector<std::size_t> taken;
        for (const TensorIndex part : stored.parts)
            for (std::size_t i = 0; i < counted.size(); ++i)
                if (!done[i] && counted[i].tensor == part && in_all_copies(counted[i])) {
                    taken.push_back(i);
                    break;
                }
        if (taken.size() != stored.parts.size()) return false;
        for (const std::size_t i : taken) done[i] = true;
        return true;
    }

    bool in_all_copies(const CountedTensor& counted) const {
        const Expr copies = model.graph.copies(model.graph.tensors[counted.tensor].block);
        const Result<std::int64_t> times = evaluate(counted.times, model.bindings),
                                   all = evaluate(copies, model.bindings);
        return times && all && *times == *all;
    }
};

constexpr std::array<std::string_view, 5> whole_words{"model", "layers", "active", "cache", "biases"};

struct Asker {
    const CountedModel& model;
    Resolved& into;
    const ModelGraph& graph = model.graph;
    bool without_norms = false;

    Result<Expr> ask(const Reference& asked) {
        without_norms = asked.without_norms;
        if (asked.quantity == "shape") return shape(asked);
        if (asked.quantity == "rows" || asked.quantity == "columns") {
            const Tensor* tensor = named(asked.subject);
            if (!tensor) return unknown(asked.subject, false);
            const bool vector = tensor->shape.rank() == 1;
            if (asked.quantity == "rows") return vector ? Expr(1) : tensor->shape[0];
            return tensor->shape[vector ? 0 : 1];
        }
        if (asked.quantity == "elements") return elements(asked.subject);
        if (asked.quantity == "copies") return copies(asked.subject);
        if (asked.quantity == "bytes") return bytes(asked.subject);
        return count(asked.subject, asked.quantity == "all");
    }

    const Tensor* named(std::string_view id) {
        const Tensor* tensor = graph.find(id);
        if (tensor) into.ids.emplace_back(id);
        return tensor;
    }

    Error unknown(std::string_view subject, bool sums) const {
        std::vector<std::string_view> known = sums ? graph.place_ids() : graph.tensor_ids();
        if (sums) {
            for (Component component : components) known.push_back(component_key(component));
            known.insert(known.end(), whole_words.begin(), whole_words.end());
        }
        return {model.architecture.name + " has no " + quote(subject), "",
                did_you_mean(subject, known, "\"headcount shapes\" lists the ids")};
    }

    Result<Expr> shape(const Reference& asked) {
        const Tensor* tensor = named(asked.subject);
        if (!tensor) return unknown(asked.subject, false);
        const bool vector = tensor->shape.rank() == 1;
        into.columns = tensor->shape[vector ? 0 : 1];
        return vector ? Expr(1) : tensor->shape[0];
    }

    Result<Expr> elements(std::string_view subject) {
        if (subject == "cache") {
            for (const CountedTensor& kept : in_cache()) into.ids.push_back(graph.tensors[kept.tensor].id);
            return cached();
        }
        const Tensor* tensor = named(subject);
        if (!tensor) return unknown(subject, false);
        return element_count(tensor->shape);
    }

    Result<Expr> copies(std::string_view subject) {
        if (const Tensor* tensor = named(subject)) return graph.copies(tensor->block);
        const Block* block = graph.find_block(subject);
        if (!block || subject.empty()) return unknown(subject, true);
        into.ids.emplace_back(subject);
        return graph.copies(static_cast<BlockIndex>(block - graph.blocks.data()));
    }

    Result<Expr> bytes(std::string_view subject) {
        const Tensor* tensor = graph.find(subject);
        const bool parameters = subject != "cache" && !(tensor && tensor->role != Role::parameter);
        const std::size_t before = into.counted.size();
        Result<Expr> numbers = parameters ? count(subject, false) : elements(subject);
        if (!numbers) return numbers;
        into.bytes = true;
        if (parameters) return stored_bytes(model, *numbers, std::span(into.counted).subspan(before));
        if (subject == "cache") return stored_bytes(model, *numbers, in_cache());
        return stored_bytes(model, *numbers, std::array{CountedTensor{index_of(*tensor), 1}});
    }

    TensorIndex index_of(const Tensor& tensor) const {
        return static_cast<TensorIndex>(&tensor - graph.tensors.data());
    }

    // Keys and values (or their bottleneck) that are kept, in all layers, of all sequences.
    std::vector<CountedTensor> in_cache() const {
        std::vector<CountedTensor> kept;
        for (const Tensor& tensor : graph.tensors)
            if (tensor.role == Role::cache)
                kept.push_back({index_of(tensor), graph.copies(tensor.block) * Expr(Symbol::batch)});
        return kept;
    }
    Expr cached() const {
        std::vector<Expr> terms;
        for (const CountedTensor& kept : in_cache())
            terms.push_back(kept.times * element_count(graph.tensors[kept.tensor].shape));
        return sum_of(terms);
    }

    bool counts(const Tensor& tensor) const {
        return tensor.role == Role::parameter && !(without_norms && tensor.component == Component::norm);
    }

    // The sum over the parameters that `times` gives a number of copies.
    template <class Times>
    Expr sum(const Times& times) {
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
            const Tensor& tensor = graph.tensors[i];
            if (!counts(tensor)) continue;
            const std::optional<Expr> copies = times(tensor);
            if (!copies) continue;
            terms.push_back(*copies * element_count(tensor.shape));
            into.counted.push_back({static_cast<TensorIndex>(i), *copies});
        }
        return sum_of(terms);
    }

    Result<Expr> count(std::string_view subject, bool all) {
        if (const Tensor* tensor = named(subject)) return one_tensor(*tensor, all);
        if (subject == "model" || subject == "active")
            return layerwise([](const Tensor&) { return true; }, subject == "active");
        if (subject == "layers")
            return layerwise([&](const Tensor& tensor) { return graph.layer_in_files(tensor).has_value(); });
        if (subject == "biases") return layerwise([](const Tensor& tensor) { return tensor.bias; });
        for (Component component : components)
            if (subject == component_key(component))
                return layerwise([&](const Tensor& tensor) { return tensor.component == component; });
        const Block* block = subject.empty() ? nullptr : graph.find_block(subject);
        if (!block) return unknown(subject, true);
        into.ids.emplace_back(subject);
        const auto outer = static_cast<BlockIndex>(block - graph.blocks.data());
        return sum([&](const Tensor& tensor) -> std::optional<Expr> {
            if (tensor.shared_in && graph.inside(*tensor.shared_in, outer)) return graph.copies(tensor.block);
            if (!graph.inside(tensor.block, outer)) return std::nullopt;
            const Expr within = copies_within(graph, tensor.block, outer);
            return all ? graph.copies(outer) * within : within;
        });
    }

    Result<Expr> one_tensor(const Tensor& tensor, bool all) {
        if (tensor.role != Role::parameter && !all)
            return Error{tensor.id + " holds no parameters", "", "write elements of " + tensor.id};
        if (tensor.role == Role::parameter)
            return sum([&](const Tensor& other) -> std::optional<Expr> {
                if (&other != &tensor) return std::nullopt;
                return all ? graph.copies(tensor.block) : Expr(1);
            });
        return graph.runs(tensor.block) * Expr(Symbol::batch) * element_count(tensor.shape);
    }

    // As people write it: what is in layers summed within one, times their number. Of all copies, or of those that run.
    template <class Wanted>
    Expr layerwise(const Wanted& wanted, bool running = false) {
        auto copies = [&](BlockIndex block) { return running ? graph.runs(block) : graph.copies(block); };
        auto in = [&](std::optional<std::size_t> layer) {
            return sum([&](const Tensor& tensor) -> std::optional<Expr> {
                if (!wanted(tensor) || graph.layer_of(tensor.block) != layer) return std::nullopt;
                return copies(tensor.block);
            });
        };
        std::vector<Expr> terms{in(std::nullopt)};
        for (std::size_t i = 0; i < graph.layers.size(); ++i) {
            const Expr& repeat = graph.blocks[graph.layers[i].block].repeat;
            std::vector<Expr> inside;
            for (std::size_t k = 0; k < graph.tensors.size(); ++k) {
                const Tensor& tensor = graph.tensors[k];
                if (!counts(tensor) || !wanted(tensor) || graph.layer_of(tensor.block) != i) continue;
                const bool active = copies(tensor.block) != graph.copies(tensor.block);
                const Expr times = active ? graph.runs_in_layer(tensor.block) : graph.copies_in_layer(tensor.block);
                inside.push_back(times * element_count(tensor.shape));
                into.counted.push_back({static_cast<TensorIndex>(k), repeat * times});
            }
            if (!inside.empty()) terms.push_back(repeat * sum_of(inside));
        }
        return sum_of(terms);
    }
};

}  // namespace

Expr copies_within(const ModelGraph& graph, BlockIndex block, BlockIndex outer) {
    Expr product = 1;
    for (BlockIndex at = block; at != outer; at = *graph.blocks[at].parent) product = graph.blocks[at].repeat * product;
    return product;
}

Result<Expr> ask_graph(const Reference& asked, const CountedModel& model, Resolved& into) {
    return Asker{model, into}.ask(asked);
}

Expr stored_bytes(const CountedModel& model, const Expr& numbers, std::span<const CountedTensor> counted) {
    if (model.input.precision.uniform()) return bytes_formula(numbers, model.input.precision.rest);
    return ByteSum{model, counted}();
}

}  // namespace headcount
