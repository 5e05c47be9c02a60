// Anything that can be pointed at: a tensor, a component, a field, the total. Hover and selection are subjects, and
// every view lights what belongs to them.
#pragma once

#include <string>
#include <variant>

#include "core/arch/fields.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

struct TensorSubject {
    std::string id;  // of the graph: "layer.feed_forward.up.weight"

    bool operator==(const TensorSubject&) const = default;
};
struct TotalSubject {
    bool operator==(const TotalSubject&) const = default;
};

// What the input decides and is no field, a dimension (tokens) or the precision, is only pointed at: it has no key and
// is never selected.
using Subject = std::variant<std::monostate, TensorSubject, Component, Field, TotalSubject, Symbol, Precision>;

inline bool nothing(const Subject& subject) {
    return std::holds_alternative<std::monostate>(subject);
}

// "layer.feed_forward.up.weight", "component.feed_forward", "field.dim", "total"; empty for nothing.
std::string subject_key(const Subject& subject);

// The subject of such a key; nothing for a key that names none. A tensor's id is taken as it is.
Subject subject_from_key(std::string_view key);

// Whether pointing at `subject` lights this tensor: it is the tensor, its component (parameters only), or a field or
// dimension that the tensor's shape has. The batch has every activation as often, cached tokens lengthen what the cache
// keeps, and the precision says what every number takes, all but token ids.
bool lights(const Subject& subject, const Tensor& tensor);

// Whether it lights this component's slice of a chart: the component itself, or one of its parameters.
bool lights(const Subject& subject, const ModelGraph& graph, Component component);

// Whether it lights this field's slider: the field itself, or a tensor whose shape has its dimension.
bool lights(const Subject& subject, const ModelGraph& graph, Field field);

}  // namespace headcount
