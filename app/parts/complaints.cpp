// From problems and errors to sentences beside rows.
#include "app/parts/complaints.hpp"

#include <algorithm>
#include <tuple>

#include "core/analysis/amount_text.hpp"
#include "core/base/checked.hpp"
#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr InputField inputs[] = {InputField::tokens, InputField::source, InputField::batch, InputField::cached};

constexpr auto number_of(InputField field) {
    constexpr std::int64_t Input::*numbers[] = {&Input::tokens, &Input::source, &Input::batch, &Input::cached};
    return numbers[static_cast<int>(field)];
}

std::optional<Mending> mending_of(const Document& document, const Fix& fix, Field beside) {
    Result<Architecture> arch = with_field(document.architecture, fix.field, fix.text);
    if (!arch) return std::nullopt;
    Mending mending{fix.label, document, fix.field};
    mending.document.architecture = std::move(*arch);
    // "Use 4032" beside another field than the one it sets would mislead.
    const bool number = info(fix.field).kind == FieldKind::number;
    if (fix.field != beside && number) mending.label = std::string(info(fix.field).label) + " " + fix.text;
    return mending;
}

Complaint complaint_of(const Shown& model, const Problem& problem) {
    const std::optional<Field> edited = model.look.edited;
    const bool takes_part = edited && contains(problem.fields, *edited);
    const Field field = takes_part ? *edited : problem.fields.front();
    Complaint complaint{field, std::nullopt, problem.error.what + ".", std::nullopt};
    const Fix* fix = problem.fixes.empty() ? nullptr : &problem.fixes.front();
    for (const Fix& candidate : problem.fixes)
        if (candidate.field == field) fix = &candidate;
    if (fix) complaint.mending = mending_of(model.document, *fix, field);
    return complaint;
}

std::optional<Mending> use(const Document& document, InputField field, std::int64_t number) {
    const std::string text = std::to_string(number);
    Result<Document> mended = with_input(document, field, text);
    if (!mended) return std::nullopt;
    return Mending{"Use " + text, std::move(*mended), std::nullopt};
}

// The input back to what was shown last, where that differs.
std::optional<Mending> input_mending(const Shown& model, InputField field) {
    const std::int64_t before = input_number(model.derived.shown.input, field);
    if (before == input_number(model.document.input, field)) return std::nullopt;
    return use(model.document, field, before);
}

// With learned positions: as many tokens as there are rows left.
std::optional<Mending> shorter(const Shown& model, InputField field) {
    const Architecture& arch = model.document.architecture;
    const std::int64_t room = arch.context - model.document.input.cached;
    if (field != InputField::tokens || !has_position_table(arch) || room < 1) return std::nullopt;
    return use(model.document, field, room);
}

// Something that differs from the last possible document, and may be why a number no longer fits.
struct Suspect {
    std::optional<Field> field;
    std::optional<InputField> input;
    bool in_product = false;
    bool edited_last = false;
    std::int64_t value = 0;
};

// The product that does not fit, read from where the error points; 0 where a sum does not fit.
Expr product_of(const Error& error) {
    const std::size_t colon = error.where.rfind(": ");
    const Result<Expr> product = parse_expr(error.where.substr(colon == std::string::npos ? 0 : colon + 2));
    return product ? *product : Expr(0);
}

// Whether a product depends on a field: through its symbol, or one that a rule makes from it.
bool depends(const Expr& product, const Architecture& arch, Field field) {
    const auto has = [&](Symbol symbol) { return uses(Shape{product}, symbol); };
    if (info(field).symbol && has(*info(field).symbol)) return true;
    const Attention& attention = arch.layer.attention;
    const bool head_size = has(Symbol::head_dim) && !attention.head_dim;
    const bool width = has(Symbol::ffn_dim) && std::holds_alternative<MetaRule>(arch.layer.feed_forward.width);
    switch (field) {
        case Field::dim: return head_size || width;
        case Field::heads: return head_size || (has(Symbol::kv_heads) && !attention.kv_heads);
        case Field::ffn_multiple_of:
        case Field::ffn_multiplier: return width;
        default: return false;
    }
}

