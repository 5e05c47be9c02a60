// The rows of the architecture's fields; see the header.
#include "app/parts/field_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/parts/part_colours.hpp"
#include "app/parts/slider_ranges.hpp"
#include "app/ui/buttons.hpp"
#include "app/ui/choices.hpp"
#include "app/ui/layout.hpp"
#include "app/ui/rich_text.hpp"
#include "app/ui/tooltip.hpp"
#include "app/ui/typed_row.hpp"

namespace headcount {
namespace {

void point_at(FieldForm& form, Field field, bool hovered) {
    if (hovered) form.intents.push_back(Hover{field});
}

void reset(FieldForm& form, Field field, unsigned run = 0) {
    form.intents.push_back(Replace{with_base_field(form.model.document, field), field, true, run});
}

bool chosen_differs(const FieldForm& form, Field field) {
    const Document& document = form.model.document;
    return field_place(document.architecture, field) != field_place(document.base, field);
}

// A rule for the feed-forward's width where the base has none, or none where it has one: no number to go back to.
bool ffn_rule_differs(const FieldForm& form, Field field) {
    if (field != Field::ffn_multiple_of && field != Field::ffn_dim) return false;
    const Document& document = form.model.document;
    return document.architecture.layer.feed_forward.width.index() != document.base.layer.feed_forward.width.index();
}

// What a row without a place for an error has to say comes below it.
void say_below(FieldForm& form, Field field, std::string_view name) {
    const Complaint* const complaint = complaint_about(form, field);
    if (!complaint) return;
    const IdScope scope(name);
    const std::string_view fix = complaint->mending ? std::string_view(complaint->mending->label) : std::string_view{};
    if (message_card(form.ui, name, complaint->sentence, fix)) mend(form, complaint);
    gap(form.ui, 8);
}

void reveal_if_asked(FieldForm& form, Field field) {
    if (form.reveal != field || ImGui::IsItemVisible()) return;
    ImGui::SetScrollHereY(0.5F);
}

// What was done to a slider, as intents.
void follow_slider(FieldForm& form, Field field, std::string_view name, const SliderRow& row,
                   const SliderRowResult& result, const Complaint* complaint) {
    const Document& document = form.model.document;
    if (result.reset) {
        reset(form, field, result.run);
    } else if (result.fix) {
        mend(form, complaint);
    } else if (result.value) {
        const std::string text = std::to_string(*result.value);
        Result<Architecture> arch = with_field(document.architecture, field, text);
        if (arch) {
            if (result.typed && !validate(*arch).empty()) make_room(form.ui);
            Replace replace{document, field, result.committed, result.run};
            replace.document.architecture = std::move(*arch);
            form.intents.push_back(std::move(replace));
        } else {
            refuse_in_row(form.ui, result.typed.value_or(text), {.value = row.value, .row = name});
        }
    } else if (result.committed && !result.typed) {
        form.intents.push_back(Settle{result.run});
    }
}

// The label is no control of its own, but it names the field.
void select_by_label(FieldForm& form, Field field, const SliderRowResult& result) {
    if (!result.hovered || result.active || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    if (!ImGui::IsAnyItemHovered()) form.intents.push_back(Select{field});
}

// Returns where at its right the room for its label ends.
float slider_of(FieldForm& form, Field field) {
    const FieldInfo& about = info(field);
    const std::string_view meaning = info(field).meaning;
    const Document& document = form.model.document;
    const std::string name = row_name(about.key);
    const std::string effect = effect_of(form, field);
    const RowRemark said = said_about(form, field, name);
    SliderRow row;
    row.label = about.label;
    if (about.symbol) {
        row.symbol = info(*about.symbol).text;
        row.colour = symbol_colour(form.ui.theme, *about.symbol);
    }
    row.value = number_in(document.architecture, form.values, field).value_or(0);
    row.scale = slider_range(document.architecture, document.base, field, form.allowed, may_move());
    if (differs_from_base(form, field)) row.preset = number_in(document.base, form.model.derived.base.bindings, field);
    row.may_reset = ffn_rule_differs(form, field);
    row.effect = effect;
    row.error = said.error();
    row.tooltip = meaning;
    row.lit = lit(form, field);
    if (form.focus && form.reveal == field) ask_for_slider(form.ui, name);
    const About value(subject_key(field));
    const SliderRowResult result = slider_row(form.ui, name, row);
    reveal_if_asked(form, field);
    point_at(form, field, result.hovered || result.active);
    follow_slider(form, field, name, row, result, said.complaint);
    select_by_label(form, field, result);
    return result.marks - form.ui.px(6);
}

// The word behind the label of the slider row that began at `row`, where there is room for it before `right`.
bool draw_mode(const Ui& ui, const FieldInfo& about, const ModeWord& mode, ImVec2 row, float right) {
    const float symbol = about.symbol ? symbol_width(ui.fonts.mono, info(*about.symbol).text) + ui.px(8) : 0;
    const float left = row.x + text_width(ui.fonts.body, about.label) + symbol + ui.px(10);
    if (mode.word.empty() || left + word_button_width(ui, mode.word) > right) return false;
    const ImVec2 after = ImGui::GetCursorScreenPos(), at(left, std::round(row.y + ui.px(12)));
    const bool pressed = word_button(ui, row_name(about.key, "mode"), at, mode.word, mode.tooltip);
    ImGui::SetCursorScreenPos(after);
    return pressed;
}

}  // namespace

bool number_row(FieldForm& form, Field field, const ModeWord& mode) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float right = slider_of(form, field);
    return draw_mode(form.ui, info(field), mode, start, right);
}

void choice_row(FieldForm& form, Field field, const ChoiceWords& words) {
    const FieldInfo& about = info(field);
    const std::string name = row_name(about.key);
    const std::string effect = effect_of(form, field);
    const std::string_view meaning = info(field).meaning;
    const std::span<const std::string_view> labels = words.labels.empty() ? about.labels : words.labels;
    const auto choice_at = [&](int place) {
        return words.order.empty() ? place : words.order[static_cast<std::size_t>(place)];
    };
    int current = -1;
    for (int i = 0; i < static_cast<int>(labels.size()); ++i)
        if (choice_at(i) == field_place(form.model.document.architecture, field)) current = i;
    const ChoiceRow row{.label = words.label.empty() ? about.label : words.label,
                        .symbol = words.symbol,
                        .lit = lit(form, field),
                        .resets = true,
                        .changed = chosen_differs(form, field),
                        .effect = effect,
                        .tooltip = words.tooltip.empty() ? std::string_view(meaning) : words.tooltip};
    const ChoiceResult result = segmented_row(form.ui, name, row, labels, current);
    point_at(form, field, result.hovered);
    if (result.reset) reset(form, field);
    if (result.chosen) {
        const int choice = choice_at(*result.chosen);
        set_field(form, field,
                  about.kind == FieldKind::flag ? (choice ? "true" : "false")
                                                : about.choices[static_cast<std::size_t>(choice)]);
    }
    say_below(form, field, name);
}

void flag_row(FieldForm& form, Field field) {
    const std::string name = row_name(info(field).key);
    const std::string effect = effect_of(form, field);
    const std::string_view meaning = info(field).meaning;
    const ChoiceRow row{.label = info(field).label,
                        .lit = lit(form, field),
                        .resets = true,
                        .changed = chosen_differs(form, field),
                        .effect = effect,
                        .tooltip = meaning};
    const ToggleResult result =
        toggle_row(form.ui, name, row, field_place(form.model.document.architecture, field) != 0);
    point_at(form, field, result.hovered);
    if (result.reset) reset(form, field);
    if (result.value) set_field(form, field, *result.value ? "true" : "false");
}

bool part_row(FieldForm& form, Field field, std::string_view label, std::string_view fresh, std::string_view tooltip) {
    const auto there = [&](const Architecture& arch) { return field_text(arch, field).value_or("none") != "none"; };
    const Document& document = form.model.document;
    const bool on = there(document.architecture), changed = on != there(document.base);
    // With its part there, the number's own row says what the change adds.
    const std::string effect = on ? std::string() : effect_of(form, field);
    const ChoiceRow row{.label = label,
                        .lit = !on && lit(form, field),
                        .resets = true,
                        .changed = changed,
                        .effect = effect,
                        .tooltip = tooltip};
    const ToggleResult result = toggle_row(form.ui, row_name(info(field).key, "part"), row, on);
    point_at(form, field, result.hovered);
    if (result.reset) reset(form, field);
    if (result.value) set_field(form, field, *result.value ? fresh : "none");
    return on;
}

void text_row(FieldForm& form, Field field) {
    const std::string name = row_name(info(field).key);
    const Document& document = form.model.document;
    const std::string text = field_text(document.architecture, field).value_or("");
    const RowRemark said = said_about(form, field, name);
    const std::string effect = effect_of(form, field);
    const std::string_view meaning = info(field).meaning;
    TypedRow row{.label = info(field).label,
                 .text = text,
                 .effect = effect,
                 .lit = lit(form, field),
                 .error = said.error(),
                 .tooltip = meaning};
    // Only a multiplier can be without one there; its rule, with its effect and reset, is its neighbour's.
    const std::optional<std::string> base = field_text(document.base, field);
    row.changed = base.value_or("1") != text;
    row.may_reset = base && row.changed;
    const About value(subject_key(field));
    const TypedRowResult result = typed_row(form.ui, name, row);
    point_at(form, field, result.hovered);
    if (result.fix) mend(form, said.complaint);
    if (result.reset) reset(form, field);
    if (!result.typed || set_field(form, field, *result.typed)) return;
    refuse_in_row(form.ui, *result.typed, {.text = text, .row = name});
}

bool ruled_row(FieldForm& form, Field field, std::string_view symbol, std::string_view word, std::string_view tooltip) {
    const std::string name = row_name(info(field).key);
    const Ui& ui = form.ui;
    const ImVec2 row = ImGui::GetCursorScreenPos();
    // While the document is impossible, its rules give no value; the picture keeps the last one, and so does this.
    const Derived& derived = form.model.derived;
    const auto value = derived.current ? number_in(form.model.document.architecture, form.values, field)
                                       : number_in(derived.shown.architecture, derived.shown.bindings, field);
    const std::string text = value ? std::to_string(*value) : "";
    // Where not all of it has room the symbol gives way, then the word.
    const float room = available_width() - text_width(ui.fonts.mono, text) - ui.px(8);
    const float label = text_width(ui.fonts.body, info(field).label), wide = word_button_width(ui, word);
    float left = label + symbol_width(ui.fonts.mono, symbol) + ui.px(18);
    if (!word.empty() && left + wide > room) {
        symbol = {};
        left = label + ui.px(10);
    }
    const About about(subject_key(field));
    const bool hovered = derived_row(ui, name, info(field).label, symbol, text, lit(form, field));
    reveal_if_asked(form, field);
    point_at(form, field, hovered);
    if (hovered && ImGui::GetIO().MousePos.x < row.x + label) {
        const std::string_view meaning = info(field).meaning;
        show_tooltip(ui, {.title = info(field).label, .remark = meaning});
    }
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const ImVec2 at(row.x + left, row.y + std::round(ui.px(size::derived_row)) / 2);
    const bool pressed =
        !word.empty() && left + wide <= room && word_button(ui, row_name(info(field).key, "mode"), at, word, tooltip);
    ImGui::SetCursorScreenPos(after);
    say_below(form, field, name);
    return pressed;
}

void ruled_or_own_row(FieldForm& form, Field field, const RuleWords& words, std::int64_t fresh) {
    if (field_text(form.model.document.architecture, field) == "auto") {
        if (ruled_row(form, field, words.symbol, "own", words.own_tooltip))
            set_field(form, field, std::to_string(fresh));
    } else if (number_row(form, field, {words.back, words.back_tooltip})) {
        set_field(form, field, "auto");
    }
}

void field_row(FieldForm& form, Field field) {
    // Small numbers, and such as may be missing.
    constexpr std::array typed{Field::classifier_dim,  Field::position_offset, Field::patch_stride,
                               Field::sound_channels,  Field::position_kernel, Field::position_groups,
                               Field::position_layers, Field::stream_copies,   Field::laurel_rank};
    switch (info(field).kind) {
        case FieldKind::number:
            if (std::ranges::count(typed, field) > 0) return text_row(form, field);
            number_row(form, field);
            return;
        case FieldKind::choice: return choice_row(form, field);
        case FieldKind::flag: return flag_row(form, field);
        case FieldKind::layers: return layers_row(form, field);
        default: return text_row(form, field);
    }
}

}  // namespace headcount
