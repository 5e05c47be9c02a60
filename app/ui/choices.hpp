// Rows that choose: segments, a toggle, a stepper. Label left, control right, 30 px.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

struct ChoiceRow {
    std::string_view label = {};
    std::string_view symbol = {};
    bool lit = false;
    bool changed = false;  // differs from the preset: a dot before the label
    std::string_view effect = {};
    std::string_view tooltip = {};
};

struct ChoiceResult {
    std::optional<int> chosen = {};  // an index other than the current one
    bool hovered = false;
};

// Left and right arrows move along the segments. Records name and name.<index>. Where the segments do not fit beside
// the label they go on a line of their own.
ChoiceResult segmented_row(const Ui& ui, std::string_view name, const ChoiceRow& row,
                           std::span<const std::string_view> options, int current);

// Segments alone, at the cursor; `wide` spreads them over the available width.
ChoiceResult segmented(const Ui& ui, std::string_view name, std::span<const std::string_view> options, int current,
                       bool wide = false);

struct ToggleResult {
    std::optional<bool> value = {};
    bool hovered = false;
};
ToggleResult toggle_row(const Ui& ui, std::string_view name, const ChoiceRow& row, bool on);

struct StepperResult {
    std::optional<std::int64_t> value = {};
    bool hovered = false;
};
// "- 1 +"; records name.less, name.more, name.field. The number can be typed.
StepperResult stepper_row(const Ui& ui, std::string_view name, const ChoiceRow& row, std::int64_t value,
                          std::int64_t minimum, std::int64_t maximum);

}  // namespace headcount
