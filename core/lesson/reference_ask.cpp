// What the graph answers to a reference: sizes of a tensor, sums over parameters, and their bytes.
#include <algorithm>
#include <array>

#include "core/analysis/memory.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {
namespace {

class ByteSum {
  public:
    ByteSum(const CountedModel& model, std::span<const CountedTensor> counted)
        : model_(model), counted_(counted), done_(counted.size(), false) {}

    Expr operator()() {
        std::vector<Expr> terms;
        for (const StoredTensor& stored : model_.graph.stored)
            if (take_whole(stored)) terms.push_back(stored.copies * bytes(tensor_formula(stored)));
        for (std::size_t i = 0; i < counted_.size(); ++i)
            if (!done_[i])
                terms.push_back(counted_[i].times *
                                bytes(element_count(model_.graph.tensors[counted_[i].tensor].shape)));
        return sum_of(terms);
    }

  private:
    Expr bytes(const Expr& numbers) const { return bytes_formula(numbers, model_.input.precision); }

    // Whether each part of it is counted as often as there are copies; these are then done.
    bool take_whole(const StoredTensor& stored) {
        std::vector<std::size_t> taken;
        for (const TensorIndex part : stored.parts)
            for (std::size_t i = 0; i < counted_.size(); ++i)
                if (!done_[i] && counted_[i].tensor == part && in_all_copies(counted_[i])) {
                    taken.push_back(i);
                    break;
                }
        if (taken.size() != stored.parts.size()) return false;
        for (const std::size_t i : taken) done_[i] = true;
        return true;
    }

    bool in_all_copies(const CountedTensor& counted) const {
        const Expr copies = model_.graph.copies(model_.graph.tensors[counted.tensor].block);
        const Result<std::int64_t> times = evaluate(counted.times, model_.bindings),
                                   all = evaluate(copies, model_.bindings);
        return times && all && *times == *all;
    }

    const CountedModel& model_;
    std::span<const CountedTensor> counted_;
    std::vector<bool> done_;
};

constexpr std::array<std::string_view, 5> whole_words{"model", "layers", "active", "cache", "biases"};

class Asker {
  public:
    Asker(const CountedModel& model, Resolved& into) : model_(model), graph_(model.graph), into_(into) {}

    Result<Expr> ask(const Reference& asked) {
        without_norms_ = asked.without_norms;
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

  private:
    const Tensor* named(std::string_view id) {
        const Tensor* tensor = graph_.find(id);
        if (tensor) into_.ids.emplace_back(id);
        return tensor;
    }

    Error unknown(std::string_view subject, bool sums) const {
        std::vector<std::string_view> known = sums ? graph_.place_ids() : graph_.tensor_ids();
        if (sums) {
            for (Component component : components) known.push_back(component_key(component));
            known.insert(known.end(), whole_words.begin(), whole_words.end());
        }
        return {model_.architecture.name + " has no " + quote(subject), "",
                did_you_mean(subject, known, "\"headcount shapes\" lists the ids")};
    }

    Result<Expr> shape(const Reference& asked) {
        const Tensor* tensor = named(asked.subject);
        if (!tensor) return unknown(asked.subject, false);
        const bool vector = tensor->shape.rank() == 1;
        into_.columns = tensor->shape[vector ? 0 : 1];
        return vector ? Expr(1) : tensor->shape[0];
    }

    Result<Expr> elements(std::string_view subject) {
        if (subject == "cache") {
            for (const CountedTensor& kept : in_cache()) into_.ids.push_back(graph_.tensors[kept.tensor].id);
            return cached();
        }
        const Tensor* tensor = named(subject);
        if (!tensor) return unknown(subject, false);
        return element_count(tensor->shape);
    }

    Result<Expr> copies(std::string_view subject) {
        if (const Tensor* tensor = named(subject)) return graph_.copies(tensor->block);
        const Block* block = graph_.find_block(subject);
        if (!block || subject.empty()) return unknown(subject, true);
        into_.ids.emplace_back(subject);
        return graph_.copies(static_cast<BlockIndex>(block - graph_.blocks.data()));
    }

    Result<Expr> bytes(std::string_view subject) {
        const Tensor* tensor = graph_.find(subject);
        const bool parameters = subject != "cache" && !(tensor && tensor->role != Role::parameter);
        const std::size_t before = into_.counted.size();
        Result<Expr> numbers = parameters ? count(subject, false) : elements(subject);
        if (!numbers) return numbers;
        into_.bytes = true;
        if (parameters) return stored_bytes(model_, *numbers, std::span(into_.counted).subspan(before));
        if (subject == "cache") return stored_bytes(model_, *numbers, in_cache());
        return stored_bytes(model_, *numbers, std::array{CountedTensor{index_of(*tensor), 1}});
    }

    TensorIndex index_of(const Tensor& tensor) const {
        return static_cast<TensorIndex>(&tensor - graph_.tensors.data());
    }

    // Keys and values (or their bottleneck) that are kept, in all layers, of all sequences.
    std::vector<CountedTensor> in_cache() const {
        std::vector<CountedTensor> kept;
        for (const Tensor& tensor : graph_.tensors)
            if (tensor.role == Role::cache)
                kept.push_back({index_of(tensor), graph_.copies(tensor.block) * Expr(Symbol::batch)});
        return kept;
    }
    Expr cached() const {
        std::vector<Expr> terms;
        for (const CountedTensor& kept : in_cache())
            terms.push_back(kept.times * element_count(graph_.tensors[kept.tensor].shape));
        return sum_of(terms);
    }

    bool counts(const Tensor& tensor) const {
        return tensor.role == Role::parameter && !(without_norms_ && tensor.component == Component::norm);
    }

    // The sum over the parameters that `times` gives a number of copies.
    template <class Times>
    Expr sum(const Times& times) {
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            const Tensor& tensor = graph_.tensors[i];
            if (!counts(tensor)) continue;
            const std::optional<Expr> copies = times(tensor);
            if (!copies) continue;
            terms.push_back(*copies * element_count(tensor.shape));
            into_.counted.push_back({static_cast<TensorIndex>(i), *copies});
        }
        return sum_of(terms);
    }

