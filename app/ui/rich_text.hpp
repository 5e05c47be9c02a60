// One line of text with sub- and superscripts, measured and drawn: "W_gate", "d_ff", "X^(1)", "K^T". What the numbers
// in it are about is said by an About.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/ui/ui.hpp"
#include "app/ui/veil.hpp"

namespace headcount {

// With the sub- and superscripts of core/base/scripts.hpp.
float symbol_width(const Font& font, std::string_view text);

// Draws with the top of the line at `position`; returns the width.
float draw_symbol(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text);

// So much of a text that is cut after `fits` bytes as says nothing else than the whole: half a number is another one,
// and half a unit another unit.
std::string_view cut_before_number(std::string_view text, std::size_t fits);

// Plain text; the same without scripts. Cut with "..." where it is wider than `width` (0:
// never; below 0 there is no room for any), but never within a number and its unit: these are there or not.
float draw_text(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text,
                float width = 0);

// The same for who needs no width: they measure nothing.
void put_text(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text);
void put_symbol(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text);

// Text that wraps between words at `width` and where it has line ends; lines stand 1.5 em apart. A word wider than a
// line is broken, after a "·" where it has one. `scripts` reads underscores and carets.
ImVec2 wrapped_extent(const Font& font, std::string_view text, float width, bool scripts = false);
void draw_wrapped(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text, float width,
                  bool scripts = false);

// A sentence to be drawn with scripts, what it quotes and names of tensors and files without: "a_b" and
// model.layers.0.up_proj stay as they were written.
std::string plain_in_quotes(std::string_view sentence);

// With a capital at its beginning, but where that is a tensor's or a file's name.
std::string begun_as_sentence(std::string_view sentence);

enum class Align { left, centre, right };

// One line inside a box, its capitals centred between top and bottom; `scripts` reads underscores and carets.
void draw_text_in(ImDrawList& list, const Font& font, ImVec2 min, ImVec2 max, ImU32 colour, std::string_view text,
                  Align align = Align::left, bool scripts = false);

// As ImGui items, at the cursor: a line, and a paragraph that wraps at the available width, with scripts where asked.
void text_line(const Ui& ui, const Font& font, ImU32 colour, std::string_view text);
void symbol_line(const Ui& ui, const Font& font, ImU32 colour, std::string_view text);
void paragraph(const Ui& ui, const Font& font, ImU32 colour, std::string_view text, bool scripts = false);

}  // namespace headcount
