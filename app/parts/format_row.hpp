// A row in which a number format is chosen: the usual ones side by side, all others in a menu.
#pragma once

#include <optional>
#include <string_view>

#include "app/ui/choices.hpp"
#include "core/arch/formats.hpp"

namespace headcount {

struct FormatResult {
    std::optional<Formats> chosen = {};
    bool hovered = false;
};

// With `recipes` also llama.cpp's, whose formats differ from tensor to tensor. Records name.0 and so on, the last of
// them what opens the menu, and there name.menu.<index>.
FormatResult format_row(const Ui& ui, std::string_view name, const ChoiceRow& row, const Formats& current,
                        bool recipes);

}  // namespace headcount
