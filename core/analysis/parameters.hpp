// Exact parameter counts, read off a graph: total, by component, by tensor, each with the formula behind it. And the
// totals alone, for many architectures that differ in numbers only: their formulas are made once and worked out often.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/arch/family.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// One tensor of the checkpoint, counted.
struct ParameterRow {
    std::size_t stored;               // index into graph.stored
    std::vector<std::int64_t> shape;  // as stored
    std::int64_t count;               // of one copy
    std::int64_t in_layer;            // copies within a layer: experts; 1 of most
    std::int64_t copies;              // in_layer · layers that have it
    std::int64_t total;               // count · copies

    bool operator==(const ParameterRow&) const = default;
};

// How many parameters a token is multiplied with; where there is an encoder, one of the decoder and one of the source.
struct Multiplied {
    std::int64_t token = 0, source = 0;
};

struct Parameters {
    std::int64_t total = 0;              // tied tensors once
    std::int64_t active = 0;             // without the experts that a token is not sent to
    std::int64_t active_multiplied = 0;  // and without tables whose rows are looked up: tokens (unless that is also the
                                         // output head), learned positions, types
    std::int64_t source_multiplied = 0;  // of those, what an encoder's tokens are multiplied with
    std::int64_t per_layer = 0;          // in each layer of the largest group (ModelGraph::main_layer)
    std::vector<std::int64_t> by_layer;  // in each layer of each group, as in ModelGraph::layers
    std::int64_t shared_by_layers = 0;   // there once for several layers, in none of them
    std::int64_t in_layers = 0;          // in all layers of all groups, and shared by them
    std::int64_t buffers = 0;            // stored besides, trained by no gradient
    std::array<std::int64_t, components.size()> by_component{};
    std::vector<ParameterRow> tensors;  // in the checkpoint's order

    Multiplied multiplied() const { return {active_multiplied - source_multiplied, source_multiplied}; }
    std::int64_t of(Component component) const { return by_component[static_cast<std::size_t>(component)]; }
    bool operator==(const Parameters&) const = default;
};

// Counts every tensor. Fails only where a count or a sum does not fit in 64 bits; the error names the product.
Result<Parameters> count_parameters(const ModelGraph& graph, const Bindings& bindings);

// One parameter of the graph: how many numbers one copy holds, how many copies there are, and all of them. For a graph
// whose parameters were counted, so that everything fits.
struct TensorCount {
    std::int64_t one, copies, all;

    bool operator==(const TensorCount&) const = default;
};
TensorCount count_of(const ModelGraph& graph, const Tensor& parameter, const Bindings& bindings);

// What one head has of a projection, as a formula: d·d_h of W_q, W_k and W_v, d_h·d of W_o. Nothing for other tensors
// and for biases.
std::optional<Expr> head_share(const Tensor& parameter);

// What a token uses of a stored tensor's total: all, or k of E experts.
std::int64_t active_of(const ModelGraph& graph, const ParameterRow& row, const Bindings& bindings);

// The formulas: of one tensor (d·d_ff), of everything in a component (L·(2·d·(h·d_h) + ...)), of one layer, of all.
Expr tensor_formula(const StoredTensor& tensor);
Expr component_formula(const ModelGraph& graph, Component component);
Expr layer_formula(const ModelGraph& graph);                     // of a layer of the largest group
Expr layer_formula(const ModelGraph& graph, std::size_t group);  // of one of another
Expr shared_formula(const ModelGraph& graph);                    // of what layers share
Expr total_formula(const ModelGraph& graph);

struct Totals {
    std::int64_t total = 0, active = 0;  // as in Parameters

    bool operator==(const Totals&) const = default;
};

class TotalFormulas {
  public:
    explicit TotalFormulas(const ModelGraph& graph);
    explicit TotalFormulas(const Architecture& arch) : TotalFormulas(expand(arch)) {}

    // How many layers there are of each group of the graph: other numbers than its own; none: as the graph has them.
    using Depths = std::span<const std::int64_t>;

    // Fails only where a sum does not fit in 64 bits.
    Result<Totals> at(const Bindings& bindings, Depths depths = {}) const;

    // The total alone, which fits wherever it fits by itself: also of a token that is sent to more experts than there
    // are.
    Result<std::int64_t> total_at(const Bindings& bindings, Depths depths = {}) const;

    // The depths of an architecture that has no other kinds of layers; nothing of others.
    std::optional<std::vector<std::int64_t>> depths_of(const Architecture& arch) const;

  private:
    struct Term {
        Shape shape;
        Expr copies, in_layer;
        std::optional<std::size_t> group;  // that has it in each of its layers, or once for them and others
        bool shared = false;               // ... once
        Expr there, passed;                // of a layer's experts, and what a token uses of them; both 1 of most
    };
    static Result<std::int64_t> total_of(const Term& term, const Bindings& bindings, Depths depths);

    std::vector<Term> terms_;
    std::vector<LayerKind> kinds_;  // of the groups
    bool tied_layers_ = false;
};

// What decides an architecture's formulas. Two with the same have the same graph but for what its symbols stand for:
// the formulas of one, worked out with the bindings of the other, are the other's.
struct FormulaShape {
    Architecture ones;  // with every number that the graph has as a symbol set to 1, and without what makes no graph
    std::vector<Extra> besides;
    std::optional<SharedLayer> shared;
    std::array<bool, 3> as_wide{};  // as what is shared reads: twice the stream, its queries, its keys and values

    bool operator==(const FormulaShape&) const = default;
};
FormulaShape formula_shape(const Architecture& arch);
inline bool same_formulas(const Architecture& a, const Architecture& b) { return formula_shape(a) == formula_shape(b); }

// The totals of one architecture as formulas, and of which others they are.
struct ShapedTotals {
    FormulaShape of;
    TotalFormulas formulas;

    ShapedTotals(FormulaShape shape, TotalFormulas made) : of(std::move(shape)), formulas(std::move(made)) {}
    ShapedTotals(const Architecture& arch, const ModelGraph& graph) : of(formula_shape(arch)), formulas(graph) {}

    // The depths to work them out with for an architecture of this shape: none where it is the same, its own where no
    // more than its layers are more or fewer. Nothing where its formulas are others.
    std::optional<std::vector<std::int64_t>> depths_in(const Architecture& arch, const FormulaShape& shape) const;
};

}  // namespace headcount
