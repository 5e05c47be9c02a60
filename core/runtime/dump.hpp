// Writes what a run has kept as a file of float32 safetensors, under the graph's names.
#pragma once

#include <filesystem>
#include <optional>

#include "core/runtime/run.hpp"

namespace headcount {

// Every kept activation and cache that takes memory of its own: "embedded", and with the layer's index behind the
// layer's name "layer.3.attention.queries"; of heads, and of the experts of a token, all in one tensor, which then has
// a dimension before the rows: (heads, tokens, tokens) of "layer.3.attention.head.weights". Beside them "hidden.0" to
// "hidden.L", and "logits".
std::optional<Error> write_activations(const Run& run, const std::filesystem::path& path);

}  // namespace headcount
