// A row that opens and closes a group of rarer rows, with a remark that says what is in it; and a quiet word to press.
#pragma once

#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

struct Disclosure {
    std::string_view label = {};
    std::string_view remark = {};  // cut where it has no room
    bool changed = false;          // a dot: something in it differs from the preset
    bool open_at_first = false;    // until somebody opens or closes it
    bool open_now = false;         // something in it must be seen
};

// 30 px: label, remark, chevron. ImGui remembers by name whether it is open. Returns whether it is.
bool disclosure_row(const Ui& ui, std::string_view name, const Disclosure& row);

// A small word that switches something, outside ImGui's layout: its left end and the line's centre. Records `name`.
bool word_button(const Ui& ui, std::string_view name, ImVec2 left_centre, std::string_view word,
                 std::string_view tooltip);
float word_button_width(const Ui& ui, std::string_view word);

}  // namespace headcount
