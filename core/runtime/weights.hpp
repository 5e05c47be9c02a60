// A model's parameters as float32 in memory, laid out once as the kernels read them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/runtime/float_memory.hpp"

namespace headcount {

// Every parameter and buffer of the graph, once a layer and once an expert. A linear layer's matrix lies in panels of
// `panel_columns` outputs, in each the rows one behind the other, so that a token's product reads it from front to back
// with no sums across a vector; so does an embedding that is also the output head. All else lies as the graph says.
// A copy of this value has the same memory; `copied` has its own.
class Weights {
  public:
    // Room for all of them, all 0. Fails where there is no memory for it.
    static Result<Weights> reserve(const Architecture& arch, const ModelGraph& graph);

    // How many bytes that takes; fails only where it does not fit in 64 bits. Costs the graph, not the layers.
    static Result<std::int64_t> bytes_of(const Architecture& arch, const ModelGraph& graph);

    // One copy as the graph has it: (in, out) of a linear layer; a vector is one row. `layer` is 0 outside of layers;
    // `copy` is the expert. Nothing where that layer has no such parameter.
    MatrixView view(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;

    // Where that copy begins; its cells stand as `view` says. Null where there is none.
    float* floats(TensorIndex tensor, std::int64_t layer, std::int64_t copy);

    // From now on layer i has the numbers that layer order[i] had; there are as many as are named.
    void take_layers(TensorIndex tensor, std::span<const std::int64_t> order);

    // The same numbers in other memory. Fails where there is none.
    Result<Weights> copied() const;

    std::int64_t copies(TensorIndex tensor) const { return entries_[tensor].copies; }  // within a layer
    std::int64_t bytes() const { return memory_->size() * std::int64_t{sizeof(float)}; }

  private:
    enum class Layout { rows, column_panels, row_panels };
    struct Entry {
        std::int64_t rows = 0, columns = 0;
        std::int64_t copies = 0;  // within one layer; 0: no parameter
        Layout layout = Layout::rows;
        std::int64_t step = 0;             // floats from one copy to the next
        std::vector<std::int64_t> starts;  // by layer: where its first copy is; -1 where it has none
    };
    static Result<std::vector<Entry>> measure(const Architecture& arch, const ModelGraph& graph);
    void lay_out(const Architecture& arch, const ModelGraph& graph);
    std::int64_t start(TensorIndex tensor, std::int64_t layer, std::int64_t copy) const;

    std::vector<Entry> entries_;  // by TensorIndex
    std::shared_ptr<FloatMemory> memory_;
};

}  // namespace headcount
