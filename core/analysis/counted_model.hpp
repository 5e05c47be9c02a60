// A model that was expanded and counted, once, with the shape and size of every activation in the order in which it
// computes them: what counts, comparisons, lessons and views are read off.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/parameters.hpp"
#include "core/analysis/stored_weights.hpp"
#include "core/arch/architecture.hpp"
#include "core/arch/input.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// One activation, its numbers worked out. Vectors stand as one row of `columns` numbers.
struct ActivationRow {
    TensorIndex tensor;
    std::int64_t rows, columns;  // of one copy
    std::int64_t elements;       // rows · columns
    std::int64_t bytes;          // of one copy, rounded up to whole bytes
    std::int64_t copies;         // heads · layers · batch that each have one
    std::int64_t in_layer;       // copies within one layer: heads · batch
    Precision kept;              // what its numbers are in

    bool operator==(const ActivationRow&) const = default;
};

// Every activation and cache of the model that takes memory of its own, in the formats of the input. Fails only where a
// size does not fit in 64 bits; the error names the product.
Result<std::vector<ActivationRow>> activations(const ModelGraph& graph, const Bindings& bindings, const Input& input);

// One attention head as a worksheet asks for it: input, queries, keys, values, scores, weights, head output, output
// after projection; one of each kind of layers, in their order.
Result<std::vector<ActivationRow>> head_activations(const ModelGraph& graph, const Bindings& bindings,
                                                    const Input& input);

// Bytes of `elements` numbers that are stored as one, as bytes_formula has them; nothing where that does not fit in 64
// bits.
std::optional<std::int64_t> bytes_of(std::int64_t elements, Precision precision);

struct CountedModel {
    Architecture architecture;
    Input input;
    ModelGraph graph;
    Bindings bindings;
    Parameters parameters;
};
// Bytes of the weights as the input says that they are stored: of a component or of all. Nothing where that does not
// fit in 64 bits.
std::optional<std::int64_t> weight_bytes(const CountedModel& model, std::optional<Component> component = {});

// Of one parameter: in all layers, and of one copy where all have the same format.
struct WeightBytes {
    std::vector<FormatRun> formats;
    std::optional<std::int64_t> one;
    std::int64_t all;
};
std::optional<WeightBytes> weight_bytes(const CountedModel& model, TensorIndex parameter);

using CountedModelPtr = std::shared_ptr<const CountedModel>;

// Fails where architecture or input are impossible, or a count does not fit in 64 bits.
Result<CountedModel> count_model(const Architecture& architecture, const Input& input);

// The same with the input that nobody chose: for what does not depend on it.
Result<CountedModel> count_model(const Architecture& architecture);

// The same, for many to hold.
Result<CountedModelPtr> counted_model(const Architecture& architecture, const Input& input);

// A model with its activations.
struct Counted : CountedModel {
    std::vector<ActivationRow> activations;
    std::vector<ActivationRow> head;  // one attention head
};

// Fails where the architecture or the input is impossible, or a number does not fit in 64 bits.
Result<Counted> count(const Architecture& architecture, const Input& input);

}  // namespace headcount
