// Every tensor of a checkpoint one by one, in its order: the table first, then layer 0, layer 1, ..., then the end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/parameters.hpp"

namespace headcount {

// Which of a row's copies a tensor is.
struct TensorPlace {
    std::optional<std::int64_t> layer;   // of a tensor in a layer
    std::optional<std::int64_t> within;  // which of a layer's: the expert, or the head; which of a tower's layers
};

// "model.layers.3.mlp.experts.7.up_proj.weight" from "model.layers.{i}.mlp.experts.{e}.up_proj.weight".
std::string name_at(std::string name, const TensorPlace& place);

// The same for one layer, its experts left open; "*" stands for all layers.
std::string name_in_layer(std::string name, std::string_view layer);

// What files that cut the tensor of this name in pieces call these, in their order; none where no file does.
std::vector<std::string> piece_names(const StoredTensor& tensor, const std::string& name);
// Whether two shapes differ in nothing but how many rows there are.
bool alike_beyond_rows(std::span<const std::int64_t> a, std::span<const std::int64_t> b);

// How many tensors the checkpoint has, or one layer of it; nothing where that does not fit in 64 bits.
std::optional<std::int64_t> tensor_count(const Parameters& parameters, const Architecture& arch,
                                         const ModelGraph& graph, std::optional<std::int64_t> layer);

// What each layer holds, in their order.
std::vector<std::int64_t> counts_of_layers(const Architecture& arch, const ModelGraph& graph,
                                           const Parameters& parameters);

// Called with each tensor's row and place; false ends the walk.
using TensorVisitor = std::function<bool(const ParameterRow&, const TensorPlace&)>;

// Visits every tensor, or those of one layer. Costs no memory, however many there are.
void for_each_tensor(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                     std::optional<std::int64_t> layer, const TensorVisitor& visit);

}  // namespace headcount
