// Every field of an architecture by name: one table says how each is read and written as text.
#include "core/arch/fields.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <type_traits>
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

using FfnWidth = decltype(DenseFeedForward::width);

// The one place where a field is a part of the architecture: acts on that part. Three fields share the feed-forward's
// width, which is a number or Meta's rule.
template <class Arch, class Act>
auto on_part(Arch& arch, Field field, const Act& act) {
    auto& attention = arch.layer.attention;
    auto& feed_forward = arch.layer.feed_forward;
    switch (field) {
        case Field::dim:
            return act(arch.dim);
        case Field::layers:
            return act(arch.layers);
        case Field::heads:
            return act(attention.heads);
        case Field::kv_heads:
            return act(attention.kv_heads);
        case Field::head_dim:
            return act(attention.head_dim);
        case Field::ffn_dim:
        case Field::ffn_multiple_of:
        case Field::ffn_multiplier:
            return act(feed_forward.width);
        case Field::vocab:
            return act(arch.vocab);
        case Field::context:
            return act(arch.context);
        case Field::positions:
            return act(arch.positions);
        case Field::norm:
            return act(arch.norm.kind);
        case Field::norm_placement:
            return act(arch.norm.placement);
        case Field::norm_scale:
            return act(arch.norm.scale);
        case Field::norm_bias:
            return act(arch.norm.bias);
        case Field::norm_epsilon:
            return act(arch.norm.epsilon);
        case Field::gated:
            return act(feed_forward.gated);
        case Field::activation:
            return act(feed_forward.activation);
        case Field::tied:
            return act(arch.tied);
        case Field::qkv_bias:
            return act(attention.qkv_bias);
        case Field::attention_output_bias:
            return act(attention.output_bias);
        case Field::ffn_bias:
            break;
    }
    return act(feed_forward.bias);
}

// Reads text into a part; what is wrong about the text otherwise.
struct Setter {
    const FieldInfo& field;
    std::string_view text;

    using Wrong = std::optional<Error>;

    Error wrong(std::string_view what, std::string fix) const {
        return {"\"" + std::string(text) + "\" is " + std::string(what), std::string(field.key), std::move(fix)};
    }

    Wrong operator()(std::int64_t& number) const {
        Result<std::int64_t> value = parse_whole_number(text, field.key);
        if (!value) return value.error();
        number = *value;
        return std::nullopt;
    }

    Wrong operator()(std::optional<std::int64_t>& number) const {
        std::int64_t value = 0;
        const bool rule = text == "auto";
        Wrong error = rule ? std::nullopt : (*this)(value);
        if (!error) number = rule ? std::nullopt : std::optional(value);
        return error;
    }

    Wrong operator()(bool& flag) const {
        if (text != "true" && text != "false") return wrong("neither true nor false", "give true or false");
        flag = text == "true";
        return std::nullopt;
    }

    template <class Choice>
    requires std::is_enum_v<Choice> Wrong operator()(Choice& choice) const {
        std::string known;
        for (std::size_t i = 0; i < field.choices.size(); ++i) {
            if (field.choices[i] == text) {
                choice = static_cast<Choice>(i);
                return std::nullopt;
            }
            known += (i == 0 ? "give one of " : ", ") + std::string(field.choices[i]);
        }
        return wrong("not a choice", known);
    }

    Wrong operator()(double& real) const {
        double value = 0;
        auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
            return wrong("not a number", "give a number such as 1e-5");
        real = value;
        return std::nullopt;
    }

    // "1.3" as 13/10: at most nine digits behind the point, so that the fraction stays small.
    Wrong operator()(Ratio& ratio) const {
        Error error =
            wrong("not a positive number", "give a number such as 1.3, with at most nine digits behind the point");
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

    Wrong operator()(FfnWidth& width) const {
        std::int64_t number = 0;
        const auto* given = std::get_if<MetaRule>(&width);
        MetaRule rule = given ? *given : MetaRule{};
        Wrong error = field.field == Field::ffn_dim           ? (*this)(number)
                      : field.field == Field::ffn_multiple_of ? (*this)(rule.multiple_of)
                                                              : (*this)(rule.multiplier);
        if (!error) width = field.field == Field::ffn_dim ? FfnWidth(number) : FfnWidth(rule);
        return error;
    }
};

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

// A part as text that Setter reads back.
struct Printer {
    const FieldInfo& field;

    using Text = std::optional<std::string>;

    Text operator()(std::int64_t number) const { return std::to_string(number); }
    Text operator()(const std::optional<std::int64_t>& number) const {
        return number ? std::to_string(*number) : "auto";
    }
    Text operator()(bool flag) const { return flag ? "true" : "false"; }
    Text operator()(double real) const {
        std::array<char, 64> buffer{};
        auto [end, failure] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), real);
        return std::string(buffer.data(), end);
    }
    template <class Choice>
    requires std::is_enum_v<Choice> Text operator()(Choice choice) const {
        return std::string(field.choices[static_cast<std::size_t>(choice)]);
    }
    Text operator()(const FfnWidth& width) const {
        const auto* rule = std::get_if<MetaRule>(&width);
        if (field.field == Field::ffn_dim) return rule ? std::nullopt : (*this)(std::get<std::int64_t>(width));
        if (!rule) return std::nullopt;
        return field.field == Field::ffn_multiple_of ? (*this)(rule->multiple_of) : ratio_text(rule->multiplier);
    }
};

// The place of a choice among the choices; 0 or 1 of a flag.
struct Place {
    int operator()(bool flag) const { return flag ? 1 : 0; }
    template <class Part>
    int operator()(const Part& part) const {
        if constexpr (std::is_enum_v<Part>) return static_cast<int>(part);
        return 0;
    }
};

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
    return on_part(arch, field, Printer{info(field)});
}

int field_place(const Architecture& arch, Field field) {
    return on_part(arch, field, Place{});
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
    if (std::optional<Error> error = on_part(arch, field, Setter{info(field), text})) return *error;
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
