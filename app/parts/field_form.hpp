// What the rows of the architecture panel share: names, values, effects, and what is wrong about them.
#pragma once

#include <string>
#include <string_view>

#include "app/parts/complaints.hpp"
#include "app/state/intent.hpp"
#include "app/ui/number_field.hpp"
#include "app/ui/slider_row.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// "architecture.dim", "architecture.dim.field"
std::string row_name(std::string_view key, std::string_view part = {});

struct FieldForm {
    const Ui& ui;
    const Shown& model;
    Intents& intents;
    Bindings values;  // of the document as it was typed, possible or not
    std::vector<Complaint> complaints;
    std::optional<Field> reveal = {};        // the row to scroll to
    bool focus = false;                      // ... and to give the keyboard
    std::vector<std::int64_t> allowed = {};  // what the slider at hand reaches
};
FieldForm field_form(const Ui& ui, const Shown& model, Intents& intents);

// The number in effect, rules worked out, without working them out again.
std::optional<std::int64_t> number_in(const Architecture& arch, const Bindings& values, Field field);

// The field's value differs from the base's, and not only because it follows another.
bool differs_from_base(const FieldForm& form, Field field);

// "+1.29 B": what the field's change adds to the total; empty where it has not changed.
std::string effect_of(const FieldForm& form, Field field);

// Whether what is pointed at or selected has to do with the field.
bool lit(const FieldForm& form, Field field);

// Sets one field, as an edit of its own. False where the text is none for it.
bool set_field(FieldForm& form, Field field, std::string_view text);

// What is wrong about a row: text that was refused, else a complaint.
struct RowRemark {
    std::string sentence, fix;
    const Complaint* complaint = nullptr;

    std::optional<FieldError> error() const;
};
RowRemark said_of(const Complaint* complaint);
// `error` is why the text could not be read, `value` what the field goes back to.
RowRemark said_of(const Error& error, std::string_view value);
RowRemark said_about(const FieldForm& form, Field field, std::string_view name);

const Complaint* complaint_about(const FieldForm& form, Field field);

// Whether the field has a row: it changes something of the model, or something is wrong about it, or it was asked for.
bool has_row(const FieldForm& form, Field field);

// Text that stays in the row's field because it could not be read; empty where there is none.
std::string_view refused_in(const FieldForm& form, std::string_view name);

// Takes over what a complaint offers.
void mend(FieldForm& form, const Complaint* complaint);

// The text stays in the field of `field.row`, and there is room for what is said of it.
void refuse_in_row(const Ui& ui, std::string_view text, const NumberField& field);

// Scrolls so far that a sentence below the cursor, which the next frame will draw, can be seen.
void make_room(const Ui& ui);

// Whether a slider could move in this frame: a button is down or the keyboard is in use.
bool may_move();

}  // namespace headcount
