// A field for words and formulas, on one line or on several: answers, names. It hands out every change as it is typed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/icons.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

enum class FieldLook { plain, right, wrong };  // right and wrong carry an icon

struct TextField {
    std::string_view text = {};
    std::string_view prompt = {};  // shown while it is empty
    FieldLook look = FieldLook::plain;
    const Font* font = nullptr;  // absent: the body's
    ImVec2 extent = {};          // in pixels
    int lines = 1;               // more: text wraps between words
    bool secret = false;         // a star stands for each letter
    bool enter_ends = false;     // of several lines: Enter ends typing, and with Ctrl begins a line
    bool stop = true;            // of Tab
};

struct TextFieldResult {
    std::optional<std::string> edited = {};
    bool focused = false;
    bool entered = false;  // Enter, where that begins no line
    bool left = false;     // the keyboard has gone
};

// At the cursor. Records `name`.
TextFieldResult text_field(const Ui& ui, std::string_view name, const TextField& field);

// The keyboard goes to the field of this name (same ID stack) in the next frame.
void ask_for_text(const Ui& ui, std::string_view name);

// Text with breaks put in where a line would be wider than `width`, and without them. A break that was typed stays.
std::string broken_into_lines(const Font& font, std::string_view text, float width);
std::string without_breaks(std::string_view text);

// A field that filters or asks by what is typed in it: a glass, and what is typed.
struct SearchField {
    std::span<char> text;  // ends in a zero byte
    std::string_view prompt = {};
    ImVec2 extent = {};                           // in pixels
    const Font* font = nullptr;                   // absent: the body's
    std::optional<ImU32> fill = {}, border = {};  // absent: a field's, lit while one types
    float glass = 16, icon = 14, from = 30,
          spare = 8;  // design pixels: the glass's centre and size, the text's margins
    Icon mark = Icon::search;
    bool grabs = false;                        // the keyboard goes to it in this frame
    bool completes = false;                    // Tab calls on_edit, too
    ImGuiInputTextCallback on_edit = nullptr;  // called in every frame that one types in
    void* user = nullptr;
};

// At the cursor. Returns whether the text was changed.
bool search_field(const Ui& ui, const SearchField& field);

// The same as wide as that and as high as a button; Tab stops here. Records `name`.
bool search_field(const Ui& ui, std::string_view name, std::span<char> text, float width, std::string_view prompt);

}  // namespace headcount
