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

// The keyboard goes to the field of this name (same ID stack) in the next frame.
void ask_for_typing(const Ui& ui, std::string_view name);

// Forgets text that was typed and refused.
void forget_rejected(const Ui& ui, std::string_view name);

}  // namespace headcount
