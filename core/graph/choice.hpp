// Keys that are chosen for several layers: the scores of the last layer that has index heads say which.
#pragma once

#include "core/graph/graph.hpp"

namespace headcount {

// Whether layers read it in the place of keys that they have chosen themselves. No gradient goes through it.
inline bool takes_choice(const Tensor& tensor) {
    return tensor.role == Role::input && tensor.part == Part::index_scores;
}

}  // namespace headcount
