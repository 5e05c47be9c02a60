// Every tensor of a checkpoint one by one, in its order: the table first, then layer 0, layer 1, ..., then the end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/parameters.hpp"

namespace headcount {

// "model.layers.3.mlp.up_proj.weight" from "model.layers.{i}.mlp.up_proj.weight" for layer "3"; "*" stands for all.
std::string name_in_layer(std::string name, std::string_view layer);

// How many tensors the checkpoint has, or one layer of it; nothing where that does not fit in 64 bits.
std::optional<std::int64_t> tensor_count(const Parameters& parameters, const ModelGraph& graph,
                                         std::optional<std::int64_t> layer);

// Called with each tensor's row and the layer it is in; false ends the walk.
using TensorVisitor = std::function<bool(const ParameterRow&, std::optional<std::int64_t> layer)>;

// Visits every tensor, or those of one layer. Costs no memory, however many there are.
void for_each_tensor(const ModelGraph& graph, const Parameters& parameters, std::int64_t layers,
                     std::optional<std::int64_t> layer, const TensorVisitor& visit);

}  // namespace headcount
