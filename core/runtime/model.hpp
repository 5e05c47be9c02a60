// A model that can run: its architecture, its graph, its arithmetic and its weights.
#pragma once

#include <cstdint>
#include <memory>

#include "core/checkpoints/checkpoint.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/weights.hpp"

namespace headcount {

// A value that never changes once made, so that threads may share it.
struct Model {
    Architecture architecture;
    ModelGraph graph;  // expand(architecture, Cache::filled): what `Run` walks
    Weights weights;
};

// Reads the weights: matrices that lie in blocks in the files, row by row, stay so; all else becomes float32. Errors
// are one sentence: a tensor that is missing, of another shape, of a type that is not read, with a number that is none;
// or that memory does not do, with the numbers, before any of it is taken. The architecture must be valid.
Result<std::shared_ptr<const Model>> load_model(const Architecture& arch, const Checkpoint& checkpoint,
                                                const Watch& watch = {});

// How many bytes the weights of that take.
Result<std::int64_t> weight_bytes(const Architecture& arch, const Checkpoint& checkpoint);

// A model with weights drawn by the rule in core/runtime/fill_weights.hpp.
Result<std::shared_ptr<const Model>> random_model(const Architecture& arch, std::uint64_t seed,
                                                  const Watch& watch = {});

}  // namespace headcount
