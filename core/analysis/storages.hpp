// Which activations take memory of their own in one pass, and for how long: what the memory of activations is made of.
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/graph.hpp"

namespace headcount {

// An activation that takes memory of its own in one pass, and from which operation to which it is needed.
struct Storage {
    TensorIndex tensor;               // the first that lies in it
    Expr elements;                    // within one layer: all heads, the k experts of each token, the whole batch
    std::size_t first = 0, last = 0;  // the nodes between which it is needed
    bool of_scores = false;           // every query against every key: T × T a head
    bool of_state = false;            // of a recurrence: training makes it once more on the way back

    // T × d, as the residual stream is: what tensor parallelism keeps whole on every device.
    bool whole = false;
};

// In inference keys and values go to the cache, which is no activation; in training they stay where they are.
enum class Purpose { inference, training };

struct Storages {
    std::vector<Storage> all;
    std::vector<std::vector<std::size_t>> of;  // by tensor: those that it lies in, indices into `all`
};

// No operation works in place: what it reads and what it makes are both there. Views lie in what they show; the heads'
// outputs lie side by side from the start.
Storages storages(const ModelGraph& graph, Purpose purpose);

// What the backward pass of an operation reads of the forward pass, weights apart.
std::vector<TensorIndex> read_in_backward(const Node& node);

}  // namespace headcount
