// What makes two architectures differ in size: by component, by kind of tensor, tensor by tensor, by changed field;
// and how formulas change between them, in symbols: 2·L·d·d_h·Δh_kv.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/field_walk.hpp"

namespace headcount {

// All parameters of one part of the model, such as all query projections with their biases. What has a name of its own
// (is_extra) is taken together by its component.
struct KindDifference {
    Part part;
    Component component;
    std::string key;    // "attention.query", "feed_forward.expert.gate": its place in the graph, the same on both sides
    std::string label;  // "Query projection", "Tower"; with its component where another kind is called so too
    std::int64_t a = 0, b = 0;

    std::int64_t difference() const { return b - a; }
    bool holds(const Tensor& tensor) const;
    bool operator==(const KindDifference&) const = default;
};

enum class TensorChange {
    added,     // only b has it
    removed,   // only a has it
    reshaped,  // both have it, in different shapes
    repeated,  // in the same shape, not as often
    same,      // in both alike
    fused,     // one has in one tensor what the other has in several
};
std::string_view change_word(TensorChange change);  // "added": in tables

// A kind of tensor of the checkpoint, by the name that it has there with {i} for the layer and {e} for the expert.
// Those of one name are a pair, and then those of one place in the graph, whatever their names: BERT's and GPT-2's. Of
// such a pair the shape is the same where it is but for its order.
struct TensorDifference {
    TensorChange change;
    std::string name;    // in a, where it is there
    std::string b_name;  // where b calls it otherwise; of what is fused the tensor that it is in, or comes out of
    std::string layers;  // "full": of which layers it is, where one of the two has this name in several shapes
    Component component;
    std::vector<std::int64_t> a_shape, b_shape;  // empty where it is not there
    std::int64_t a_copies = 0, b_copies = 0;
    std::int64_t a = 0, b = 0;               // parameters of all copies
    std::size_t a_stored = 0, b_stored = 0;  // the first of them in ModelGraph::stored, where there is one

    std::int64_t difference() const { return b - a; }
    bool operator==(const TensorDifference&) const = default;
};

struct Difference {
    std::int64_t total = 0;  // b less a
    std::array<std::int64_t, components.size()> by_component{};
    std::vector<KindDifference> kinds;      // in a's order, then what only b has; all of both, alike or not
    std::vector<TensorDifference> tensors;  // that differ: in a's order, then what only b has
    std::vector<FieldDifference> fields;    // that differ, in the order of fields(), which is that of the walk
    std::int64_t interaction = 0;           // what the fields add beyond the sum of their own: total - Σ own
    std::int64_t unnamed = 0;               // what differs in no field: total - Σ adds
    std::vector<KindDifference> fieldless;  // of which kinds that is: each as all fields make it of a, and as b has it

    std::int64_t of(Component component) const { return by_component[static_cast<std::size_t>(component)]; }
    bool operator==(const Difference&) const = default;
};

// "attention.query.weight" from "layer_dense.attention.query.weight".
std::string place_in_layer(const ModelGraph& graph, const Tensor& tensor);

// All kinds of tensors of both, alike or not: in a's order, then what only b has.
std::vector<TensorDifference> all_tensors(const CountedModel& a, const CountedModel& b);

// Every way of splitting it sums to `total`. Fails only where what the fields make by themselves does not fit in 64
// bits.
Result<Difference> difference(const CountedModel& a, const CountedModel& b);

// What differs in no field, in words: "idle norm, towers"; empty where nothing does, or the kinds cannot be counted.
std::string fieldless_text(const Difference& difference);

// "3·L·d·Δd_ff" and "3·32·4096·3328" where one symbol alone makes the change and stands in every changing term once;
// else the whole formulas with an arrow between. Both are empty where the value stays.
struct ChangeFormula {
    std::string symbols, numbers;
    std::optional<Symbol> symbol;  // that alone makes the change

    bool operator==(const ChangeFormula&) const = default;
};
ChangeFormula change_formula(const Expr& a, const Bindings& in_a, const Expr& b, const Bindings& in_b);

// Of everything in a component; of all parameters of one kind.
ChangeFormula component_change(const CountedModel& a, const CountedModel& b, Component component);
ChangeFormula kind_change(const CountedModel& a, const CountedModel& b, const KindDifference& kind);

// Of what each row of a walk adds, where one symbol alone makes it; empty where several do, or where the formula itself
// is another. As many as `fields`.
std::vector<ChangeFormula> field_changes(const CountedModel& a, const CountedModel& b,
                                         const std::vector<FieldDifference>& fields);

// Those that stand in the formulas and have another value, in the order of the symbols.
std::vector<Symbol> differing(std::span<const Expr> formulas, const Bindings& in_a, const Bindings& in_b);

// Because of which dimensions a tensor has another shape, or is there more often: those of its formulas that differ, in
// the order of the symbols. Empty where it is new or gone.
std::vector<Symbol> symbols_behind(const TensorDifference& row, const CountedModel& a, const CountedModel& b);

}  // namespace headcount
