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
constexpr std::array<std::string_view, 4> position_words{"rope", "learned", "alibi", "none"};
constexpr std::array<std::string_view, 4> position_labels{"RoPE", "Learned", "ALiBi", "None"};
constexpr std::array<std::string_view, 2> norm_words{"rms", "layer"};
constexpr std::array<std::string_view, 2> norm_labels{"RMSNorm", "LayerNorm"};
constexpr std::array<std::string_view, 4> placement_words{"before", "after", "both", "after_sum"};
constexpr std::array<std::string_view, 4> placement_labels{"Before", "After", "Both", "After sum"};
constexpr std::array<std::string_view, 3> joining_words{"in_turn", "parallel", "parallel_shared"};
constexpr std::array<std::string_view, 3> joining_labels{"In turn", "Parallel", "Parallel, one norm"};
constexpr std::array<std::string_view, 5> qk_norm_words{"none", "per_head", "each_head", "across", "plain"};
constexpr std::array<std::string_view, 5> qk_norm_labels{"None", "Per head", "Each head", "Across", "Plain"};
constexpr auto activation_words = activation_names(&ActivationInfo::key);
constexpr auto activation_labels = activation_names(&ActivationInfo::label);

constexpr std::array<FieldInfo, 49> table{{
    {Field::dim, "dim", "Width", FieldKind::number, Symbol::dim, {}, {}},
    {Field::layers, "layers", "Layers", FieldKind::number, Symbol::layers, {}, {}},
    {Field::heads, "heads", "Heads", FieldKind::number, Symbol::heads, {}, {}},
    {Field::kv_heads, "kv_heads", "KV heads", FieldKind::number, Symbol::kv_heads, {}, {}, Absence::rule},
    {Field::head_dim, "head_dim", "Head size", FieldKind::number, Symbol::head_dim, {}, {}, Absence::rule},
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
    {Field::joining, "joining", "Sub-blocks", FieldKind::choice, {}, joining_words, joining_labels},
    {Field::final_norm, "final_norm", "Final norm", FieldKind::flag, {}, {}, {}},
    {Field::position_offset, "position_offset", "Position offset", FieldKind::number, {}, {}, {}, Absence::never, 0},
    {Field::embedding_dim,
     "embedding_dim",
     "Embedding width",
     FieldKind::number,
     Symbol::embedding_dim,
     {},
     {},
     Absence::rule},
    {Field::embedding_norm, "embedding_norm", "Embedding norm", FieldKind::flag, {}, {}, {}},
    {Field::head_bias, "head_bias", "Output head bias", FieldKind::flag, {}, {}, {}},
    {Field::qk_norm, "qk_norm", "Q, K norms", FieldKind::choice, {}, qk_norm_words, qk_norm_labels},
    {Field::qk_norm_bias, "qk_norm_bias", "Q, K norm biases", FieldKind::flag, {}, {}, {}},
    {Field::sinks, "sinks", "Attention sinks", FieldKind::flag, {}, {}, {}},
    {Field::rotary_dim, "rotary_dim", "Rotary columns", FieldKind::number, {}, {}, {}, Absence::rule},
    {Field::rotated_layers, "rotated_layers", "Rotary layers", FieldKind::layers, {}, {}, {}},
    {Field::window, "window", "Window", FieldKind::number, Symbol::window, {}, {}, Absence::none},
    {Field::window_chunked, "window_chunked", "Window in chunks", FieldKind::flag, {}, {}, {}},
    {Field::window_layers, "window_layers", "Window layers", FieldKind::layers, {}, {}, {}},
    {Field::kv_rank, "kv_rank", "KV rank", FieldKind::number, Symbol::kv_rank, {}, {}, Absence::none},
    {Field::query_rank, "query_rank", "Query rank", FieldKind::number, Symbol::query_rank, {}, {}, Absence::none},
    {Field::rope_dim, "rope_dim", "Rotated columns", FieldKind::number, Symbol::rope_dim, {}, {}},
    {Field::nope_dim, "nope_dim", "Unrotated columns", FieldKind::number, Symbol::nope_dim, {}, {}},
    {Field::value_dim, "value_dim", "Value size", FieldKind::number, Symbol::value_dim, {}, {}},
    {Field::experts, "experts", "Experts", FieldKind::number, Symbol::experts, {}, {}, Absence::none},
    {Field::experts_per_token,
     "experts_per_token",
     "Experts per token",
     FieldKind::number,
     Symbol::experts_per_token,
     {},
     {}},
    {Field::expert_dim, "expert_dim", "Expert hidden", FieldKind::number, Symbol::expert_dim, {}, {}},
    {Field::shared_experts,
     "shared_experts",
     "Shared experts",
     FieldKind::number,
     Symbol::shared_experts,
     {},
     {},
     Absence::never,
     0},
    {Field::shared_gate, "shared_gate", "Shared expert gate", FieldKind::flag, {}, {}, {}},
    {Field::router_bias, "router_bias", "Router bias", FieldKind::flag, {}, {}, {}},
    {Field::correction_bias, "correction_bias", "Load-balancing bias", FieldKind::flag, {}, {}, {}},
    {Field::mixture_layers, "mixture_layers", "Mixture layers", FieldKind::layers, {}, {}, {}},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].field != static_cast<Field>(i)) return false;
    return true;
}
static_assert(in_order(), "info() looks fields up by their place in the table");

