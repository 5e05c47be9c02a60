// From problems and errors to sentences beside rows.
#include "app/panels/complaints.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr InputField inputs[] = {InputField::tokens, InputField::batch, InputField::cached};

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

Complaint complaint_of(const Session& session, const Problem& problem) {
    const std::optional<Field> edited = session.view.edited;
    const bool takes_part =
        edited && std::find(problem.fields.begin(), problem.fields.end(), *edited) != problem.fields.end();
    const Field field = takes_part ? *edited : problem.fields.front();
    Complaint complaint{field, std::nullopt, problem.error.what + ".", std::nullopt};
    const Fix* fix = problem.fixes.empty() ? nullptr : &problem.fixes.front();
    for (const Fix& candidate : problem.fixes)
        if (candidate.field == field) fix = &candidate;
    if (fix) complaint.mending = mending_of(session.document, *fix, field);
    return complaint;
}

// The input back to what was shown last, where that differs.
std::optional<Mending> input_mending(const Session& session, InputField field) {
    const std::int64_t before = input_number(session.derived.shown.input, field);
    if (before == input_number(session.document.input, field)) return std::nullopt;
    const std::string text = std::to_string(before);
    Result<Document> mended = with_input(session.document, field, text);
    if (!mended) return std::nullopt;
    return Mending{"Use " + text, std::move(*mended), std::nullopt};
}

// With learned positions: as many tokens as there are rows left.
std::optional<Mending> shorter(const Session& session, InputField field) {
    const Architecture& arch = session.document.architecture;
    const std::int64_t room = arch.context - session.document.input.cached;
    if (field != InputField::tokens || arch.positions != Positions::learned || room < 1) return std::nullopt;
    const std::string text = std::to_string(room);
    Result<Document> mended = with_input(session.document, field, text);
    if (!mended) return std::nullopt;
    return Mending{"Use " + text, std::move(*mended), std::nullopt};
}

// The field that makes the difference to the last possible architecture: the one edited last, else the first.
std::optional<Field> field_at_fault(const Session& session) {
    const Architecture& now = session.document.architecture;
    const Architecture& before = session.derived.shown.architecture;
    const auto differs = [&](Field field) { return field_text(now, field) != field_text(before, field); };
    if (session.view.edited && differs(*session.view.edited)) return session.view.edited;
    for (const FieldInfo& field : fields())
        if (differs(field.field)) return field.field;
    return std::nullopt;
}

Complaint complaint_of(const Session& session, const Error& error) {
    Complaint complaint{std::nullopt, std::nullopt, error.what + ".", std::nullopt};
    for (InputField field : inputs) {
        if (error.where != input_key(field)) continue;
        complaint.input = field;
        complaint.mending = shorter(session, field);
        if (!complaint.mending) complaint.mending = input_mending(session, field);
        return complaint;
    }
    for (InputField field : inputs) {
        complaint.mending = input_mending(session, field);
        if (!complaint.mending) continue;
        complaint.input = field;
        return complaint;
    }
    complaint.field = field_at_fault(session);
    if (!complaint.field) return complaint;
    const Field field = *complaint.field;
    if (const auto before = field_text(session.derived.shown.architecture, field))
        complaint.mending = mending_of(session.document, {field, *before, "Use " + *before}, field);
    return complaint;
}

}  // namespace

std::vector<Complaint> complaints(const Session& session) {
    std::vector<Complaint> all;
    for (const Problem& problem : session.derived.problems) all.push_back(complaint_of(session, problem));
    for (const Error& error : session.derived.errors) all.push_back(complaint_of(session, error));
    return all;
}

std::int64_t input_number(const Input& input, InputField field) {
    switch (field) {
        case InputField::tokens:
            return input.tokens;
        case InputField::batch:
            return input.batch;
        case InputField::cached:
            return input.cached;
    }
    return 0;
}

Result<Document> with_input(Document document, InputField field, std::string_view text) {
    const Result<std::int64_t> number = parse_whole_number(text, input_key(field), field == InputField::cached ? 0 : 1);
    if (!number) return number.error();
    switch (field) {
        case InputField::tokens:
            document.input.tokens = *number;
            break;
        case InputField::batch:
            document.input.batch = *number;
            break;
        case InputField::cached:
            document.input.cached = *number;
            break;
    }
    return document;
}

Document with_base_field(Document document, Field field) {
    const bool ffn_width = field == Field::ffn_dim || field == Field::ffn_multiple_of || field == Field::ffn_multiplier;
    auto& width = document.architecture.layer.feed_forward.width;
    if (ffn_width && width.index() != document.base.layer.feed_forward.width.index()) {
        width = document.base.layer.feed_forward.width;
        return document;
    }
    const std::optional<std::string> text = field_text(document.base, field);
    if (!text) return document;
    if (Result<Architecture> arch = with_field(document.architecture, field, *text)) document.architecture = *arch;
    return document;
}

}  // namespace headcount
