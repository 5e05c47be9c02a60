// What each operation computes and moves, as formulas: of the graph as it stands, and with latent attention
// absorbed.
#pragma once

#include <vector>

#include "core/analysis/arithmetic.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// Formulas over all copies and the whole batch. The graph must outlive it.
class Traffic {
  public:
    Traffic(const ModelGraph& graph, const WorkOptions& options);

    // Floating-point operations; nothing of what multiplies no matrices.
    std::optional<Expr> flops(const Node& node, Pairs pairs) const;

    // Bytes read and written: inputs, weights and output once each.
    Expr bytes(const Node& node) const;

  private:
    Expr numbers(TensorIndex tensor) const;
    void add_source(std::vector<TensorIndex>& found, TensorIndex tensor) const;
    std::vector<TensorIndex> sources(const std::vector<TensorIndex>& inputs) const;
    bool on_chip(TensorIndex tensor) const;
    bool from_cache(TensorIndex tensor) const;
    Expr read(const Node& node, TensorIndex source) const;
    Expr weights(const Node& node, TensorIndex parameter) const;
    Expr cached(const Node& node) const;
    bool absorbed(const Node& node) const;
    Expr absorbed_flops(const Node& node, Pairs pairs) const;
    Expr absorbed_bytes(const Node& node) const;

    const ModelGraph& graph_;
    WorkOptions options_;
    Precision each_;
};

}  // namespace headcount
