// In which format each tensor of a file of weights is.
#pragma once

#include <optional>
#include <string_view>

#include "core/arch/architecture.hpp"
#include "core/arch/formats.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// The format that a type of a file is; nothing of packed numbers, whose types say no format.
std::optional<Precision> format_of(std::string_view type);

// Of all tensors that the model stores, by kind and by name: one that is not in the file as most of its kind. Nothing
// where one is packed there, or made of several of the file's that have different formats, or is not there though the
// model is quantized.
std::optional<Formats> formats_of_tensors(const Checkpoint& weights, const Architecture& arch, const ModelGraph& graph);

// Whether both store every tensor alike.
bool store_alike(const Architecture& arch, const ModelGraph& graph, const Formats& a, const Formats& b);

}  // namespace headcount
