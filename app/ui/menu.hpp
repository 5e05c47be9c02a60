// A menu button with a list that is grouped and can be searched by typing; for presets, and for small menus.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/ui/icons.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

struct MenuEntry {
    std::string_view name = {};
    std::string_view detail = {};  // mono, at the right: the exact total
    std::string_view group = {};   // a heading is drawn where it differs from the entry before
    std::string_view words = {};   // by which it is found besides; not shown
    std::string_view about = {};   // the key of what the detail is about: see veil.hpp
    Icon icon = Icon::none;
    bool disabled = false;  // drawn in a low colour, and chosen by nobody
    bool beside = false;    // in the line of the entry before, which is of its group
};

struct MenuButton {
    std::string_view label = {};  // what the button shows: "Llama 2 7B, edited"
    float width = 168;            // of the button, unscaled
    float list_width = 320;
    int current = -1;
    bool searchable = true;
    std::string_view prompt = "Type to filter";
};

// Typing filters by every word of the text, at the start of a word in name, group or words; Enter takes the entry whose
// name is meant best, arrows and Page another; Escape closes.
// Returns the index of the chosen entry. Records name, and while open name.search and name.<index>.
std::optional<int> menu_button(const Ui& ui, std::string_view name, const MenuButton& button,
                               std::span<const MenuEntry> entries);

// The same list in a popup beside the pointer, or from `at` down, just below a button: opened in one frame, drawn in
// every one, within the same window and ID scope. Either list goes up from its button where only there is room for all
// of it. Records name.<index>.
void open_menu(const Ui& ui, std::string_view name, int current = -1);
std::optional<int> popup_menu(const Ui& ui, std::string_view name, const MenuButton& list,
                              std::span<const MenuEntry> entries, std::optional<ImVec2> at = {});

// Whether an entry matches what was typed: every word occurs in its group, name or words, case ignored.
bool menu_matches(const MenuEntry& entry, std::string_view filter);

}  // namespace headcount
