// What adapters add to a pass, and what a training of them alone leaves out: read off the graph, as all arithmetic is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/adapters.hpp"
#include "core/analysis/arithmetic.hpp"
#include "core/analysis/parameters.hpp"
#include "core/arch/architecture.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// How often what the forward pass does of something is done: in most of its layers, and in so many of the first ones.
struct Times {
    std::int64_t each = 1, first = 1, first_layers = 0;

    bool alike() const { return each == first || first_layers == 0; }  // in all of its layers
};
// What all of its layers do so often, one of which does `in_one` once.
Expr done(const Times& times, const Expr& all, const Expr& layers, const Expr& in_one);

// Which gradients a training of adapters makes (Hu et al. 2021, section 4.2: none of the frozen weights). What a node
// reads has one where an adapter stands before it. So the layers that no adapter stands before are told apart: of 32
// layers that all have adapters the first, which reads embeddings that nothing trains; where only some kinds of layers
// have adapters, all before the first of these.
class AdapterGradients {
  public:
    enum Behind { no_adapter, some_adapter };  // what the residual stream that enters a layer is

    AdapterGradients(const Architecture& arch, const ModelGraph& graph, const Adapters& adapters);

    // Of how many of a product's two factors there is a gradient, which takes as much as the product; of a frozen
    // matrix there is none. Of what is no product and reads one thing alone 2 as well.
    Times backwards(std::size_t node) const;
    // Whether what a node's matrix is multiplied with has one: 0 or 1.
    Times of_input(std::size_t node) const;
    // Whether any can come back to what a node makes.
    bool goes_back(std::size_t node) const;
    // Whether the layer that the node is in has any: else nothing in it is computed again. 0 or 1.
    Times in_layer(std::size_t node) const;

    // What the backward pass of a node reads of the forward pass: of a frozen matrix there is no gradient, so that what
    // it is multiplied with is read for an adapter beside it alone.
    std::vector<TensorIndex> read_backwards(std::size_t node, Behind behind) const;
    // Whether what a node makes has one, and whether anything in a kind of layers has; and how many of these layers no
    // adapter stands before.
    bool needs(std::size_t node, Behind behind) const { return needs_[behind][graph_.nodes[node].output]; }
    bool trains(std::size_t layer, Behind behind) const { return trains_[behind][layer]; }
    std::int64_t first_layers(std::size_t layer) const { return first_layers_[layer]; }
    // What enters a kind of layers: an adapter stands before the last of them, or before none.
    Behind before(std::size_t layer) const {
        return first_layers_[layer] == graph_.layers[layer].group.count ? no_adapter : some_adapter;
    }
    // Whether gradients come back through any layer at all.
    bool come_back() const {
        for (std::size_t i = 0; i < graph_.layers.size(); ++i)
            if (trains(i, before(i))) return true;
        return false;
    }

  private:
    using Needs = std::array<std::vector<bool>, 2>;

    bool has(const Node& node, TensorIndex input, Behind behind) const;
    bool has_adapter(const Node& node) const;
    bool leaves_stack(BlockIndex stack) const;
    bool enters_stack(BlockIndex stack) const { return needs_[no_adapter][graph_.before_layers(stack)]; }
    void count_layers(const Architecture& arch);
    Times times(const Node& node, std::int64_t behind_some, std::int64_t behind_none) const;

    const ModelGraph& graph_;
    std::vector<bool> beside_;  // parameters that have an adapter
    std::vector<bool> leads_;   // to more than a choice of keys, through which no gradient goes; by tensor
    Needs needs_;               // a gradient, by tensor
    Needs trains_;              // by kind of layers: some tensor in it needs one
    std::vector<std::int64_t> first_layers_;  // of each kind, those that no adapter stands before
};

// One step of an adapter, in one layer: A, which brings the input to the rank; B, which brings that to the output, and
// adds it there; in training with magnitudes B · A, by whose sum with the weights outputs are scaled (Liu et al. 2024,
// section 4.3: of that scale there is no gradient).
struct AdapterStep {
    Expr flops, bytes, kept;  // `kept` are the bytes of weights alone
    Times times;
};
struct AdapterPass {
    const Adapted* adapted;
    Expr layers, copies;  // which have it; and of all of them, as many as are run
    std::vector<AdapterStep> steps;
};
// One of its amounts, of all layers as often as each step is done.
Expr done(const AdapterPass& pass, Expr AdapterStep::*amount);

// The adapters beside a node's matrices, of all that there are. Of a matrix that was fused of several they stand beside
// the first. `gradients` in training; absorbed as WorkOptions::absorbed.
std::vector<AdapterPass> adapters_at(const ModelGraph& graph, std::size_t node, const std::vector<Adapted>& all,
                                     const WorkOptions& options, const AdapterGradients* gradients);

// How many numbers of adapters a token is multiplied with, and an encoder's; nothing where that does not fit in 64
// bits.
std::optional<Multiplied> multiplied_adapters(const ModelGraph& graph, const Bindings& bindings,
                                              const Adapters& adapters);

}  // namespace headcount
