// Experiments on weights: numbers of a parameter are switched off, multiplied or set, in a copy of the model. They are
// named as those of a run, with a row in the place of a token: "layer.0.attention.query.weight.column:3@5", and without
// the one or the other a row, a column, or all of it.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/runtime/changes.hpp"
#include "core/runtime/explain.hpp"
#include "core/runtime/model.hpp"

namespace headcount {

// How a change calls this number of a parameter; nothing of any other tensor.
std::optional<ChangePlace> place_of_weight(const ModelGraph& graph, const CellAt& cell);

// The parameter that a place is of, with its first number there; nothing where it is of what a run computes.
std::optional<CellAt> weight_at(const Architecture& arch, const ModelGraph& graph, const ChangePlace& place);

// A model that has the weights of this one with those changes that are of weights, in their order; this one where none
// is. Takes the memory of another copy of all weights in float32. Errors: no such expert, row or column, a change that
// no weight can have, no memory.
Result<std::shared_ptr<const Model>> with_changed_weights(const std::shared_ptr<const Model>& model,
                                                          std::span<const Change> changes);

}  // namespace headcount
