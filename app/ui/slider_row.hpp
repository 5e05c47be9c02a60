// The row that edits one number of the architecture: label, symbol, effect, field and slider.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/slider_scale.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// A sentence under the row and the button that mends it (no button where the label is empty).
struct FieldError {
    std::string_view sentence = {};
    std::string_view fix = {};  // "Use 32"
};

struct SliderRow {
    std::string_view label = {};
    std::string_view symbol = {};  // with scripts: "d_ff"
    std::int64_t value = 0;
    // Shown in the field instead, where the value stands for another: then what is typed is only handed out, and
    // `refuse` keeps what cannot be taken over (in the row's ID scope, of "field").
    std::string_view text = {};
    SliderScale scale;
    ImU32 colour = 0;                         // of the filled track; 0: neutral
    std::optional<std::int64_t> preset = {};  // tick on the track; a different value shows a reset mark
    bool may_reset = false;                   // a reset mark where the preset has no such value, and so no tick
    std::string_view effect = {};             // "+1.29 B"; empty: none
    std::optional<FieldError> error = {};
    std::string_view tooltip = {};
    bool lit = false;  // the same thing is pointed at elsewhere
    bool disabled = false;
};

struct SliderRowResult {
    std::optional<std::int64_t> value = {};  // the new value, at once
    bool committed = false;                  // the edit has ended: time for an undo entry
    unsigned run = 0;                        // the same number: one edit with the one before; 0: an edit of its own
    bool reset = false;                      // back to the preset was asked for (double click, reset mark)
    bool fix = false;                        // the error's button was pressed
    bool hovered = false;                    // the pointer is on the row
    bool active = false;                     // being dragged or typed in
    float marks = 0;                         // x: where the marks and the field behind the label begin
    std::optional<std::string> typed = {};   // text as typed, also where it is no number (the row then says so itself)
};

// 45 px at the available width, more with an error. Records name, name.field, name.track, name.knob, name.reset,
// name.error, name.fix. `reset` never comes with a value: the caller knows the preset.
SliderRowResult slider_row(const Ui& ui, std::string_view name, const SliderRow& row);

// Gives the slider of a row that is drawn next the keyboard, for its arrow keys; Enter goes on to its field.
void ask_for_slider(const Ui& ui, std::string_view name);

// Label and symbol at the left of a row, within so many pixels: a long label is cut, then there is no symbol. Returns
// where they end.
float row_label(const Ui& ui, float left, float centre, std::string_view label, std::string_view symbol,
                float room = FLT_MAX);

// Reset mark and effect, ending at `right` beside a row's field; `left` is where they begin. Records name.reset.
struct RowMarks {
    float left = 0;
    bool reset = false;  // the mark was pressed
};
float marks_width(const Ui& ui, bool may_reset, std::string_view effect);  // what they take, at most
RowMarks row_marks(const Ui& ui, std::string_view name, bool may_reset, std::string_view effect, float right,
                   float centre);

// A value that follows from others: "Head size d_h = d / h   128". Returns whether it is pointed at.
bool derived_row(const Ui& ui, std::string_view name, std::string_view label, std::string_view symbol,
                 std::string_view value, bool lit = false);

// The message card alone: icon, sentence (with scripts, but for what it quotes), button. Returns whether the button was
// pressed.
bool message_card(const Ui& ui, std::string_view name, std::string_view sentence, std::string_view button,
                  bool wrong = true);

}  // namespace headcount
