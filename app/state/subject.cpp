// Anything that can be pointed at, as text, and what it lights.
#include "app/state/subject.hpp"

#include <algorithm>

namespace headcount {
namespace {

constexpr std::string_view component_prefix = "component.";
constexpr std::string_view field_prefix = "field.";

bool has_dimension(const Tensor& tensor, Field field) {
    std::optional<Symbol> symbol = info(field).symbol;
    return symbol && uses(tensor.shape, *symbol);
}

// No shape has the batch, because it is of one sequence, and none the cached tokens while there are none.
bool depends(const Tensor& tensor, Symbol symbol) {
    if (symbol == Symbol::batch) return tensor.role != Role::parameter;
    if (symbol == Symbol::cached && kept_in_cache(tensor)) return true;
    return uses(tensor.shape, symbol);
}

}  // namespace

std::string subject_key(const Subject& subject) {
    if (const auto* tensor = std::get_if<TensorSubject>(&subject)) return tensor->id;
    if (const auto* component = std::get_if<Component>(&subject))
        return std::string(component_prefix) + std::string(component_key(*component));
    if (const auto* field = std::get_if<Field>(&subject))
        return std::string(field_prefix) + std::string(info(*field).key);
    return std::string(std::holds_alternative<TotalSubject>(subject) ? total_key : "");
}

std::string count_key(std::string_view tensor) { return std::string("count of ").append(tensor); }

Subject subject_from_key(std::string_view key) {
    if (key.empty()) return {};
    if (key == total_key) return TotalSubject{};
    if (key.starts_with(component_prefix)) {
        for (Component component : components)
            if (component_key(component) == key.substr(component_prefix.size())) return component;
        return {};
    }
    if (key.starts_with(field_prefix)) {
        for (const FieldInfo& field : fields())
            if (field.key == key.substr(field_prefix.size())) return field.field;
        return {};
    }
    return TensorSubject{std::string(key)};
}

bool alike(const Subject& a, const Subject& b) {
    const auto *one = std::get_if<TensorSubject>(&a), *other = std::get_if<TensorSubject>(&b);
    return one && other ? one->id == other->id : a == b;
}

Copies copies_of(const Subject& subject) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    return tensor ? tensor->copies : Copies{};
}

Subject carried(Subject subject, const Subject& from, const ModelGraph& graph) {
    auto* const next = std::get_if<TensorSubject>(&subject);
    const auto* const before = std::get_if<TensorSubject>(&from);
    const Tensor *to = next ? graph.find(next->id) : nullptr, *of = before ? graph.find(before->id) : nullptr;
    if (!to || !of || graph.layer_of(to->block) != graph.layer_of(of->block)) return subject;
    const auto carry = [](std::optional<std::int64_t>& into, std::optional<std::int64_t> copy, bool has) {
        if (has && !into) into = copy;
    };
    carry(next->copies.layer, before->copies.layer, graph.layer_of(to->block).has_value());
    carry(next->copies.head, before->copies.head, graph.is(to->block, BlockKind::head));
    carry(next->copies.expert, before->copies.expert, graph.is(to->block, BlockKind::expert));
    return subject;
}

bool lights(const Subject& subject, const Tensor& tensor) {
    if (const auto* pointed = std::get_if<TensorSubject>(&subject)) return pointed->id == tensor.id;
    if (const auto* component = std::get_if<Component>(&subject))
        return tensor.role == Role::parameter && tensor.component == *component;
    if (const auto* symbol = std::get_if<Symbol>(&subject)) return depends(tensor, *symbol);
    if (std::holds_alternative<Precision>(subject)) return tensor.role != Role::input;
    const auto* field = std::get_if<Field>(&subject);
    return field && has_dimension(tensor, *field);
}

bool lights(const Subject& subject, const ModelGraph& graph, Component component) {
    if (const auto* pointed = std::get_if<Component>(&subject)) return *pointed == component;
    const auto* pointed = std::get_if<TensorSubject>(&subject);
    const Tensor* tensor = pointed ? graph.find(pointed->id) : nullptr;
    return tensor && tensor->role == Role::parameter && tensor->component == component;
}

bool lights(const Subject& subject, const ModelGraph& graph, Field field) {
    if (const auto* pointed = std::get_if<Field>(&subject)) return *pointed == field;
    const auto* pointed = std::get_if<TensorSubject>(&subject);
    const Tensor* tensor = pointed ? graph.find(pointed->id) : nullptr;
    return tensor && has_dimension(*tensor, field);
}

bool row_shows(const ModelGraph& graph, TensorIndex row, const Subject& subject) {
    const auto* tensor = std::get_if<TensorSubject>(&subject);
    if (!tensor) return false;
    if (graph.tensors[row].id == tensor->id) return true;
    const Node* node = graph.producer(row);
    return node && std::ranges::any_of(node->parameters, [&](TensorIndex parameter) {
               return graph.tensors[parameter].id == tensor->id;
           });
}

}  // namespace headcount
