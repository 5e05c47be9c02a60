// An architecture's module tree as text, in one line.
#pragma once

#include <string>

#include "core/report/tree.hpp"
#include "tests/support/counted.hpp"

namespace headcount::testing_data {

inline std::string tree(const Architecture& arch, TreeOptions options = {}) {
    const CountedArchitecture counted(arch);
    return module_tree(counted.architecture, counted.graph, counted.parameters, options);
}

}  // namespace headcount::testing_data
