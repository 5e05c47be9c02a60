// Buttons, icon buttons, chips, key caps, quiet words to press, and rows that open a group.
#pragma once

#include <string_view>

#include "app/ui/icons.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

enum class ButtonLook { plain, primary, quiet };  // outlined; filled with the selection colour; words alone

struct Button {
    std::string_view label = {};
    Icon icon = Icon::none;
    ButtonLook look = ButtonLook::plain;
    bool disabled = false;
    bool small = false;  // 24 px instead of 30
    float width = 0;     // 0: as wide as its words
    std::string_view tooltip = {};
    bool icon_behind = false;  // the words
};

// At the cursor; returns whether it was pressed. Records `name`.
bool button(const Ui& ui, std::string_view name, const Button& button);
float button_width(const Ui& ui, const Button& button);

// Buttons in a line from the left to the right, from the cursor on; those that have no room in it begin another.
class ButtonLine {
  public:
    explicit ButtonLine(const Ui& ui);
    bool put(std::string_view name, const Button& look);  // returns whether it was pressed
    void end() const;                                     // the cursor is below it, where it began

  private:
    const Ui& ui_;
    ImVec2 start_;
    float room_, x_, y_, width_ = 0, height_ = 0;  // the height of a line
};

struct IconButtonOptions {
    bool active = false;
    bool disabled = false;
    float side = size::icon_button;
};
bool icon_button(const Ui& ui, std::string_view name, Icon icon, std::string_view tooltip,
                 const IconButtonOptions& options = {});

// 20 px, radius 5; mono where it holds numbers. A chip with a name can be pressed.
void chip(const Ui& ui, std::string_view text, bool mono = false);
bool chip_button(const Ui& ui, std::string_view name, std::string_view text, bool lit = false);
float chip_width(const Ui& ui, std::string_view text, bool mono = false);

// A key of the keyboard, for the manual's keys; "Ctrl+Shift+Z" gives three caps. Returns the width.
float key_caps(const Ui& ui, std::string_view keys);

// Text that can be copied: mono text, and a copy mark that appears on hover. True when it was pressed; the caller
// need do nothing, the text is on the clipboard already.
bool copyable(const Ui& ui, std::string_view name, std::string_view text, const Font& font, ImU32 colour,
              bool mark_always = false);

// A row that opens and closes a group of rarer rows, with a remark that says what is in it.
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
