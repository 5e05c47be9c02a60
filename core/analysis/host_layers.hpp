// What lies in the host's memory where only the last layers of a model lie on a device, as llama.cpp divides it: each
// layer is held whole, in one memory or the other, with its cache and its states.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/stored_weights.hpp"

namespace headcount {

class HostLayers {
  public:
    // `on_device` as `--gpu-layers` of llama.cpp has it: of the last layers, of which the output counts as one.
    HostLayers(const Architecture& arch, const ModelGraph& graph, std::int64_t on_device);

    // Bytes. What is looked up stays in the host's memory; a tied table is on the device besides, for the output.
    Expr weights(const StoredWeights& weights) const;
    Expr in_both(const StoredWeights& weights) const;

    // How many copies of what a layer's block has.
    Expr copies(BlockIndex block) const;

  private:
    const ModelGraph& graph_;
    std::vector<std::int64_t> layers_;   // by group of layers
    bool first_ = true, output_ = true;  // whether it is the host that has the first layer, and the output
    std::size_t begin_ = 0;              // the node that the first layer begins with
};

}  // namespace headcount
