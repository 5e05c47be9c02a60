// Which format llama-quantize gives each tensor of a GGUF file.
#pragma once

#include <vector>

#include "core/analysis/stored_weights.hpp"

namespace headcount {

// By tensor of the graph, of parameters; the rules are those of llama_tensor_get_type in src/llama-quant.cpp of
// llama.cpp. Costs the number of layers.
std::vector<std::vector<FormatRun>> recipe_runs(const Architecture& arch, const ModelGraph& graph, Recipe recipe);

}  // namespace headcount
