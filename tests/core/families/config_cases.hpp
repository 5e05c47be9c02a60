// What the tests of configurations share.
#pragma once

#include "tests/golden/golden.hpp"

namespace headcount::test {

inline nlohmann::json tensors_of(const Architecture& arch) {
    const ModelGraph graph = expand(arch);
    return testing_data::stored_rows(arch, graph, graph.stored);
}

}  // namespace headcount::test