    Result<Expr> count(std::string_view subject, bool all) {
        if (const Tensor* tensor = named(subject)) return one_tensor(*tensor, all);
        if (subject == "model")
            return layerwise([&](const Tensor&) { return true; }, [&](BlockIndex b) { return graph_.copies(b); });
        if (subject == "active")
            return layerwise([&](const Tensor&) { return true; }, [&](BlockIndex b) { return graph_.runs(b); });
        if (subject == "layers")
            return layerwise([&](const Tensor& tensor) { return graph_.layer_of(tensor.block).has_value(); },
                             [&](BlockIndex b) { return graph_.copies(b); });
        if (subject == "biases")
            return layerwise([&](const Tensor& tensor) { return tensor.id.ends_with(".bias"); },
                             [&](BlockIndex b) { return graph_.copies(b); });
        for (Component component : components)
            if (subject == component_key(component))
                return layerwise([&](const Tensor& tensor) { return tensor.component == component; },
                                 [&](BlockIndex b) { return graph_.copies(b); });
        const Block* block = subject.empty() ? nullptr : graph_.find_block(subject);
        if (!block) return unknown(subject, true);
        into_.ids.emplace_back(subject);
        const auto outer = static_cast<BlockIndex>(block - graph_.blocks.data());
        return sum([&](const Tensor& tensor) -> std::optional<Expr> {
            if (!graph_.inside(tensor.block, outer)) return std::nullopt;
            const Expr within = copies_within(graph_, tensor.block, outer);
            return all ? graph_.copies(outer) * within : within;
        });
    }

    Result<Expr> one_tensor(const Tensor& tensor, bool all) {
        if (tensor.role != Role::parameter && !all)
            return Error{tensor.id + " holds no parameters", "", "write elements of " + tensor.id};
        if (tensor.role == Role::parameter)
            return sum([&](const Tensor& other) -> std::optional<Expr> {
                if (&other != &tensor) return std::nullopt;
                return all ? graph_.copies(tensor.block) : Expr(1);
            });
        return graph_.runs(tensor.block) * Expr(Symbol::batch) * element_count(tensor.shape);
    }

    // As people write it: what is in layers summed within one, times their number.
    template <class Wanted, class Copies>
    Expr layerwise(const Wanted& wanted, const Copies& copies) {
        auto in = [&](std::optional<std::size_t> layer) {
            return sum([&](const Tensor& tensor) -> std::optional<Expr> {
                if (!wanted(tensor) || graph_.layer_of(tensor.block) != layer) return std::nullopt;
                return copies(tensor.block);
            });
        };
        std::vector<Expr> terms{in(std::nullopt)};
        for (std::size_t i = 0; i < graph_.layers.size(); ++i) {
            const Expr& repeat = graph_.blocks[graph_.layers[i].block].repeat;
            std::vector<Expr> inside;
            for (std::size_t k = 0; k < graph_.tensors.size(); ++k) {
                const Tensor& tensor = graph_.tensors[k];
                if (!counts(tensor) || !wanted(tensor) || graph_.layer_of(tensor.block) != i) continue;
                const bool active = copies(tensor.block) != graph_.copies(tensor.block);
                const Expr times = active ? graph_.runs_in_layer(tensor.block) : graph_.copies_in_layer(tensor.block);
                inside.push_back(times * element_count(tensor.shape));
                into_.counted.push_back({static_cast<TensorIndex>(k), repeat * times});
            }
            if (!inside.empty()) terms.push_back(repeat * sum_of(inside));
        }
        return sum_of(terms);
    }

    const CountedModel& model_;
    const ModelGraph& graph_;
    Resolved& into_;
    bool without_norms_ = false;
};

}  // namespace

Expr copies_within(const ModelGraph& graph, BlockIndex block, BlockIndex outer) {
    Expr product = 1;
    for (BlockIndex at = block; at != outer; at = *graph.blocks[at].parent) product = graph.blocks[at].repeat * product;
    return product;
}

Result<Expr> ask_graph(const Reference& asked, const CountedModel& model, Resolved& into) {
    return Asker(model, into).ask(asked);
}

Expr stored_bytes(const CountedModel& model, const Expr& numbers, std::span<const CountedTensor> counted) {
    if (info(model.input.precision).bits >= 8) return bytes_formula(numbers, model.input.precision);
    return ByteSum(model, counted)();
}

}  // namespace headcount
