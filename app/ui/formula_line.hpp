// A line made of runs, each with its own colour, some of which can be pointed at and pressed: "d x d_ff".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/ui.hpp"

namespace headcount {

struct TextRun {
    std::string text = {};   // with scripts, see rich_text.hpp
    ImU32 colour = 0;        // 0: the line's colour
    bool underline = false;  // equal inner sizes are underlined
    int id = -1;             // below 0: cannot be pressed
    bool lit = false;        // named elsewhere at this moment
};

struct FormulaLineResult {
    std::optional<int> hovered, clicked;  // ids of runs, not indices
};

// A line at the cursor; wraps between runs at the available width. Each run with an id records itself as
// `name.<id>` and takes the keyboard's focus.
FormulaLineResult formula_line(const Ui& ui, std::string_view name, std::span<const TextRun> runs, const Font& font,
                               ImU32 colour);

// A card row: caption left, formula right ("symbols   d x d_ff"), 23 px.
FormulaLineResult formula_row(const Ui& ui, std::string_view name, std::string_view caption,
                              std::span<const TextRun> runs, const Font& font, ImU32 colour);

}  // namespace headcount
