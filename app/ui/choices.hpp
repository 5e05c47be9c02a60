// Rows that choose: segments, a toggle. Label left, effect and reset mark, control right, 30 px.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

struct ChoiceRow {
    std::string_view label = {};
    std::string_view symbol = {};
    bool lit = false;
    bool resets = false;   // there is a preset to go back to: segments leave room for the mark
    bool changed = false;  // differs from the preset: a reset mark
    std::string_view effect = {};
    std::string_view tooltip = {};
};

struct ChoiceResult {
    std::optional<int> chosen = {};  // an index other than the current one
    bool reset = false;              // back to the preset was asked for (double click on the label, reset mark)
    bool hovered = false;
    float right = 0;  // where the last segment ends
};

// Left and right arrows move along the segments. Records name, name.<index> and name.reset. Where the segments do not
// fit beside the label they go on a line of their own, or on several.
ChoiceResult segmented_row(const Ui& ui, std::string_view name, const ChoiceRow& row,
                           std::span<const std::string_view> options, int current);

// Segments alone, at the cursor; `wide` spreads them over the available width.
ChoiceResult segmented(const Ui& ui, std::string_view name, std::span<const std::string_view> options, int current,
                       bool wide = false);

struct ToggleResult {
    std::optional<bool> value = {};
    bool reset = false;  // the reset mark was pressed
    bool hovered = false;
};
// Records name, name.toggle and name.reset.
ToggleResult toggle_row(const Ui& ui, std::string_view name, const ChoiceRow& row, bool on);

// The switch alone, at the cursor, 28 x 16 px. Returns whether it was pressed. Records `name`.
bool switch_button(const Ui& ui, std::string_view name, bool on, std::string_view tooltip = {});
inline constexpr float switch_width = 28, switch_height = 16;

}  // namespace headcount
