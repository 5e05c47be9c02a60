// Every field of an architecture by name: one table says how each is read and written as text.
#include "core/arch/fields.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

using Words = std::span<const std::string_view>;
constexpr std::array<std::string_view, 3> position_words{"rope", "learned", "none"};
constexpr std::array<std::string_view, 3> position_labels{"RoPE", "Learned", "None"};
constexpr std::array<std::string_view, 2> norm_words{"rms", "layer"};
constexpr std::array<std::string_view, 2> norm_labels{"RMSNorm", "LayerNorm"};
constexpr std::array<std::string_view, 2> placement_words{"before", "after"};
constexpr std::array<std::string_view, 2> placement_labels{"Before", "After"};
constexpr auto activation_words = activation_names(&ActivationInfo::key);
constexpr auto activation_labels = activation_names(&ActivationInfo::label);

constexpr std::array<FieldInfo, 22> table{{
    {Field::dim, "dim", "Width", FieldKind::number, Symbol::dim, {}, {}},
    {Field::layers, "layers", "Layers", FieldKind::number, Symbol::layers, {}, {}},
    {Field::heads, "heads", "Heads", FieldKind::number, Symbol::heads, {}, {}},
    {Field::kv_heads, "kv_heads", "KV heads", FieldKind::number, Symbol::kv_heads, {}, {}, true},
    {Field::head_dim, "head_dim", "Head size", FieldKind::number, Symbol::head_dim, {}, {}, true},
    {Field::ffn_dim, "ffn_dim", "FFN hidden", FieldKind::number, Symbol::ffn_dim, {}, {}},
    {Field::ffn_multiple_of, "ffn_multiple_of", "FFN multiple of", FieldKind::number, {}, {}, {}},
    {Field::ffn_multiplier, "ffn_multiplier", "FFN multiplier", FieldKind::ratio, {}, {}, {}},
    {Field::vocab, "vocab", "Vocabulary", FieldKind::number, Symbol::vocab, {}, {}},
    {Field::context, "context", "Context", FieldKind::number, Symbol::context, {}, {}},
    {Field::positions, "positions", "Positions", FieldKind::choice, {}, position_words, position_labels},
    {Field::norm, "norm", "Norm", FieldKind::choice, {}, norm_words, norm_labels},
    {Field::norm_placement, "norm_placement", "Norm placed", FieldKind::choice, {}, placement_words, placement_labels},
    {Field::norm_scale, "norm_scale", "Norm weights", FieldKind::flag, {}, {}, {}},
    {Field::norm_bias, "norm_bias", "Norm biases", FieldKind::flag, {}, {}, {}},
    {Field::norm_epsilon, "norm_epsilon", "Norm epsilon", FieldKind::real, {}, {}, {}},
    {Field::gated, "gated", "FFN gate", FieldKind::flag, {}, {}, {}},
    {Field::activation, "activation", "Activation", FieldKind::choice, {}, activation_words, activation_labels},
    {Field::tied, "tied", "Tied embeddings", FieldKind::flag, {}, {}, {}},
    {Field::qkv_bias, "qkv_bias", "Q, K, V biases", FieldKind::flag, {}, {}, {}},
    {Field::attention_output_bias, "attention_output_bias", "Attention output bias", FieldKind::flag, {}, {}, {}},
    {Field::ffn_bias, "ffn_bias", "FFN biases", FieldKind::flag, {}, {}, {}},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].field != static_cast<Field>(i)) return false;
    return true;
}
static_assert(in_order(), "info() looks fields up by their place in the table");

template <class Number>
std::string shortest(Number value) {
    std::array<char, 64> buffer{};
    auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end};
}

std::optional<Error> set_number(std::int64_t& number, std::string_view text, const FieldInfo& field) {
    Result<std::int64_t> value = parse_whole_number(text, field.key);
    if (!value) return value.error();
    number = *value;
    return std::nullopt;
}

std::optional<Error> set_optional(std::optional<std::int64_t>& number, std::string_view text, const FieldInfo& field) {
    if (text == "auto") {
        number.reset();
        return std::nullopt;
    }
    std::int64_t value = 0;
    std::optional<Error> error = set_number(value, text, field);
    if (!error) number = value;
    return error;
}

std::optional<Error> set_flag(bool& flag, std::string_view text, const FieldInfo& field) {
    if (text != "true" && text != "false")
        return Error{"\"" + std::string(text) + "\" is neither true nor false", std::string(field.key),
                     "give true or false"};
    flag = text == "true";
    return std::nullopt;
}

