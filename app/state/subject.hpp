// Anything that can be pointed at: a tensor, a component, a field, the total. Hover and selection are subjects, and
// every view lights what belongs to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/arch/fields.hpp"
#include "core/graph/graph.hpp"

namespace headcount {

// Which of a tensor's copies is meant, as far as one is.
struct Copies {
    std::optional<std::int64_t> layer, head, expert;

    bool operator==(const Copies&) const = default;
};
struct TensorSubject {
    std::string id;      // of the graph: "layer.feed_forward.up.weight"
    Copies copies = {};  // nothing said: the one that is shown

    bool operator==(const TensorSubject&) const = default;
};
struct TotalSubject {
    bool operator==(const TotalSubject&) const = default;
};

// What the input decides and is no field, a dimension (tokens) or the precision, is only pointed at: it has no key and
// is never selected.
using Subject = std::variant<std::monostate, TensorSubject, Component, Field, TotalSubject, Symbol, Precision>;

inline bool nothing(const Subject& subject) { return std::holds_alternative<std::monostate>(subject); }

inline constexpr std::string_view total_key = "total";

// "layer.feed_forward.up.weight", "component.feed_forward", "field.dim", "total"; empty for nothing.
std::string subject_key(const Subject& subject);

// What is drawn of how many numbers a tensor has; its key alone stands for its sides as well.
std::string count_key(std::string_view tensor);

// The subject of such a key; nothing for a key that names none. A tensor's id is taken as it is.
Subject subject_from_key(std::string_view key);

// Whether both are the same, whichever copy of a tensor is meant.
bool alike(const Subject& a, const Subject& b);

// Which copy is meant; of what is no tensor none.
Copies copies_of(const Subject& subject);

// Going on from one subject to another stays in the same layer, head and expert, where the other has them and says
// nothing of its own.
Subject carried(Subject subject, const Subject& from, const ModelGraph& graph);

// Whether pointing at `subject` lights this tensor: it is the tensor, its component (parameters only), or a field or
// dimension that the tensor's shape has. The batch has every activation as often, cached tokens lengthen what the cache
// keeps, and the precision says what every number takes, all but token ids.
bool lights(const Subject& subject, const Tensor& tensor);

// Whether it lights this component's slice of a chart: the component itself, or one of its parameters.
bool lights(const Subject& subject, const ModelGraph& graph, Component component);

// Whether it lights this field's slider: the field itself, or a tensor whose shape has its dimension.
bool lights(const Subject& subject, const ModelGraph& graph, Field field);

// Whether the row of an activation stands for what is pointed at. It also stands for the parameters that make it:
// selecting W_up shows where U comes from.
bool row_shows(const ModelGraph& graph, TensorIndex row, const Subject& subject);

}  // namespace headcount
