// How a module's parameters are stored: what their names end in, and their shape.
#pragma once

#include <string_view>
#include <vector>

#include "core/arch/module.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// Where a kind of module keeps its weight and its bias, behind its path.
struct Suffixes {
    std::string_view weight = ".weight", bias = ".bias";
};

Suffixes suffixes(ModuleKind kind);

// Linear layers are stored [out, in], all else as multiplied; parts that are fused stand side by side along their
// outputs, stacked ones behind the number of experts.
Shape stored_shape(const ModelGraph& graph, ModuleKind kind, const std::vector<TensorIndex>& parts);

}  // namespace headcount
