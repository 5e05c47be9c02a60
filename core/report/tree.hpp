// The module tree in the form in which transformers prints a model.
#pragma once

#include <string>

#include "core/analysis/parameters.hpp"

namespace headcount {

struct TreeOptions {
    bool base = false;    // without the output head
    bool counts = false;  // each line's parameters behind it: a layer's once and times their number
};

// As print(model) of transformers 5, where its form shows every parameter. Costs the number of different layers.
std::string module_tree(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                        TreeOptions options = {});

}  // namespace headcount
