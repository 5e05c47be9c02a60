// Fields that filter or ask by what is typed in them: a glass, and what is typed.
#pragma once

#include <imgui.h>

#include <optional>
#include <span>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

struct SearchField {
    std::span<char> text;  // ends in a zero byte
    std::string_view prompt = {};
    ImVec2 extent = {};                           // in pixels
    const Font* font = nullptr;                   // absent: the body's
    std::optional<ImU32> fill = {}, border = {};  // absent: a field's, lit while one types
    float glass = 16, icon = 14, from = 30,
          spare = 8;                           // design pixels: the glass's centre and size, the text's margins
    bool grabs = false;                        // the keyboard goes to it in this frame
    ImGuiInputTextCallback on_edit = nullptr;  // called in every frame that one types in
    void* user = nullptr;
};

// At the cursor. Returns whether the text was changed.
bool search_field(const Ui& ui, const SearchField& field);

// The same as wide as that and as high as a button; Tab stops here. Records `name`.
bool search_field(const Ui& ui, std::string_view name, std::span<char> text, float width, std::string_view prompt);

}  // namespace headcount
