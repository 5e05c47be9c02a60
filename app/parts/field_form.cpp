// What the rows share; see the header.
#include "app/parts/field_form.hpp"

#include <algorithm>

#include "app/parts/words.hpp"
#include "app/ui/veil.hpp"
#include "core/arch/matters.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

// In a row what was given stands in the field above: the sentence ends before it, and has room beside its button.
std::string said_in_row(Error error) {
    error.what.resize(std::min(error.what.rfind(", not \""), error.what.size()));
    return sentence_of(error);
}

}  // namespace

std::string row_name(std::string_view key, std::string_view part) {
    std::string name = "architecture." + std::string(key);
    if (!part.empty()) name.append(1, '.').append(part);
    return name;
}

FieldForm field_form(const Ui& ui, const Shown& model, Intents& intents) {
    const Derived& derived = model.derived;
    const Document& document = model.document;
    return {ui, model, intents,
            derived.current ? derived.shown.bindings : bindings(document.architecture, document.input),
            complaints(model)};
}

std::optional<FieldError> RowRemark::error() const {
    return sentence.empty() ? std::nullopt : std::optional(FieldError{sentence, fix});
}

RowRemark said_of(const Complaint* complaint) {
    if (!complaint) return {};
    return {complaint->sentence, complaint->mending ? complaint->mending->label : "", complaint};
}

RowRemark said_of(const Error& error, std::string_view value) {
    return {said_in_row(error), "Use " + std::string(value)};
}

std::string_view refused_in(const FieldForm& form, std::string_view name) {
    const IdScope scope(name);
    return refused_text(form.ui, "field");
}

void mend(FieldForm& form, const Complaint* complaint) {
    if (!complaint || !complaint->mending) return;
    form.intents.push_back(Replace{complaint->mending->document, complaint->mending->edited, true});
}

void refuse_in_row(const Ui& ui, std::string_view text, const NumberField& field) {
    const IdScope scope(field.row);
    refuse(ui, "field", text, field);
    make_room(ui);
}

void make_room(const Ui& ui) {
    constexpr float card = 64;  // two lines and the gap below
    const float missing =
        ImGui::GetCursorScreenPos().y + ui.px(card) - (ImGui::GetWindowPos().y + ImGui::GetWindowSize().y);
    if (missing > 0) ImGui::SetScrollY(ImGui::GetScrollY() + missing);
}

bool may_move() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.MouseDown[0] || io.NavVisible || ImGui::IsAnyItemActive();
}

bool differs_from_base(const FieldForm& form, Field field) {
    const Document& document = form.model.document;
    const Attention& now = document.architecture.layer.attention;
    const Attention& base = document.base.layer.attention;
    if (field == Field::kv_heads && !now.kv_heads && !base.kv_heads) return false;
    if (field == Field::head_dim && !now.head_dim && !base.head_dim) return false;
    if (field == Field::embedding_dim && !document.architecture.embedding_dim && !document.base.embedding_dim)
        return false;
    if (field == Field::rotary_dim && !now.rotary_dim && !base.rotary_dim) return false;
    return number_in(document.architecture, form.values, field) !=
           number_in(document.base, form.model.derived.base.bindings, field);
}

bool set_field(FieldForm& form, Field field, std::string_view text) {
    Replace replace{form.model.document, field, true};
    Result<Architecture> arch = with_field(replace.document.architecture, field, text);
    if (!arch) return false;
    replace.document.architecture = std::move(*arch);
    form.intents.push_back(std::move(replace));
    return true;
}

bool lit(const FieldForm& form, Field field) {
    const Look& look = form.model.look;
    const ModelGraph& graph = form.model.derived.shown.graph;
    return lights(look.hover, graph, field) || lights(look.selection, graph, field);
}

std::string effect_of(const FieldForm& form, Field field) {
    const auto& effects = form.model.derived.effects;
    const auto found = effects.find(field);
    const About about(total_key);
    return found == effects.end() ? std::string() : covered_text(signed_short(found->second));
}

std::optional<std::int64_t> number_in(const Architecture& arch, const Bindings& values, Field field) {
    if (const std::optional<Symbol> symbol = info(field).symbol) return values[*symbol];
    return field_number(arch, field);
}

const Complaint* complaint_about(const FieldForm& form, Field field) {
    for (const Complaint& complaint : form.complaints)
        if (complaint.field == field) return &complaint;
    return nullptr;
}

bool has_row(const FieldForm& form, Field field) {
    return matters(form.model.document.architecture, field) || complaint_about(form, field) || form.reveal == field;
}

RowRemark said_about(const FieldForm& form, Field field, std::string_view name) {
    const std::string_view refused = refused_in(form, name);
    if (!refused.empty()) {
        const Document& document = form.model.document;
        const std::optional<Error> error = refusal(document, info(field).key, refused);
        // The value below the text may be impossible itself: then what mends that is offered.
        const Complaint* const complaint = complaint_about(form, field);
        if (error && complaint && complaint->mending)
            return {said_in_row(*error), complaint->mending->label, complaint};
        if (error) return said_of(*error, field_text(document.architecture, field).value_or(""));
    }
    return said_of(complaint_about(form, field));
}

}  // namespace headcount