// Everything that differs from the last possible document, the likeliest first.
std::vector<Suspect> suspects(const Shown& model, const Expr& product) {
    constexpr Symbol symbols[] = {Symbol::tokens, Symbol::batch, Symbol::cached};
    const Architecture& now = model.document.architecture;
    const Architecture& before = model.derived.shown.architecture;
    std::vector<Suspect> all;
    for (const FieldInfo& about : fields()) {
        const Field field = about.field;
        if (field_text(now, field) == field_text(before, field)) continue;
        all.push_back({field, std::nullopt, depends(product, now, field), model.look.edited == field,
                       field_number(now, field).value_or(0)});
    }
    for (InputField input : inputs) {
        const std::int64_t value = input_number(model.document.input, input);
        if (value == input_number(model.derived.shown.input, input)) continue;
        all.push_back({std::nullopt, input, uses(Shape{product}, symbols[static_cast<int>(input)]), false, value});
    }
    std::ranges::stable_sort(all, [](const Suspect& a, const Suspect& b) {
        return std::tuple(b.in_product, b.edited_last, b.value) < std::tuple(a.in_product, a.edited_last, a.value);
    });
    return all;
}

// One suspect as it was, where that alone makes the document possible.
std::optional<Mending> mending_of(const Shown& model, const Suspect& suspect) {
    std::optional<Mending> mending;
    if (suspect.input) {
        mending = input_mending(model, *suspect.input);
    } else if (const auto before = field_text(model.derived.shown.architecture, *suspect.field)) {
        mending = mending_of(
            model.document,
            {*suspect.field, *before, "Use " + field_words(model.derived.shown.architecture, *suspect.field)},
            *suspect.field);
    }
    if (mending && !count(mending->document.architecture, mending->document.input)) mending.reset();
    return mending;
}

Complaint complaint_of(const Shown& model, const Error& error) {
    Complaint complaint{std::nullopt, std::nullopt, error.what + ".", std::nullopt};
    for (InputField field : inputs) {
        if (error.where != input_key(field)) continue;
        complaint.input = field;
        complaint.mending = shorter(model, field);
        if (!complaint.mending) complaint.mending = input_mending(model, field);
        return complaint;
    }
    const std::vector<Suspect> all = suspects(model, product_of(error));
    if (all.empty()) return complaint;
    // Where no product tells, whatever mends it is to blame.
    const Suspect* blamed = &all.front();
    complaint.mending = mending_of(model, *blamed);
    for (const Suspect& other : all) {
        if (complaint.mending || blamed->in_product) break;
        complaint.mending = mending_of(model, other);
        if (complaint.mending) blamed = &other;
    }
    complaint.field = blamed->field;
    complaint.input = blamed->input;
    return complaint;
}

}  // namespace

std::vector<Complaint> complaints(const Shown& model) {
    std::vector<Complaint> all;
    for (const Problem& problem : model.derived.problems) all.push_back(complaint_of(model, problem));
    for (const Error& error : model.derived.errors) all.push_back(complaint_of(model, error));
    return all;
}

std::int64_t input_number(const Input& input, InputField field) { return input.*number_of(field); }

Result<Document> with_input(Document document, InputField field, std::string_view text) {
    constexpr std::string_view names[] = {"tokens", "source tokens", "batch", "cached tokens"};
    const std::int64_t least = field == InputField::cached ? 0 : 1;
    const Result<std::int64_t> number = parse_length(text, input_key(field), least);
    if (!number) return must_be_number(names[static_cast<int>(field)], text, number.error(), least);
    document.input.*number_of(field) = *number;
    return document;
}

std::int64_t nearest_input(const Document& document, InputField field, std::string_view text) {
    const std::int64_t least = field == InputField::cached ? 0 : 1;
    const bool digits = text.find_first_not_of("0123456789,_-") == std::string_view::npos;
    const Result<std::int64_t> read = parse_length(text, "", 0);
    const bool negative = text.size() > 1 && text.starts_with('-') && digits;
    if (negative || (read && *read < least)) return least;
    if (!beyond_64_bits(text)) return input_number(document.input, field);
    return std::max(least, largest([&](std::int64_t number) {
                        const Result<Document> tried = with_input(document, field, std::to_string(number));
                        return tried && count(tried->architecture, tried->input);
                    }));
}

std::optional<Error> refusal(const Document& document, std::string_view key, std::string_view text) {
    for (const InputField field : inputs) {
        if (key != input_key(field)) continue;
        const Result<Document> read = with_input(document, field, text);
        return read ? std::nullopt : std::optional(read.error());
    }
    for (const FieldInfo& field : fields()) {
        if (key != field.key) continue;
        const Result<Architecture> read = with_field(document.architecture, field.field, text);
        return read ? std::nullopt : std::optional(read.error());
    }
    return std::nullopt;
}

Document with_base_field(Document document, Field field) {
    if (auto arch = with_field_of(document.architecture, document.base, field)) document.architecture = *arch;
    return document;
}

}  // namespace headcount