template <class Choice>
std::optional<Error> set_choice(Choice& choice, std::string_view text, const FieldInfo& field) {
    std::string known;
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
        if (field.choices[i] == text) {
            choice = static_cast<Choice>(i);
            return std::nullopt;
        }
        known += (i == 0 ? "give one of " : ", ") + std::string(field.choices[i]);
    }
    return Error{"\"" + std::string(text) + "\" is not a choice", std::string(field.key), known};
}

// "1.3" as 13/10: at most nine digits behind the point, so that the fraction stays small.
std::optional<Error> set_ratio(Ratio& ratio, std::string_view text, const FieldInfo& field) {
    Error error{"\"" + std::string(text) + "\" is not a positive number", std::string(field.key),
                "give a number such as 1.3, with at most nine digits behind the point"};
    std::size_t point = text.find('.');
    std::string digits(text.substr(0, point));
    std::int64_t denominator = 1;
    if (point != std::string_view::npos) {
        std::string_view behind = text.substr(point + 1);
        bool digits_only = behind.find_first_not_of("0123456789") == std::string_view::npos;
        if (behind.empty() || behind.size() > 9 || !digits_only) return error;
        for (std::size_t i = 0; i < behind.size(); ++i) denominator *= 10;
        digits += behind;
    }
    Result<std::int64_t> numerator = parse_whole_number(digits, field.key);
    if (!numerator) return error;
    std::int64_t common = std::gcd(*numerator, denominator);
    ratio = {*numerator / common, denominator / common};
    return std::nullopt;
}

std::optional<Error> set_real(double& real, std::string_view text, const FieldInfo& field) {
    double value = 0;
    auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
        return Error{"\"" + std::string(text) + "\" is not a number", std::string(field.key),
                     "give a number such as 1e-5"};
    real = value;
    return std::nullopt;
}

MetaRule rule_of(const Architecture& arch) {
    const auto* rule = std::get_if<MetaRule>(&arch.layer.feed_forward.width);
    return rule ? *rule : MetaRule{};
}

std::optional<Error> set(Architecture& arch, const FieldInfo& field, std::string_view text) {
    GroupedAttention& attention = arch.layer.attention;
    DenseFeedForward& feed_forward = arch.layer.feed_forward;
    switch (field.field) {
        case Field::dim:
            return set_number(arch.dim, text, field);
        case Field::layers:
            return set_number(arch.layers, text, field);
        case Field::heads:
            return set_number(attention.heads, text, field);
        case Field::kv_heads:
            return set_optional(attention.kv_heads, text, field);
        case Field::head_dim:
            return set_optional(attention.head_dim, text, field);
        case Field::ffn_dim: {
            std::int64_t width = 0;
            std::optional<Error> error = set_number(width, text, field);
            if (!error) feed_forward.width = width;
            return error;
        }
        case Field::ffn_multiple_of: {
            MetaRule rule = rule_of(arch);
            std::optional<Error> error = set_number(rule.multiple_of, text, field);
            if (!error) feed_forward.width = rule;
            return error;
        }
        case Field::ffn_multiplier: {
            MetaRule rule = rule_of(arch);
            std::optional<Error> error = set_ratio(rule.multiplier, text, field);
            if (!error) feed_forward.width = rule;
            return error;
        }
        case Field::vocab:
            return set_number(arch.vocab, text, field);
        case Field::context:
            return set_number(arch.context, text, field);
        case Field::positions:
            return set_choice(arch.positions, text, field);
        case Field::norm:
            return set_choice(arch.norm.kind, text, field);
        case Field::norm_placement:
            return set_choice(arch.norm.placement, text, field);
        case Field::norm_scale:
            return set_flag(arch.norm.scale, text, field);
        case Field::norm_bias:
            return set_flag(arch.norm.bias, text, field);
        case Field::norm_epsilon:
            return set_real(arch.norm.epsilon, text, field);
        case Field::gated:
            return set_flag(feed_forward.gated, text, field);
        case Field::activation:
            return set_choice(feed_forward.activation, text, field);
        case Field::tied:
            return set_flag(arch.tied, text, field);
        case Field::qkv_bias:
            return set_flag(attention.qkv_bias, text, field);
        case Field::attention_output_bias:
            return set_flag(attention.output_bias, text, field);
        case Field::ffn_bias:
            return set_flag(feed_forward.bias, text, field);
    }
    return std::nullopt;
}

