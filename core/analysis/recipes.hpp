// Which format llama-quantize gives each tensor of a GGUF file.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/stored_weights.hpp"

namespace headcount {

// By tensor of the graph, of parameters; the rules are those of llama_tensor_get_type in src/llama-quant.cpp of
// llama.cpp. Costs the number of layers.
std::vector<std::vector<FormatRun>> recipe_runs(const Architecture& arch, const ModelGraph& graph, Recipe recipe);

// The bytes of a component's weights, or of all, as a formula of the number of layers: where `follows`, of any number
// of them, but for 80 of a family of which llama-quantize takes so many for a 70B. Else some tensor of the model is
// chosen by no rule that a formula is known of, or layers are of several kinds, and the bytes of every component are
// those of as many layers as there are.
struct RecipeBytes {
    Expr bytes;
    bool follows = true;
};
RecipeBytes recipe_bytes(const Architecture& arch, const ModelGraph& graph, const Formats& formats,
                         std::optional<Component> component = {});

}  // namespace headcount
