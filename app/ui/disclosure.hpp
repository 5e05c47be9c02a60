// A row that opens and closes a group of rarer rows, with a remark that says what is in it; and a quiet word to press.
#pragma once

#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

// 30 px: label, remark, chevron. ImGui remembers by name whether it is open; closed at first. Returns whether it is.
bool disclosure_row(const Ui& ui, std::string_view name, std::string_view label, std::string_view remark,
                    bool changed = false);

// A small word that switches something, outside ImGui's layout: its left end and the line's centre. Records `name`.
bool word_button(const Ui& ui, std::string_view name, ImVec2 left_centre, std::string_view word,
                 std::string_view tooltip);
float word_button_width(const Ui& ui, std::string_view word);

}  // namespace headcount
