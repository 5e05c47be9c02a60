// The module tree in the form in which transformers prints a model, and one module of it:
// "Linear(in_features=4096, out_features=11008, bias=False)".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/parameters.hpp"

namespace headcount {

// A number as Python's repr prints it: "1e-06", "0.0001", "1.0".
std::string python_float(double value);

// A module of the family's tree in one architecture.
struct ModuleLine {
    std::string text;        // what follows "(q_proj): "
    std::int64_t count = 0;  // parameters of one copy; a tied output head has none of its own
    std::string remark;      // the module whose table it uses, or that it is not trained; mostly empty
    std::vector<const ParameterRow*> rows = {};  // which these are
};

// Where a module stands: its path, and the group of layers that it is in.
struct ModulePlace {
    std::string path;
    std::optional<std::size_t> layer;
    bool first = false;  // the first layer of a stack, which keeps what all of them share
};

// Nothing where the architecture does not have this module (a gate, learned positions). What transformers' form hides
// is added in its spirit: the bias of a Conv1D, a norm without weight, parameters that are no module. Of a container
// only its class's name.
std::optional<ModuleLine> module_line(const Module& module, const ModulePlace& place, const Architecture& arch,
                                      const ModelGraph& graph, const Parameters& parameters);

struct TreeOptions {
    bool base = false;           // without the output head
    bool counts = false;         // each line's parameters behind it: a layer's once and times their number
    std::string_view sign = {};  // before each of these numbers
};

// As print(model) of transformers 5, where its form shows every parameter. Costs the number of different layers.
std::string module_tree(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters,
                        TreeOptions options = {});

}  // namespace headcount