std::string flag_text(bool flag) {
    return flag ? "true" : "false";
}
std::string auto_text(std::optional<std::int64_t> number) {
    return number ? std::to_string(*number) : "auto";
}

template <class Choice>
std::string choice_text(Field field, Choice choice) {
    return std::string(info(field).choices[static_cast<std::size_t>(choice)]);
}

// The exact decimal that set_ratio reads: 13/10 gives "1.3".
std::string ratio_text(Ratio ratio) {
    std::string text = std::to_string(ratio.numerator / ratio.denominator);
    std::int64_t rest = ratio.numerator % ratio.denominator;
    if (rest != 0) text += '.';
    while (rest != 0) {
        rest *= 10;
        text += std::to_string(rest / ratio.denominator);
        rest %= ratio.denominator;
    }
    return text;
}

}  // namespace

std::span<const FieldInfo> fields() {
    return table;
}
const FieldInfo& info(Field field) {
    return table[static_cast<std::size_t>(field)];
}

std::optional<Field> field_of(Symbol symbol) {
    for (const FieldInfo& field : table)
        if (field.symbol == symbol) return field.field;
    return std::nullopt;
}

std::optional<std::string> field_text(const Architecture& arch, Field field) {
    const GroupedAttention& attention = arch.layer.attention;
    const DenseFeedForward& feed_forward = arch.layer.feed_forward;
    const auto* rule = std::get_if<MetaRule>(&feed_forward.width);
    switch (field) {
        case Field::kv_heads:
            return auto_text(attention.kv_heads);
        case Field::head_dim:
            return auto_text(attention.head_dim);
        case Field::ffn_dim:
            return rule ? std::nullopt : std::optional(std::to_string(std::get<0>(feed_forward.width)));
        case Field::ffn_multiple_of:
            return rule ? std::optional(std::to_string(rule->multiple_of)) : std::nullopt;
        case Field::ffn_multiplier:
            return rule ? std::optional(ratio_text(rule->multiplier)) : std::nullopt;
        case Field::positions:
            return choice_text(field, arch.positions);
        case Field::norm:
            return choice_text(field, arch.norm.kind);
        case Field::norm_placement:
            return choice_text(field, arch.norm.placement);
        case Field::norm_scale:
            return flag_text(arch.norm.scale);
        case Field::norm_bias:
            return flag_text(arch.norm.bias);
        case Field::norm_epsilon:
            return shortest(arch.norm.epsilon);
        case Field::gated:
            return flag_text(feed_forward.gated);
        case Field::activation:
            return choice_text(field, feed_forward.activation);
        case Field::tied:
            return flag_text(arch.tied);
        case Field::qkv_bias:
            return flag_text(attention.qkv_bias);
        case Field::attention_output_bias:
            return flag_text(attention.output_bias);
        case Field::ffn_bias:
            return flag_text(feed_forward.bias);
        case Field::dim:
        case Field::layers:
        case Field::heads:
        case Field::vocab:
        case Field::context:
            break;
    }
    return std::to_string(*field_number(arch, field));
}

std::optional<std::int64_t> field_number(const Architecture& arch, Field field) {
    if (field == Field::ffn_multiple_of) {
        const auto* rule = std::get_if<MetaRule>(&arch.layer.feed_forward.width);
        return rule ? std::optional(rule->multiple_of) : std::nullopt;
    }
    std::optional<Symbol> symbol = info(field).symbol;
    return symbol ? bindings(arch, Input{})[*symbol] : std::nullopt;
}

Result<Architecture> with_field(Architecture arch, Field field, std::string_view text) {
    if (std::optional<Error> error = set(arch, info(field), text)) return *error;
    return arch;
}

Result<Architecture> with_field(Architecture arch, std::string_view key, std::string_view text) {
    std::vector<std::string_view> keys;
    std::string known;
    for (const FieldInfo& field : table) {
        if (field.key == key) return with_field(std::move(arch), field.field, text);
        keys.push_back(field.key);
        known += (known.empty() ? "" : ", ") + std::string(field.key);
    }
    std::string nearest = did_you_mean(nearest_names(key, keys));
    return Error{"unknown field \"" + std::string(key) + "\"", "", nearest.empty() ? "use one of " + known : nearest};
}

}  // namespace headcount
