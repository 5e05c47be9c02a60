// A model's parameters as float32 in memory, laid out once as the kernels read them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/runtime/matrix_view.hpp"

namespace headcount {

// Every parameter and buffer of the graph, once a layer and once an expert. A linear layer's matrix lies as [out, in],
// each row contiguous, so that one output is one row's product with the input; all else lies as the graph says.
class Weights {
  public:
    // Room for all of them, not yet filled. Fails where there is no memory for it.
    static Result<Weights> reserve(const Architecture& arch, const ModelGraph& graph);

    // The floats of one copy; `layer` is 0 outside of layers, `copy` the expert. Null where the layer has no such one.
    float* floats(TensorIndex tensor, std::int64_t layer, std::int64_t copy);
    const float* floats(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const;

    // The same as the graph has it: (in, out) of a linear layer; a vector is one row.
    MatrixView view(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;

    bool transposed(TensorIndex tensor) const { return entries_[tensor].transposed; }
    std::int64_t copies(TensorIndex tensor) const { return entries_[tensor].copies; }  // within a layer
    std::int64_t bytes() const { return size_ * 4; }

  private:
    struct Entry {
        std::int64_t rows = 0, columns = 0;  // as the graph has it
        std::int64_t copies = 0;             // within one layer; 0: no parameter
        bool transposed = false;             // lies as [columns, rows]
        std::vector<std::int64_t> layers;    // where each layer's copies begin; -1: the layer has none
        std::int64_t step = 0;               // floats from one copy to the next
    };
    struct Free {
        void operator()(float* floats) const;
    };

    std::vector<Entry> entries_;  // by TensorIndex
    std::unique_ptr<float[], Free> floats_;
    std::int64_t size_ = 0;
};

// How many bytes `reserve` would take; fails only where that does not fit in 64 bits.
Result<std::int64_t> weight_bytes(const Architecture& arch, const ModelGraph& graph);

}  // namespace headcount