using FfnWidth = decltype(DenseFeedForward::width);

// A part that the architecture does not have: what a field of it is then.
struct Missing {};

// A part that is there as soon as one of its numbers is: the experts of a mixture, the rank of latent attention.
template <class Owner, class Part>
struct Whole {
    Owner& part;  // an optional Part
    std::int64_t Part::*number;
    Part fresh;  // what comes when it was not there
};
template <class Owner, class Part>
Whole(Owner&, std::int64_t Part::*, Part) -> Whole<Owner, Part>;

// A mixture in a dense model's place: experts as wide as its feed-forward.
Mixture fresh_mixture(const Architecture& arch) {
    Mixture mixture;
    mixture.expert_dim = bindings(arch, Input{})[Symbol::ffn_dim].value_or(mixture.expert_dim);
    return mixture;
}

// A number that may be "none" rather than left to a rule.
template <class Number>
struct OrNone {
    Number& number;
};
template <class Number>
OrNone(Number&) -> OrNone<Number>;

// Acts on a member of a part that may be missing. Setting brings the part in; reading does not.
template <class Owner, class Fresh, class Get, class Act>
auto on_member(Owner& part, const Fresh& fresh, const Get& get, const Act& act) {
    if constexpr (std::is_const_v<Owner>) {
        return part ? act(get(*part)) : act(Missing{});
    } else {
        if (!part) part = fresh;
        return act(get(*part));
    }
}

template <class Arch, class Act>
auto on_attention(Arch& arch, Field field, const Act& act) {
    auto& attention = arch.layer.attention;
    auto of_window = [&](const auto& get) { return on_member(attention.window, AttentionWindow{}, get, act); };
    auto of_latent = [&](const auto& get) { return on_member(attention.latent, Latent{}, get, act); };
    switch (field) {
        case Field::kv_heads:
            return act(attention.kv_heads);
        case Field::head_dim:
            return act(attention.head_dim);
        case Field::qkv_bias:
            return act(attention.qkv_bias);
        case Field::attention_output_bias:
            return act(attention.output_bias);
        case Field::qk_norm:
            return act(attention.qk_norm);
        case Field::qk_norm_bias:
            return act(attention.qk_norm_bias);
        case Field::sinks:
            return act(attention.sinks);
        case Field::rotary_dim:
            return act(attention.rotary_dim);
        case Field::rotated_layers:
            return act(attention.rotated);
        case Field::window:
            return act(Whole{attention.window, &AttentionWindow::size, AttentionWindow{}});
        case Field::window_chunked:
            return of_window([](auto& window) -> auto& { return window.chunked; });
        case Field::window_layers:
            return of_window([](auto& window) -> auto& { return window.layers; });
        case Field::kv_rank:
            return act(Whole{attention.latent, &Latent::kv_rank, Latent{}});
        case Field::query_rank:
            return of_latent([](auto& latent) { return OrNone{latent.query_rank}; });
        case Field::rope_dim:
            return of_latent([](auto& latent) -> auto& { return latent.rope_dim; });
        case Field::nope_dim:
            return of_latent([](auto& latent) -> auto& { return latent.nope_dim; });
        case Field::value_dim:
            return of_latent([](auto& latent) -> auto& { return latent.value_dim; });
        default:
            return act(attention.heads);
    }
}

