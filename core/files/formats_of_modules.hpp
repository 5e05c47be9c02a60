// What a file says of modules by name, as formats of a model's tensors.
#pragma once

#include <string>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/formats.hpp"
#include "core/files/quantizers.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

struct FormatsOfModules {
    // Of each kind of weights the format that most of its matrices have, and by name those that have another.
    Formats formats;
    // Some layer's first expert is stored otherwise than its last: the first speaks for all.
    bool experts_differ = false;
    // A matrix of a tower or of a connector may be quantized, which is not followed.
    bool senses_open = false;
    std::vector<std::string> unread;  // expressions that say something of modules
};

// Costs the number of layers, multiplied by that of rules.
FormatsOfModules formats_of_modules(const Architecture& arch, const ModelGraph& graph, const Quantizing& quantizing);

}  // namespace headcount
