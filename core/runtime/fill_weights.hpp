// Puts numbers as a checkpoint stores them where the graph's parameters lie: cut, turned and sorted by part; or
// numbers drawn by a rule that any language can repeat exactly, for an architecture that has no checkpoint.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/analysis/checkpoint_names.hpp"
#include "core/graph/graph.hpp"
#include "core/runtime/pool.hpp"
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
// The tensor's bytes from its `first` number on, of so many: whole blocks. They do until the next are read.
using ReadBlocks = std::function<Result<std::span<const std::byte>>(std::int64_t first, std::int64_t count)>;

// How one tensor is read: as numbers, and where it lies in blocks of this form in a file also as these.
struct StoredRows {
    ReadRows read;
    const BlockForm* form = nullptr;
    ReadBlocks blocks = {};
};
using OpenStored = std::function<Result<StoredRows>(const StoredCopy&)>;

// Whose rows, as `form_of` a tensor says, lie in blocks: the inputs of one output, or of an embedding one of its rows.
StoredForms stored_forms(const Architecture& arch, const ModelGraph& graph,
                         const std::function<const BlockForm*(const StoredCopy&)>& form_of);

struct FillOptions {
    bool parts_in_turn = false;      // whatever the family says: GGUF's parts always stand so
    bool neighbours_paired = false;  // of queries and keys pairs that turn together stand side by side, not half apart
    double less_of_norms = 0;        // taken off the weights of norms
};

// Fills all of them: what the graph gives a rule for by that, and what is kept as it is stored with its blocks. Errors:
// what `open` says, and numbers that are none, by tensor and place.
std::optional<Error> fill_weights(Weights& weights, const Architecture& arch, const ModelGraph& graph,
                                  const FillOptions& options, const OpenStored& open, const Watch& watch);

// The rule, all in unsigned 64-bit arithmetic that wraps:
//   mix(x): x ^= x >> 30; x *= 0xbf58476d1ce4e5b9; x ^= x >> 27; x *= 0x94d049bb133111eb; x ^= x >> 31   (SplitMix64)
//   key    = FNV-1a of the tensor's name in the checkpoint, as bytes: h = 0xcbf29ce484222325; h = (h ^ byte) *
//            0x100000001b3 for each
//   stream = mix(key + seed · 0x9e3779b97f4a7c15)
//   u(i)   = (mix(stream + (i + 1) · 0x9e3779b97f4a7c15) >> 40) / 2^24, in [0, 1), of the i-th number of the tensor as
//            the checkpoint stores it, row by row
//   value  = center + spread · (2 · u(i) - 1), in double, rounded to float32
// What center and spread are depends on the tensor, never on its size alone: see `drawn_from`. Names have the indices
// of layer and expert filled in: "model.layers.3.mlp.experts.7.up_proj.weight".
struct Drawn {
    double center = 0, spread = 1;
};

// Matrices: 0 ± 1.7320508075688772 · gain / √inputs, which has standard deviation gain / √inputs, with gain 2 for
// queries, keys and the router (wide enough that attention chooses), else 1. Tables: 0 ± 1. Weights of norms: 1 ± 0.5,
// less what the family adds to them. Biases: 0 ± 0.5. Sinks and the load-balancing bias: 0 ± 0.5. Of recurrences the
// decay's logarithm: 0 ± 1; how much of a value is added: 1 ± 0.5, as are scales of layers and experts; a convolution's
// filters, as matrices of `kernel` inputs.
Drawn drawn_from(const ModelGraph& graph, const StoredTensor& tensor, const Bindings& bindings, double norm_offset);

// The state from which a tensor's numbers come, and the i-th of them, u(i).
std::uint64_t random_stream(std::uint64_t seed, std::string_view name);
double random_share(std::uint64_t stream, std::uint64_t index);

inline float drawn(const Drawn& from, std::uint64_t stream, std::uint64_t index) {
    return static_cast<float>(from.center + from.spread * (2 * random_share(stream, index) - 1));
}

}  // namespace headcount
