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

// Whether the feed-forward's width follows a rule in one of them and is given in the other.
bool ruled_in_one(const Document& document) {
    return document.architecture.layer.feed_forward.width.index() != document.base.layer.feed_forward.width.index();
}

bool makes_ffn_width(Field field) {
    return field == Field::ffn_dim || field == Field::ffn_multiple_of || field == Field::ffn_multiplier;
}

// Whether the value in effect follows from others in both.
bool follows_in_both(const Architecture& a, const Architecture& b, Field field) {
    const auto follows = [&](const Architecture& arch) {
        const Attention& attention = arch.layer.attention;
        switch (field) {
            case Field::head_dim:
                return !attention.head_dim || attention.latent;
            case Field::kv_heads:
                return !attention.kv_heads || attention.latent;
            case Field::embedding_dim:
                return !arch.embedding_dim;
            default:
                return false;
        }
    };
    const bool latent = a.layer.attention.latent || b.layer.attention.latent;
    if (latent && (field == Field::head_dim || field == Field::kv_heads)) return true;
    return follows(a) && follows(b);
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

std::optional<Field> part_with(Field field) {
    switch (field) {
        case Field::window:
        case Field::window_chunked:
        case Field::window_layers:
            return Field::window;
        case Field::kv_rank:
        case Field::query_rank:
        case Field::rope_dim:
        case Field::nope_dim:
        case Field::value_dim:
            return Field::kv_rank;
        case Field::experts:
        case Field::experts_per_token:
        case Field::expert_dim:
        case Field::shared_experts:
        case Field::shared_gate:
        case Field::router_bias:
        case Field::correction_bias:
        case Field::mixture_layers:
            return Field::experts;
        default:
            return std::nullopt;
    }
}

bool has_part(const Architecture& arch, Field part) {
    if (part == Field::window) return arch.layer.attention.window.has_value();
    if (part == Field::kv_rank) return arch.layer.attention.latent.has_value();
    return arch.layer.mixture.has_value();
}

std::optional<Architecture> with_field_of(Architecture to, const Architecture& from, Field field) {
    const auto& width = from.layer.feed_forward.width;
    if (makes_ffn_width(field) && to.layer.feed_forward.width.index() != width.index()) {
        to.layer.feed_forward.width = width;
        return to;
    }
    const std::optional<Field> part = part_with(field);
    if (part && has_part(to, *part) != has_part(from, *part)) {
        if (*part == Field::window) to.layer.attention.window = from.layer.attention.window;
        if (*part == Field::kv_rank) to.layer.attention.latent = from.layer.attention.latent;
        if (*part == Field::experts) to.layer.mixture = from.layer.mixture;
        return to;
    }
    const std::optional<std::string> text = field_text(from, field);
    if (!text) return std::nullopt;
    Result<Architecture> changed = with_field(std::move(to), field, *text);
    return changed ? std::optional(std::move(*changed)) : std::nullopt;
}

std::vector<Field> changed_fields(const Document& document) {
    std::vector<Field> changed;
    for (const FieldInfo& field : fields()) {
        // Dimensions are compared by the value in effect: 32 key/value heads written out are still "one for each".
        bool same = field.symbol
                        ? field_number(document.architecture, field.field) == field_number(document.base, field.field)
                        : field_text(document.architecture, field.field) == field_text(document.base, field.field);
        if (field.field == Field::ffn_dim && ruled_in_one(document)) same = false;
        bool follows = follows_in_both(document.architecture, document.base, field.field);
        const std::optional<Field> part = part_with(field.field);
        bool of_part =
            part && *part != field.field && has_part(document.architecture, *part) != has_part(document.base, *part);
        bool ruled = field.field == Field::ffn_dim && !field_text(document.architecture, field.field);
        // A rule that has come is one change, said beside its multiple.
        bool said = field.field == Field::ffn_multiplier && ruled_in_one(document);
        bool gone = field.field == Field::ffn_multiple_of && !field_text(document.architecture, field.field);
        if (!same && !of_part && !follows && !ruled && !said && !gone) changed.push_back(field.field);
    }
    return changed;
}

Derived derive(const Document& document, const Derived* before) {
    Derived derived;
    if (before) derived.weights = before->weights;
    derived.changed = changed_fields(document);
    derived.problems = validate(document.architecture);
    if (derived.problems.empty()) derived.errors = validate(document.architecture, document.input);
    Result<Counted> shown = count(document.architecture, document.input);
    if (!shown && derived.problems.empty() && derived.errors.empty()) derived.errors.push_back(shown.error());
    derived.current = static_cast<bool>(shown);
    if (shown)
        derived.shown = *std::move(shown);
    else if (before)
        derived.shown = before->shown;
    const bool shows = derived.shown.architecture.family;
    derived.base = base_of(document, shows ? derived.shown.input : Input{}, before);
    if (!shows) derived.shown = derived.base;
    if (derived.current)
        derived.effects =
            effects_of({document, derived.changed, derived.shown.parameters.total, derived.base.parameters.total});
    else if (before)
        derived.effects = before->effects;
    return derived;
}

}  // namespace headcount
