// A field that shows a number and takes a typed one. Used by the slider row; also alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

struct NumberField {
    // Shown and edited without separators, so that what is seen is what is typed.
    std::int64_t value = 0;
    bool wrong = false;    // red border
    bool changed = false;  // lighter: differs from the preset
    bool disabled = false;
    bool lit = false;
    bool bare = false;  // no box of its own: it stands in another's
    bool centred = false;
    // Shown instead of the value, where that is no whole number or its rules are the caller's: then what is typed is
    // only handed out, and `refuse` keeps what cannot be taken over.
    std::string_view text = {};
    std::string_view row = {};  // the name of the row around it, which says what is wrong with refused text
};

struct NumberFieldResult {
    std::optional<std::int64_t> value = {};  // typed and committed (Enter, Tab, or a click elsewhere)
    std::optional<std::string> typed = {};   // the text as it was typed, also where it is not a number
    bool hovered = false;
    bool editing = false;
    std::string_view rejected = {};  // text that stays in the field because it is not a whole number; until next frame
};

// At `position`, outside ImGui's layout. `name` is the ID; the component around it records the rectangle.
NumberFieldResult number_field(const Ui& ui, std::string_view name, ImVec2 position, ImVec2 size,
                               const NumberField& field);

// How wide the field wants to be, so that the text is seen whole: the usual width for short numbers, more for long ones
// as far as there is room, and always enough for ten digits.
float field_width(const Ui& ui, std::string_view text, float room);

// The keyboard goes to the field of this name (same ID stack) in the next frame.
void ask_for_typing(const Ui& ui, std::string_view name);

// Text that the caller cannot take over stays in the field, until something else is typed or the value changes.
// `field` as it was drawn (same ID stack).
void refuse(const Ui& ui, std::string_view name, std::string_view text, const NumberField& field);

// The text that stays in the field; empty where there is none. Until something is typed or refused.
std::string_view refused_text(const Ui& ui, std::string_view name);

// Whether such text stands in a field that Tab comes to in this frame: Esc is for that before it is for anything else.
bool refused_in_sight(const Ui& ui);
bool in_sight(const Ui& ui, const UiMemory::Rejected& refused);

// Forgets text that was typed and refused.
void forget_rejected(const Ui& ui, std::string_view name);

}  // namespace headcount
