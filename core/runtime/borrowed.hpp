// Layers that use the keys and values of an earlier one: whose these are.
#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace headcount {

// A tensor that layers of a group read in the place of keys or values, and the one of another group that it is.
struct Borrowed {
    TensorIndex tensor = 0, of = 0;
    std::int64_t layer = 0;  // whose
};

// Of all groups that borrow; empty where none does. Errors: no earlier layer has any to lend, or layers that are alike
// borrow of different ones.
Result<std::vector<Borrowed>> borrowed(const Architecture& arch, const ModelGraph& graph);

}  // namespace headcount
