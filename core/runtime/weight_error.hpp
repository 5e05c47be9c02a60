// How far weights are from others of the same shape: a quantized model's from its original's, a fine-tuned one's from
// its base.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/runtime/matrix_rank.hpp"
#include "core/runtime/model.hpp"

namespace headcount {

struct WeightError {
    double difference = 0, original = 0, own = 0;  // sums of squares: of what they differ by, of the original, of these
    double worst = 0;                              // the largest that two numbers differ by

    // The root of the one over that of the other; nothing where the original is all 0.
    std::optional<double> share() const;
    // Between the two, each as one vector, in degrees; nothing where one of them is all 0.
    std::optional<double> angle() const;
    void add(const WeightError& other);
};

// Of one tensor of the checkpoint, or of all of a layer's that a file has in one. Nothing of what no operation reads.
// Fails where the two have other shapes there, and when it is stopped.
Result<std::optional<WeightError>> weight_error(const Model& model, const Model& original, const StoredTensor& tensor,
                                                const ModelGraph& graph, const TensorPlace& place,
                                                const Watch& watch = {});

struct TensorError {
    std::string name;        // "model.layers.3.mlp.up_proj.weight"
    std::size_t stored = 0;  // index into ModelGraph::stored
    TensorPlace place;
    WeightError error;
};
struct WeightErrors {
    std::vector<TensorError> tensors;  // in the checkpoint's order
    WeightError all;
};

// The ranks of what one tensor differs by: of the matrix that the checkpoint has, all heads beside each other. Nothing
// of what is no matrix, of several (as many experts have in one tensor), and where it is stopped.
std::optional<Ranks> difference_ranks(const Model& model, const Model& original, const CountedModel& counted,
                                      const TensorError& tensor, const Watch& watch = {});

// Of all tensors of the model that was counted. Fails as weight_error does, or where the watch says to stop.
Result<WeightErrors> weight_errors(const CountedModel& counted, const Model& model, const Model& original,
                                   const Watch& watch = {});

}  // namespace headcount
