// Tokens, batch, cached tokens and precision, each a row.
#include "app/parts/field_rows.hpp"
#include "app/parts/format_row.hpp"
#include "app/parts/slider_ranges.hpp"
#include "app/ui/typed_row.hpp"

namespace headcount {
namespace {

const Complaint* complaint_about(const FieldForm& form, InputField field) {
    for (const Complaint& complaint : form.complaints)
        if (complaint.input == field) return &complaint;
    return nullptr;
}

// What a row offers instead of refused text: searched for once.
struct NearestInput {
    std::string text;
    InputField field = InputField::tokens;
    Document of;
    std::int64_t value = 0;
};

std::int64_t nearest_of(const FieldForm& form, InputField field, std::string_view refused) {
    NearestInput& kept_one = kept<NearestInput>(form.ui, "input.nearest");
    const Document& document = form.model.document;
    if (kept_one.text != refused || kept_one.field != field || kept_one.of != document)
        kept_one = {std::string(refused), field, document, nearest_input(document, field, refused)};
    return kept_one.value;
}

RowRemark said_about(const FieldForm& form, InputField field, std::string_view name) {
    const Document& document = form.model.document;
    const std::string_view refused = refused_in(form, name);
    if (!refused.empty()) {
        const std::optional<Error> error = refusal(document, input_key(field), refused);
        if (error) return said_of(*error, std::to_string(nearest_of(form, field, refused)));
    }
    return said_of(complaint_about(form, field));
}

bool set_input(FieldForm& form, InputField field, std::string_view text, bool settled, unsigned run = 0) {
    Result<Document> document = with_input(form.model.document, field, text);
    if (!document) return false;
    form.intents.push_back(Replace{std::move(*document), std::nullopt, settled, run});
    return true;
}

// A press on what the card offers; the refused text is gone by then.
void take_offer(FieldForm& form, InputField field, const RowRemark& said) {
    if (said.complaint) return mend(form, said.complaint);
    set_input(form, field, std::to_string(kept<NearestInput>(form.ui, "input.nearest").value), true);
}

void tokens_row(FieldForm& form) {
    const std::string name = row_name("tokens");
    const RowRemark said = said_about(form, InputField::tokens, name);
    SliderRow row;
    row.label = "Tokens";
    row.symbol = info(Symbol::tokens).text;
    row.value = form.model.document.input.tokens;
    row.scale = token_range(form.allowed, may_move());
    row.error = said.error();
    const SliderRowResult result = slider_row(form.ui, name, row);
    if (result.hovered || result.active) form.intents.push_back(Hover{Symbol::tokens});
    if (result.reset) {
        set_input(form, InputField::tokens, std::to_string(Input{}.tokens), true, result.run);
    } else if (result.fix) {
        take_offer(form, InputField::tokens, said);
    } else if (result.value) {
        const std::string text = std::to_string(*result.value);
        if (set_input(form, InputField::tokens, text, result.committed, result.run)) return;
        refuse_in_row(form.ui, result.typed.value_or(text), {.value = row.value, .row = name});
    } else if (result.committed && !result.typed) {
        form.intents.push_back(Settle{result.run});
    }
}

void typed_input_row(FieldForm& form, InputField field, std::string_view label, Symbol symbol, bool stepper,
                     std::string_view tooltip) {
    const std::string name = row_name(input_key(field));
    const std::int64_t value = input_number(form.model.document.input, field);
    const std::string text = std::to_string(value);
    const RowRemark said = said_about(form, field, name);
    const TypedRow row{.label = label,
                       .symbol = info(symbol).text,
                       .text = text,
                       .stepper = stepper,
                       .may_step_down = value > 1,
                       .error = said.error(),
                       .tooltip = tooltip};
    const TypedRowResult result = typed_row(form.ui, name, row);
    if (result.hovered) form.intents.push_back(Hover{symbol});
    if (result.fix) take_offer(form, field, said);
    if (result.step != 0) {
        if (result.step < 0 || value < INT64_MAX) set_input(form, field, std::to_string(value + result.step), true);
    } else if (result.typed && !set_input(form, field, *result.typed, true)) {
        refuse_in_row(form.ui, *result.typed, {.text = text, .row = name});
    }
}

void precision_row(FieldForm& form) {
    const Input& input = form.model.document.input;
    const FormatResult result =
        format_row(form.ui, row_name("precision"), {.label = "Precision"}, input.precision, true);
    if (result.hovered) form.intents.push_back(Hover{input.precision.rest});
    if (!result.chosen) return;
    Replace replace{form.model.document, std::nullopt, true};
    replace.document.input.precision = *result.chosen;
    form.intents.push_back(std::move(replace));
}

void cache_row(FieldForm& form) {
    const Input& input = form.model.document.input;
    const FormatResult result =
        format_row(form.ui, row_name("cache"),
                   {.label = "KV cache", .tooltip = "What keys and values are kept in. At first as activations are."},
                   input.cached_in(), false);
    if (!result.chosen) return;
    Replace replace{form.model.document, std::nullopt, true};
    const Precision chosen = result.chosen->rest;
    replace.document.input.cache = chosen == input.computed() ? std::nullopt : std::optional(chosen);
    form.intents.push_back(std::move(replace));
}

}  // namespace

void input_rows(FieldForm& form) {
    tokens_row(form);
    const Document& document = form.model.document;
    if (document.architecture.encoder)
        typed_input_row(form, InputField::source, "Source tokens", Symbol::source, true,
                        "Tokens that the encoder beside the decoder reads.");
    typed_input_row(form, InputField::batch, "Batch", Symbol::batch, true, "Sequences side by side.");
    // What reads all tokens at once has none before them.
    if (!sees_all(document.architecture) || document.input.cached > 0)
        typed_input_row(form, InputField::cached, "Cached tokens", Symbol::cached, false,
                        "Earlier tokens whose keys and values, or states, are there already.");
    precision_row(form);
    if (!sees_all(document.architecture)) cache_row(form);
}

}  // namespace headcount