template <class Arch, class Act>
auto on_mixture(Arch& arch, Field field, const Act& act) {
    auto& mixture = arch.layer.mixture;
    auto of_mixture = [&](const auto& get) { return on_member(mixture, fresh_mixture(arch), get, act); };
    switch (field) {
        case Field::experts_per_token:
            return of_mixture([](auto& part) -> auto& { return part.experts_per_token; });
        case Field::expert_dim:
            return of_mixture([](auto& part) -> auto& { return part.expert_dim; });
        case Field::shared_experts:
            return of_mixture([](auto& part) -> auto& { return part.shared_experts; });
        case Field::shared_gate:
            return of_mixture([](auto& part) -> auto& { return part.shared_gate; });
        case Field::router_bias:
            return of_mixture([](auto& part) -> auto& { return part.router_bias; });
        case Field::correction_bias:
            return of_mixture([](auto& part) -> auto& { return part.correction_bias; });
        case Field::mixture_layers:
            return of_mixture([](auto& part) -> auto& { return part.layers; });
        default:
            return act(Whole{mixture, &Mixture::experts, fresh_mixture(arch)});
    }
}

// The one place where a field is a part of the architecture: acts on that part. Three fields share the feed-forward's
// width, which is a number or Meta's rule.
template <class Arch, class Act>
auto on_part(Arch& arch, Field field, const Act& act) {
    auto& feed_forward = arch.layer.feed_forward;
    switch (field) {
        case Field::dim:
            return act(arch.dim);
        case Field::layers:
            return act(arch.layers);
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
        case Field::position_offset:
            return act(arch.position_offset);
        case Field::embedding_dim:
            return act(arch.embedding_dim);
        case Field::embedding_norm:
            return act(arch.embedding_norm);
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
        case Field::final_norm:
            return act(arch.norm.final);
        case Field::gated:
            return act(feed_forward.gated);
        case Field::activation:
            return act(feed_forward.activation);
        case Field::ffn_bias:
            return act(feed_forward.bias);
        case Field::tied:
            return act(arch.tied);
        case Field::head_bias:
            return act(arch.head_bias);
        case Field::joining:
            return act(arch.layer.joining);
        case Field::experts:
        case Field::experts_per_token:
        case Field::expert_dim:
        case Field::shared_experts:
        case Field::shared_gate:
        case Field::router_bias:
        case Field::correction_bias:
        case Field::mixture_layers:
            return on_mixture(arch, field, act);
        default:
            return on_attention(arch, field, act);
    }
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
        Result<std::int64_t> value = parse_whole_number(text, field.key, field.least);
        if (!value) return value.error();
        number = *value;
        return std::nullopt;
    }

    Wrong operator()(Missing) const { return std::nullopt; }  // only ever of what cannot be set

    template <class Owner, class Part>
    Wrong operator()(const Whole<Owner, Part>& whole) const {
        if (text == "none") {
            whole.part.reset();
            return std::nullopt;
        }
        if (!whole.part) whole.part = whole.fresh;
        return (*this)((*whole.part).*(whole.number));
    }

    Wrong operator()(const OrNone<std::optional<std::int64_t>>& part) const {
        if (text != "none") return (*this)(part.number.emplace());
        part.number.reset();
        return std::nullopt;
    }

    Wrong operator()(LayerSet& layers) const {
        Result<LayerSet> set = LayerSet::parse(text, field.key);
        if (!set) return set.error();
        layers = *set;
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

    Text operator()(Missing) const { return std::nullopt; }
    template <class Owner, class Part>
    Text operator()(const Whole<Owner, Part>& whole) const {
        return whole.part ? std::to_string((*whole.part).*(whole.number)) : "none";
    }
    Text operator()(const OrNone<const std::optional<std::int64_t>>& part) const {
        return part.number ? std::to_string(*part.number) : "none";
    }
    Text operator()(const LayerSet& layers) const { return layers.text(); }
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
    if (field == Field::position_offset) return arch.position_offset;
    if (field == Field::rotary_dim)
        return arch.layer.attention.rotary_dim ? arch.layer.attention.rotary_dim
                                               : bindings(arch, Input{})[Symbol::head_dim];
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
