// What follows from a document: graph and analyses.
#include "app/state/derived.hpp"

#include <cassert>

#include "core/base/text.hpp"
#include "core/files/open.hpp"
#include "core/files/stored_formats.hpp"

namespace headcount {
namespace {

// The total of the parameters alone: what an effect needs, without the rest.
std::optional<std::int64_t> total_of(const Architecture& arch) {
    const Result<CountedModel> model = count_model(arch);
    return model ? std::optional(model->parameters.total) : std::nullopt;
}

// A document beside its base, with what was counted in both.
struct Comparison {
    const Document& document;
    const std::vector<Field>& changed;
    std::int64_t total, base_total;

    // Of an edit of one of them. Setting back the only change makes the base, which need not be counted again.
    std::optional<std::int64_t> total_of_edit(const std::optional<Architecture>& arch) const {
        if (!arch) return std::nullopt;
        return *arch == document.base ? base_total : total_of(*arch);
    }
};

// The total with this field set back, and with it every changed field that cannot stay without it.
std::optional<std::int64_t> total_without(const Comparison& compared, Field field) {
    const Document& document = compared.document;
    std::optional<Architecture> without = with_field_of(document.architecture, document.base, field);
    for (std::size_t i = 0; without && i < compared.changed.size() && !compared.total_of_edit(without); ++i)
        without = with_field_of(*without, document.base, compared.changed[i]);
    return compared.total_of_edit(without);
}

// What one changed field adds: the total less the total with this field alone set back. Where that is impossible (8
// KV heads left over from other heads), what the change makes of the base; where that is impossible too, what it
// makes together with those that it needs.
std::optional<std::int64_t> effect_of(const Comparison& compared, Field field) {
    const Document& document = compared.document;
    const auto rest = compared.total_of_edit(with_field_of(document.architecture, document.base, field));
    if (rest) return compared.total - *rest;
    const auto with = compared.total_of_edit(with_field_of(document.base, document.architecture, field));
    if (with) return *with - compared.base_total;
    const auto without = total_without(compared, field);
    return without ? std::optional(compared.total - *without) : std::nullopt;
}

std::map<Field, std::int64_t> effects_of(const Comparison& compared) {
    std::map<Field, std::int64_t> effects;
    for (Field field : compared.changed)
        if (std::optional<std::int64_t> effect = effect_of(compared, field)) effects[field] = *effect;
    return effects;
}

// Counted with the input that is shown, so that both sides of a comparison have the same tokens. In a drag it stays.
Counted base_of(const Document& document, const Input& input, const Derived* before) {
    if (before && before->base.architecture == document.base && before->base.input == input) return before->base;
    Result<Counted> base = count(document.base, input);
    if (!base) base = count(document.base, Input{.tokens = 1});
    assert(base && "a document's base is a preset or a file, and both are checked when they are opened");
    return *std::move(base);
}

// What of an impossible document can be shown where no earlier picture of it is left, as after a start: its base with
// those of its edits that fit, one after another, and as much of the input as that model takes.
Counted possible_of(const Document& document, const std::vector<Field>& changed) {
    Architecture possible = document.base;
    std::vector<Field> left = changed;
    const auto fits = [&](Field field) {
        const std::optional<Architecture> with = with_field_of(possible, document.architecture, field);
        if (!with || !total_of(*with)) return false;
        possible = *with;
        return true;
    };
    while (std::erase_if(left, fits) > 0) {
    }  // what fits may make room for another
    Result<Counted> counted = count(possible, document.input);
    if (!counted) counted = count(possible, Input{.tokens = 1});
    return counted ? *std::move(counted) : Counted{};
}

}  // namespace

std::vector<Field> changed_fields(const Document& document) {
    return changed_fields(document.base, document.architecture);
}

std::string total_text(const Derived& derived) {
    return std::string(doubt_sign(derived.doubt)) + grouped(derived.shown.parameters.total);
}

std::string short_total_text(const Derived& derived) {
    return std::string(doubt_sign(derived.doubt)) + short_count(derived.shown.parameters.total);
}

std::string_view sign_of(const Derived& derived, Metric metric) {
    const bool stored = derived.doubt.empty() && hangs_on_weights(metric);
    return doubt_sign(stored ? derived.weights_doubt : derived.doubt);
}

Derived derive(const Document& document, const Derived* before) {
    Derived derived;
    if (before) derived.weights = before->weights;
    derived.changed = changed_fields(document);
    derived.doubt = doubt_on(document);
    derived.problems = validate(document.architecture);
    if (derived.problems.empty()) derived.errors = validate(document.architecture, document.input);
    Result<Counted> shown = count(document.architecture, document.input);
    if (!shown && derived.problems.empty() && derived.errors.empty()) derived.errors.push_back(shown.error());
    derived.current = static_cast<bool>(shown);
    if (shown)
        derived.shown = *std::move(shown);
    else if (before)
        derived.shown = before->shown;
    else
        derived.shown = possible_of(document, derived.changed);
    const bool shows = derived.shown.architecture.family;
    derived.base = base_of(document, shows ? derived.shown.input : Input{}, before);
    if (!shows) derived.shown = derived.base;
    derived.weights_doubt = doubt_on_weights(derived.shown.architecture, derived.shown.input.precision);
    if (derived.current)
        derived.effects =
            effects_of({document, derived.changed, derived.shown.parameters.total, derived.base.parameters.total});
    else if (before)
        derived.effects = before->effects;
    return derived;
}

}  // namespace headcount
