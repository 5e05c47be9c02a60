// A row whose value is only typed: any text, checked by the caller, with minus and plus where it is a count.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/ui/slider_row.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct TypedRow {
    std::string_view label = {};
    std::string_view symbol = {};  // with scripts
    std::string_view text = {};    // what the field shows
    bool changed = false;          // differs from the preset: a dot behind the label, a lighter field
    std::string_view effect = {};  // "+1.29 B"; empty: none
    bool may_reset = false;        // a reset mark beside the field
    bool lit = false;
    bool stepper = false;  // "- 1 +"
    bool may_step_down = true;
    std::optional<FieldError> error = {};
    std::string_view tooltip = {};
};

struct TypedRowResult {
    std::optional<std::string> typed = {};  // committed; what cannot be read stays in the field after `refuse`
    int step = 0;                           // minus or plus was pressed
    bool fix = false;                       // the error's button was pressed
    bool reset = false;                     // the reset mark was pressed
    bool hovered = false;
};

// 30 px at the available width, more with an error. Records name, name.field, name.less, name.more, name.reset,
// name.error, name.fix.
TypedRowResult typed_row(const Ui& ui, std::string_view name, const TypedRow& row);

// How wide its field is, at its right end.
float typed_field_width(const Ui& ui, const TypedRow& row);

}  // namespace headcount
