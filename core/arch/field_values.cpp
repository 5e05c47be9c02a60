// The fields' values: as text that is read, written and changed; as numbers, which is what symbols stand for.
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/arch/field_parts.hpp"
#include "core/arch/rules.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

using namespace field_parts;

// Reads text into a part; what is wrong about the text otherwise.
struct Setter {
    const FieldInfo& field;
    std::string_view text;
    std::string_view name;  // what an error calls the field

    using Wrong = std::optional<Error>;

    // What it may be besides a number.
    std::string_view besides() const {
        constexpr std::array<std::string_view, 3> words{"", ", or auto", ", or none"};  // as Absence has them
        return words[static_cast<std::size_t>(field.absence)];
    }
    Error wrong(std::string_view allowed) const { return must_be(name, allowed, text); }

    Wrong operator()(std::int64_t& number) const {
        Result<std::int64_t> value = parse_length(text, field.key, field.least);
        if (!value) return must_be_number(name, text, value.error(), field.least, besides());
        number = *value;
        return std::nullopt;
    }

    Wrong operator()(Missing) const { return std::nullopt; }  // only ever of what cannot be set

    template <class Owner, class Part, class Fresh>
    Wrong operator()(const Whole<Owner, Part, Fresh>& whole) const {
        if (text == "none") {
            whole.part.reset();
            return std::nullopt;
        }
        if (!whole.part) whole.part = whole.fresh();
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

    // "512x10/5,2dx3/2": each as its columns, which may be so many times the width, its kernel and its stride; "none",
    // of families that hear besides.
    Wrong operator()(std::vector<Convolution>& convolutions) const {
        std::vector<Convolution> read;
        const bool none = text == "none";
        for (std::string_view rest = none ? "" : text; (read.empty() && !none) || !rest.empty();) {
            const std::string_view one = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), one.size() + 1));
            const std::size_t times = one.find('x'), over = one.find('/');
            const bool parted = times != one.npos && over != one.npos && times < over;
            const auto number = [&](std::string_view digits) { return parse_whole_number(digits, field.key); };
            std::string_view many = one.substr(0, times);
            const bool of_dim = parted && many.ends_with('d');
            if (of_dim) many = many.size() == 1 ? "1" : many.substr(0, many.size() - 1);
            const Result<std::int64_t> columns = number(many);
            const Result<std::int64_t> kernel = number(parted ? one.substr(times + 1, over - times - 1) : one);
            const Result<std::int64_t> stride = number(parted ? one.substr(over + 1) : one);
            if (!parted || !columns || !kernel || !stride || *columns < 1 || *kernel < 1 || *stride < 1)
                return wrong("columns, kernel and stride of each convolution, such as 512x10/5,512x3/2");
            read.push_back({*columns, *kernel, *stride, of_dim});
        }
        convolutions = std::move(read);
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
        if (text != "true" && text != "false") return wrong("true or false");
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
            known += (i == 0 ? "one of " : ", ") + std::string(field.choices[i]);
        }
        return wrong(known);
    }

    Wrong operator()(double& real) const {
        double value = 0;
        auto [end, failure] = read_real(text.data(), text.data() + text.size(), value);
        if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
            return wrong("a number from 0 up, such as 1e-5");
        real = value;
        return std::nullopt;
    }

    // "1.3" as 13/10: at most nine digits behind the point, so that the fraction stays small.
    Wrong operator()(Ratio& ratio) const {
        Error error = wrong("a number above 0 such as 1.3, with at most nine digits behind the point");
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

// The exact decimal that Setter reads: 13/10 gives "1.3".
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
    template <class Owner, class Part, class Fresh>
    Text operator()(const Whole<Owner, Part, Fresh>& whole) const {
        return whole.part ? std::to_string((*whole.part).*(whole.number)) : "none";
    }
    Text operator()(const OrNone<const std::optional<std::int64_t>>& part) const {
        return part.number ? std::to_string(*part.number) : "none";
    }
    Text operator()(const LayerSet& layers) const { return layers.text(); }
    Text operator()(const std::vector<Convolution>& convolutions) const {
        std::string text;
        for (const auto& [columns, kernel, stride, of_dim] : convolutions)
            text += (text.empty() ? "" : ",") + (of_dim && columns == 1 ? "" : std::to_string(columns)) +
                    (of_dim ? "dx" : "x") + std::to_string(kernel) + "/" + std::to_string(stride);
        return text.empty() ? "none" : text;
    }
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

// A part as a number, where it is one and no rule has it.
struct OwnNumber {
    using Number = std::optional<std::int64_t>;

    template <class Owner, class Part, class Fresh>
    Number operator()(const Whole<Owner, Part, Fresh>& whole) const {
        return whole.part ? Number((*whole.part).*(whole.number)) : std::nullopt;
    }
    Number operator()(const OrNone<const Number>& part) const { return part.number; }
    Number operator()(const FfnWidth& width) const {
        const auto* number = std::get_if<std::int64_t>(&width);
        return number ? Number(*number) : std::nullopt;
    }
    template <class Part>
    Number operator()(const Part& part) const {
        if constexpr (std::is_same_v<Part, std::int64_t> || std::is_same_v<Part, Number>) return part;
        return std::nullopt;
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

// Else its symbol stands for nothing: there are no such rows.
bool stands_for_something(const Architecture& arch, Field field) {
    if (field == Field::relative_buckets) return scores_distances(arch);
    if (field == Field::token_types) return arch.token_types > 0;
    return field != Field::classes || arch.output == OutputKind::classes;
}

// Where every head has queries and keys of its own, as wide as its values.
void bind_own_keys(Bindings& values, const Recurrence& recurrence) {
    const RecurrenceKind kind = recurrence.kind;
    if (kind == RecurrenceKind::kimi_delta) values.set(Symbol::step_rank, recurrence.state_dim);
    if (kind == RecurrenceKind::kimi_delta || kind == RecurrenceKind::lightning ||
        kind == RecurrenceKind::dynamic_decay || kind == RecurrenceKind::general_delta) {
        values.set(Symbol::state_head_dim, recurrence.state_dim);
        values.set(Symbol::state_groups, recurrence.heads);
    }
}

}  // namespace

std::optional<std::string> field_text(const Architecture& arch, Field field) {
    return on_part(arch, field, Printer{info(field)});
}

int field_place(const Architecture& arch, Field field) { return on_part(arch, field, Place{}); }

Bindings bindings(const Architecture& arch, const Input& input) {
    Bindings values;
    for (const FieldInfo& field : fields())
        if (field.symbol && stands_for_something(arch, field.field))
            values.set(*field.symbol, on_part(arch, field.field, OwnNumber{}));
    for (const FieldInfo& field : fields())
        if (const std::optional<Expr> rule = field.symbol ? rule_of(arch, *field.symbol) : std::nullopt) {
            const Result<std::int64_t> value = evaluate(*rule, values);
            values.set(*field.symbol, value ? std::optional(*value) : std::nullopt);
        }
    values.set(Symbol::tokens, input.tokens);
    values.set(Symbol::batch, input.batch);
    values.set(Symbol::cached, input.cached);
    if (arch.encoder) values.set(Symbol::source, input.source);
    if (const std::optional<Expr> rule = rule_of(arch, Symbol::source))
        if (const Result<std::int64_t> source = evaluate(*rule, values)) values.set(Symbol::source, *source);
    if (arch.sound) values.set(Symbol::channels, arch.sound->channels);
    if (arch.layer.recurrence) bind_own_keys(values, *arch.layer.recurrence);
    if (arch.patches) {
        // An image has as many as it has, whatever a text would have.
        const Expr rows = patch_count(arch) + Symbol::class_tokens + Symbol::registers;
        if (Result<std::int64_t> tokens = evaluate(rows, values)) {
            values.set(Symbol::tokens, *tokens);
            values.set(Symbol::context, *tokens);
        }
    }
    bind_experts_read(values);
    return values;
}

std::optional<std::int64_t> field_number(const Architecture& arch, Field field) {
    if (field == Field::ffn_multiple_of) {
        const auto* rule = std::get_if<MetaRule>(&arch.layer.feed_forward.width);
        return rule ? std::optional(rule->multiple_of) : std::nullopt;
    }
    if (field == Field::patch_stride && arch.patches) return arch.patches->stride.value_or(arch.patches->size);
    if (field == Field::rotary_dim && !arch.layer.attention.rotary_dim)
        return bindings(arch, Input{})[Symbol::head_dim];
    const std::optional<Symbol> symbol = info(field).symbol;
    const bool by_itself = !symbol || field == Field::token_types || field == Field::relative_buckets;
    return by_itself ? on_part(arch, field, OwnNumber{}) : bindings(arch, Input{})[*symbol];
}

namespace {

Result<Architecture> with_named(Architecture arch, const FieldInfo& field, std::string_view text,
                                std::string_view name) {
    if (std::optional<Error> error = on_part(arch, field.field, Setter{field, text, name})) return *error;
    return arch;
}

}  // namespace

Result<Architecture> with_field(Architecture arch, Field field, std::string_view text) {
    return with_named(std::move(arch), info(field), text, info(field).label);
}

Result<Architecture> with_field(Architecture arch, std::string_view key, std::string_view text) {
    std::vector<std::string_view> keys;
    for (const FieldInfo& field : fields()) {
        if (field.key == key) return with_named(std::move(arch), field, text, key);
        keys.push_back(field.key);
    }
    const std::optional<Field> called = field_called(key);
    return Error{"unknown field " + quote(key), "",
                 called ? "did you mean " + std::string(info(*called).key) + "?" : use_one_of(key, keys)};
}

// What most files call it, as transformers spells it.
constexpr std::array<std::pair<std::string_view, Field>, 17> names_in_files{
    {{"hidden_size", Field::dim},
     {"n_embd", Field::dim},
     {"d_model", Field::dim},
     {"num_hidden_layers", Field::layers},
     {"n_layer", Field::layers},
     {"num_attention_heads", Field::heads},
     {"n_head", Field::heads},
     {"num_key_value_heads", Field::kv_heads},
     {"intermediate_size", Field::ffn_dim},
     {"vocab_size", Field::vocab},
     {"max_position_embeddings", Field::context},
     {"tie_word_embeddings", Field::tied},
     {"n_positions", Field::context},
     {"n_inner", Field::ffn_dim},
     {"num_experts", Field::experts},
     {"num_local_experts", Field::experts},
     {"moe_intermediate_size", Field::expert_dim}}};

std::optional<Field> field_called(std::string_view name) {
    const auto letters = [](std::string_view text) {
        std::string plain;
        for (const char c : text)
            if (c != ' ' && c != '-' && c != '_') plain += lower(c);
        return plain;
    };
    for (const auto& [each, field] : names_in_files)
        if (each == name) return field;
    const std::string asked = letters(name);
    for (const FieldInfo& field : fields()) {
        const SymbolInfo* const symbol = field.symbol ? &info(*field.symbol) : nullptr;
        if (letters(field.label) == asked || (symbol && (letters(symbol->name) == asked || symbol->text == name)))
            return field.field;
    }
    return std::nullopt;
}

}  // namespace headcount
