// How far weights are from others of the same shape: a quantized model's from its original's, a fine-tuned one's from
// its base.
#pragma once

#include <optional>

#include "core/analysis/checkpoint_names.hpp"
#include "core/runtime/model.hpp"

namespace headcount {

struct WeightError {
    double difference = 0, original = 0;  // sums of squares: of what they differ by, and of the original
    double worst = 0;                     // the largest that two numbers differ by

    // The root of the one over that of the other; nothing where the original is all 0.
    std::optional<double> share() const;
    void add(const WeightError& other);
};

// Of one tensor of the checkpoint, or of all of a layer's that a file has in one. Nothing of what no operation reads.
// Fails where the two have other shapes there.
Result<std::optional<WeightError>> weight_error(const Model& model, const Model& original, const StoredTensor& tensor,
                                                const ModelGraph& graph, const TensorPlace& place);

}  // namespace headcount
