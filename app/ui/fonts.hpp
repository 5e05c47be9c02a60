// The faces of the interface at their sizes: Inter for words, JetBrains Mono for numbers and symbols.
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>

#include "app/ui/far_letters.hpp"
#include "app/ui/theme.hpp"

namespace headcount {

// One face at one size. `em` is the size that designers mean (CSS pixels); `size` is ImGui's, which is the distance
// from ascent to descent. `script` is the same face at 0.74 of the size, for sub- and superscripts.
struct Font {
    ImFont* face = nullptr;
    float size = 13;
    float em = 13;
    ImFont* script = nullptr;
    float script_size = 10;
    float advance = 0;          // of every character in a fixed-width face; 0: they differ
    FarLetters* far = nullptr;  // hears of all that is measured or drawn
};

struct Fonts {
    Font caption, caption_medium;       // Inter 11
    Font table, table_medium;           // Inter 12
    Font body, body_medium, body_bold;  // Inter 13: 400, 500, 600
    Font title;                         // Inter 16, 600
    Font question;                      // Inter 20, 600: what a class reads
    Font mono_caption;                  // JetBrains Mono 11
    Font mono, mono_medium;             // JetBrains Mono 12
    Font mono_body;                     // JetBrains Mono 13
    Font mono_answer;                   // JetBrains Mono 15: what a student types
    Font mono_result, mono_total;       // JetBrains Mono 15 and 18, 600
};

// What the fonts are made from: the family's file name without extension ("Inter-Regular") and its bytes.
struct FontFile {
    std::string_view name = {};
    std::span<const unsigned char> bytes = {};
};

// What a TrueType or OpenType file says about its own measures. No offset in it is trusted.
struct FontFacts {
    float line_height = 0;  // from ascent to descent, in ems; 0: the file is not readable
    float advance = 0;      // of every character of a fixed-width face, in ems; 0: they differ
};

// Of a collection it is the first font's.
FontFacts font_facts(std::span<const unsigned char> file);
// Whether its letters are of a form that can be drawn.
bool has_outlines(std::span<const unsigned char> file);
inline std::span<const unsigned char> bytes_of(std::string_view file) {
    return {reinterpret_cast<const unsigned char*>(file.data()), file.size()};
}

// Fills ImGui's atlas (after clearing it). A missing or unreadable file is replaced by ImGui's own font. The bytes
// must outlive the atlas. Call again when the interface scale changes; with Dear ImGui before 1.92 the back end's
// font texture must then be made anew (OpenGlBackend::forget_fonts does it). `fineness`: the atlas has so many dots for
// each pixel along a side, and every measure stays. `far`: what it has taken is in every face of words.
Fonts load_fonts(ImFontAtlas& atlas, std::span<const FontFile> files, float interface_scale, float fineness = 1,
                 FarLetters* far = nullptr);
Fonts load_embedded_fonts(ImFontAtlas& atlas, float interface_scale, float fineness = 1, FarLetters* far = nullptr);

// Metrics in pixels.
float ascent(const Font& font);
float cap_height(const Font& font);
// The top of a line whose capitals are centred on `centre`.
float text_top(const Font& font, float centre);
float text_width(const Font& font, std::string_view text);
// A line of letters as they are. Of a long one what is right of all that the list shows is left out.
void add_letters(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text);

// Makes the font ImGui's current one for as long as the object lives.
class FontScope {
  public:
    explicit FontScope(const Font& font);
    ~FontScope();
    FontScope(const FontScope&) = delete;
    FontScope& operator=(const FontScope&) = delete;
};

}  // namespace headcount
