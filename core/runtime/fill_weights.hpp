// Puts numbers as a checkpoint stores them where the graph's parameters lie: cut, turned and sorted by part.
#pragma once

#include <functional>
#include <span>

#include "core/analysis/checkpoint_names.hpp"
#include "core/runtime/watch.hpp"
#include "core/runtime/weights.hpp"

namespace headcount {

// One tensor of the checkpoint.
struct StoredCopy {
    const StoredTensor& tensor;
    TensorPlace place;
    std::string name;                 // indices filled in
    std::vector<std::int64_t> shape;  // as stored
    std::int64_t elements() const;
};

// Fills `out` with the tensor's numbers from the `first` on; always whole rows, in order from the first.
using ReadRows = std::function<std::optional<Error>(std::int64_t first, std::span<float> out)>;
// What reads one tensor.
using OpenStored = std::function<Result<ReadRows>(const StoredCopy&)>;

struct FillOptions {
    bool parts_in_turn = false;      // whatever the family says: GGUF's parts always stand so
    bool neighbours_paired = false;  // of queries and keys pairs that turn together stand side by side, not half apart
    double less_of_norms = 0;        // taken off the weights of norms
};

// Fills all of them. Errors: what `open` says, and numbers that are none, by tensor and place.
std::optional<Error> fill_weights(Weights& weights, const Architecture& arch, const ModelGraph& graph,
                                  const FillOptions& options, const OpenStored& open, const Watch& watch);

}  // namespace headcount
