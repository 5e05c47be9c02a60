// The rows that edit one field of the architecture each: what they show, and which intents their use becomes.
#pragma once

#include <span>
#include <string_view>

#include "app/parts/field_form.hpp"

namespace headcount {

// A word behind a label, which leaves a rule or goes back to it.
struct ModeWord {
    std::string_view word = {}, tooltip = {};
};

// A slider. Pressing its label selects the field. True when the word was pressed, which is there where it has room.
bool number_row(FieldForm& form, Field field, const ModeWord& mode = {});

// Segments. With `order`, other words in another order: the choice order[i] stands at i as labels[i].
struct ChoiceWords {
    std::span<const std::string_view> labels = {};
    std::span<const int> order = {};
    std::string_view label = {};   // of the row, where it is not the field's
    std::string_view symbol = {};  // behind it
    std::string_view tooltip = {};
};
void choice_row(FieldForm& form, Field field, const ChoiceWords& words = {});

void flag_row(FieldForm& form, Field field);

// A switch that brings in what the architecture may lack (experts, a window, a rank), with `fresh` as the field's first
// value, or takes it away again. Returns whether it is there.
bool part_row(FieldForm& form, Field field, std::string_view label, std::string_view fresh, std::string_view tooltip);

// A number that is no whole one, or layers, typed.
void text_row(FieldForm& form, Field field);

// A dimension that a rule gives, and a word that leaves the rule, if any. True when the word was pressed.
bool ruled_row(FieldForm& form, Field field, std::string_view symbol, std::string_view word, std::string_view tooltip);

// The words of a dimension that a rule gives where it has no value of its own.
struct RuleWords {
    std::string_view symbol, own_tooltip;  // "= d_h", and what leaving the rule does
    std::string_view back, back_tooltip;   // the word that goes back to it
};
// Either: with `fresh` as the first value of its own.
void ruled_or_own_row(FieldForm& form, Field field, const RuleWords& words, std::int64_t fresh);

// Which layers have something: the text of text_row, cells to press and words for usual patterns. Records the cells as
// cell.0, cell.1, ..., and the words as pattern.0, ...
void layers_row(FieldForm& form, Field field);

// The row of a field's kind.
void field_row(FieldForm& form, Field field);

// What goes through the model: tokens, batch, cached tokens, precision.
void input_rows(FieldForm& form);

}  // namespace headcount
