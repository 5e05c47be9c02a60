// Every number that is trained, side by side in one block of floats, so that an optimizer's step is one walk over it.
// Weights (core/runtime) have the same numbers as a run's products read them; here a matrix lies row by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/runtime/weights.hpp"

namespace headcount {

// Where one copy of a parameter lies.
struct ParameterCopy {
    TensorIndex tensor = 0;
    std::int64_t layer = 0, copy = 0;  // 0 outside of layers; `copy` is the expert
    std::int64_t offset = 0, rows = 0, columns = 0;
    bool matrix = false;  // two sides: weight decay and Muon ask
    bool of_layer = false;

    std::int64_t floats() const { return rows * columns; }
};

class ParameterLayout {
  public:
    ParameterLayout(const Architecture& arch, const ModelGraph& graph);

    // What is trained stands first; behind it what no gradient trains (buffers, tables that follow a rule).
    std::int64_t trained() const { return trained_; }
    std::int64_t floats() const { return floats_; }
    std::span<const ParameterCopy> copies() const { return copies_; }  // in the order of their offsets

    // Null where that layer has no such parameter.
    const ParameterCopy* find(TensorIndex tensor, std::int64_t layer = 0, std::int64_t copy = 0) const;
    // Its first copy: all have one shape. There must be one.
    const ParameterCopy& shape_of(TensorIndex tensor) const { return copies_[by_tensor_[tensor].front()]; }
    bool is_trained(TensorIndex tensor) const { return trains_[tensor]; }
    // A table of waves, which no file has.
    bool follows_rule(TensorIndex tensor) const { return ruled_[tensor]; }
    // Whose number the one at this place is; null behind the last.
    const ParameterCopy* at(std::int64_t place) const;

    // The same numbers from one form to the other; both are of this graph, for whatever cache it was expanded.
    void copy_from(const Weights& weights, std::span<float> floats) const;
    void copy_to(std::span<const float> floats, Weights& weights) const;

  private:
    std::vector<ParameterCopy> copies_;
    std::vector<std::vector<std::size_t>> by_tensor_;  // indices into `copies_`
    std::vector<bool> trains_, ruled_;
    std::int64_t trained_ = 0, floats_ = 0;
};

}  // namespace headcount
