// One module as transformers prints it: "Linear(in_features=4096, out_features=11008, bias=False)".
#pragma once

#include <string>

#include "core/analysis/parameters.hpp"

namespace headcount {

// A number as Python's repr prints it: "1e-06", "0.0001", "1.0".
std::string python_float(double value);

// A module of the family's tree in one architecture.
struct ModuleLine {
    std::string text;        // what follows "(q_proj): "; a container's name without brackets
    std::int64_t count = 0;  // parameters of one copy; a tied output head has none of its own
    std::string tied_to;     // the module whose table it uses; mostly empty
};

// Nothing where the architecture does not have this module (a gate, learned positions). What transformers' form hides
// is added in its spirit: the bias of a Conv1D, a norm without weight.
std::optional<ModuleLine> module_line(const Module& module, const Architecture& arch, const ModelGraph& graph,
                                      const Parameters& parameters);

}  // namespace headcount
