// What follows from a document: graph and analyses.
#include "app/state/derived.hpp"

#include <cassert>

namespace headcount {
namespace {

Cache cache_of(const Input& input) {
    return input.cached > 0 ? Cache::filled : Cache::empty;
}

// The total of the parameters alone: what an effect needs, without the rest.
std::optional<std::int64_t> total_of(const Architecture& arch) {
    if (!validate(arch).empty()) return std::nullopt;
    Result<Parameters> parameters = count_parameters(expand(arch), bindings(arch, Input{}));
    return parameters ? std::optional(parameters->total) : std::nullopt;
}

// What each changed field adds: the total less the total with this one field set back. Fields that cannot be set back
// alone (8 KV heads left over from other heads) have no effect of their own.
std::map<Field, std::int64_t> effects_of(const Document& document, std::int64_t total) {
    std::map<Field, std::int64_t> effects;
    for (Field field : changed_fields(document)) {
        std::optional<std::string> before = field_text(document.base, field);
        if (!before) continue;
        Result<Architecture> without = with_field(document.architecture, field, *before);
        if (!without) continue;
        if (std::optional<std::int64_t> rest = total_of(*without)) effects[field] = total - *rest;
    }
    return effects;
}

}  // namespace

Result<Counted> count(const Architecture& architecture, const Input& input) {
    if (std::vector<Problem> problems = validate(architecture); !problems.empty()) return problems.front().error;
    if (std::vector<Error> errors = validate(architecture, input); !errors.empty()) return errors.front();
    Counted counted{architecture, input, expand(architecture, cache_of(input)), bindings(architecture, input), {},
                    {},           {}};
    Result<Parameters> parameters = count_parameters(counted.graph, counted.bindings);
    if (!parameters) return parameters.error();
    Result<std::vector<ActivationRow>> rows = activations(counted.graph, counted.bindings, input.precision);
    if (!rows) return rows.error();
    Result<std::vector<ActivationRow>> head = head_activations(counted.graph, counted.bindings, input.precision);
    if (!head) return head.error();
    counted.parameters = std::move(*parameters);
    counted.activations = std::move(*rows);
    counted.head = std::move(*head);
    return counted;
}

std::vector<Field> changed_fields(const Document& document) {
    std::vector<Field> changed;
    for (const FieldInfo& field : fields()) {
        // Dimensions are compared by the value in effect: 32 key/value heads written out are still "one for each".
        bool same = field.symbol
                        ? field_number(document.architecture, field.field) == field_number(document.base, field.field)
                        : field_text(document.architecture, field.field) == field_text(document.base, field.field);
        bool derived = field.field == Field::head_dim && !document.architecture.layer.attention.head_dim &&
                       !document.base.layer.attention.head_dim;
        bool follows = field.field == Field::kv_heads && !document.architecture.layer.attention.kv_heads &&
                       !document.base.layer.attention.kv_heads;
        bool ruled = field.field == Field::ffn_dim && !field_text(document.architecture, field.field);
        if (!same && !derived && !follows && !ruled) changed.push_back(field.field);
    }
    return changed;
}

Derived derive(const Document& document, const Derived* before) {
    Derived derived;
    derived.problems = validate(document.architecture);
    if (derived.problems.empty()) derived.errors = validate(document.architecture, document.input);
    Result<Counted> shown = count(document.architecture, document.input);
    if (!shown && derived.problems.empty() && derived.errors.empty()) derived.errors.push_back(shown.error());
    derived.current = static_cast<bool>(shown);
    if (shown) {
        derived.shown = std::move(*shown);
        derived.effects = effects_of(document, derived.shown.parameters.total);
    } else if (before) {
        derived.shown = before->shown;
        derived.effects = before->effects;
    }
    // The base is counted with the input that is shown, so that both sides of a comparison have the same tokens.
    Result<Counted> base = count(document.base, derived.shown.architecture.family ? derived.shown.input : Input{});
    if (!base) base = count(document.base, Input{.tokens = 1});
    assert(base && "a document's base is a preset or a file, and both are checked when they are opened");
    derived.base = std::move(*base);
    if (!derived.shown.architecture.family) derived.shown = derived.base;
    return derived;
}

}  // namespace headcount
