// Loads the faces at their sizes into ImGui's atlas, and measures them.
#include "app/ui/fonts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <embedded_fonts.hpp>
#include <vector>

#include "app/ui/imgui_drawing.hpp"
#include "core/base/scripts.hpp"

namespace headcount {
namespace {

// Latin-1, Greek and Cyrillic, and the characters that formulas and labels use; ImGui keeps a pointer, so they are
// constants.
constexpr std::array<ImWchar, 81> text_range = {
    0x0020, 0x00FF, 0x0131, 0x0131, 0x0391, 0x03A9, 0x03B1, 0x03C9, 0x0400, 0x045F, 0x0490, 0x0491, 0x2009, 0x200A,
    0x2010, 0x2015, 0x2018, 0x201E, 0x2020, 0x2022, 0x2026, 0x2026, 0x2030, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A,
    0x2044, 0x2044, 0x2070, 0x207F, 0x2080, 0x2089, 0x20AC, 0x20AC, 0x2113, 0x2113, 0x211D, 0x211D, 0x2190, 0x2195,
    0x21D2, 0x21D2, 0x21E7, 0x21E7, 0x2202, 0x2202, 0x2206, 0x2208, 0x220F, 0x2212, 0x2215, 0x2215, 0x2217, 0x221A,
    0x221E, 0x221E, 0x2248, 0x2248, 0x2260, 0x2265, 0x2295, 0x2299, 0x22A4, 0x22A4, 0x22C5, 0x22C5, 0x2308, 0x230B,
    0x2318, 0x2318, 0x25A0, 0x25CF, 0x2713, 0x2717, 0x27E8, 0x27E9, 0xFFFD, 0xFFFD, 0};
constexpr std::array<ImWchar, 9> number_range = {0x0020, 0x007E, 0x00B7, 0x00D7, 0x2026, 0x2026, 0x2248, 0x2248, 0};
constexpr std::size_t all_letters = 12;  // entries of text_range before the symbols
constexpr std::array<ImWchar, 5> script_range = {0x0020, 0x007E, 0x03B1, 0x03C9, 0};

using Bytes = std::span<const unsigned char>;

std::uint32_t big_endian(Bytes file, std::size_t offset, int bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | file[offset + static_cast<std::size_t>(i)];
    return value;
}

// The table of this tag, or nothing where it is missing, or shorter than `least`.
Bytes table_of(Bytes file, std::uint32_t tag, std::size_t least) {
    constexpr std::uint32_t collection = 0x74746366;
    if (file.size() < 16) return {};
    const std::size_t start = big_endian(file, 0, 4) == collection ? big_endian(file, 12, 4) : 0;
    if (start > file.size() - 12) return {};
    const std::uint32_t count = big_endian(file, start + 4, 2);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t entry = start + 12 + 16 * i;
        if (entry + 16 > file.size()) return {};
        if (big_endian(file, entry, 4) != tag) continue;
        const std::size_t offset = big_endian(file, entry + 8, 4);
        if (offset > file.size() || file.size() - offset < least) return {};
        return file.subspan(offset);
    }
    return {};
}

class Loader {
  public:
    Loader(ImFontAtlas& atlas_, std::span<const FontFile> files_, float scale_, float fineness_, FarLetters* far_)
        : atlas(atlas_), files(files_), scale(scale_), fineness(fineness_), far(far_) {}

    Font load(std::string_view name, float em, const ImWchar* range) {
        Font font;
        font.em = em * scale;
        font.face = add(name, font.em, font.size, range);
        // Signs that Inter may lack and JetBrains Mono has, put into the same face.
        constexpr std::string_view with_symbols = "JetBrainsMono-Regular";
        float pixels = 0;
        if (range == text_range.data() && find(name) && find(with_symbols))
            add(with_symbols, font.em, pixels, text_range.data() + all_letters, true);
        if (far && !far->font().empty() && range == text_range.data() && find(name))
            add(bytes_of(far->font()), font.em, pixels, far->range(), true);
        font.far = far;
        font.script = add(name, font.em * script_part, font.script_size, script_range.data());
        if (const FontFile* const file = find(name)) {
            const FontFacts facts = font_facts(file->bytes);
            font.advance = font.size * facts.advance / facts.line_height;
        }
        return font;
    }

  private:
    const FontFile* find(std::string_view name) const {
        const auto found = std::ranges::find_if(files, [name](const FontFile& file) { return file.name == name; });
        return found != files.end() && font_facts(found->bytes).line_height > 0 ? &*found : nullptr;
    }

    ImFont* add(std::string_view name, float em, float& pixels, const ImWchar* range, bool merges = false) {
        if (const FontFile* const file = find(name)) return add(file->bytes, em, pixels, range, merges);
        ImFontConfig config;
        pixels = std::max(8.0F, std::round(em));
        config.SizePixels = compat::baked_size(config, pixels, fineness);
        return compat::drawn_from(atlas.AddFontDefault(&config), fineness);
    }

    ImFont* add(Bytes file, float em, float& pixels, const ImWchar* range, bool merges) {
        ImFontConfig config;
        // Whole pixels, because newer versions round the size that is drawn and must not differ from the older ones.
        pixels = std::ceil(em * font_facts(file).line_height - 0.25F);
        config.MergeMode = merges;
        config.FontDataOwnedByAtlas = false;
        config.OversampleH = fineness > 1 ? 1 : 2;
        config.OversampleV = 1;
        const float baked = compat::baked_size(config, pixels, fineness);
        ImFont* const face = atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()),
                                                        static_cast<int>(file.size()), baked, &config, range);
        return compat::drawn_from(face, fineness);
    }

    ImFontAtlas& atlas;
    std::span<const FontFile> files;
    float scale, fineness;
    FarLetters* far;
};

}  // namespace

// The OpenType specification says where what stands in 'head', 'hhea' and 'post'.
FontFacts font_facts(Bytes file) {
    const Bytes head = table_of(file, 0x68656164, 20);
    const Bytes hhea = table_of(file, 0x68686561, 12);
    const Bytes post = table_of(file, 0x706F7374, 16);
    if (head.empty() || hhea.empty()) return {};
    const auto units = static_cast<float>(big_endian(head, 18, 2));
    if (units <= 0) return {};
    const auto up = static_cast<std::int16_t>(big_endian(hhea, 4, 2));
    const auto down = static_cast<std::int16_t>(big_endian(hhea, 6, 2));
    FontFacts facts;
    facts.line_height = static_cast<float>(up - down) / units;
    if (!post.empty() && big_endian(post, 12, 4) != 0)
        facts.advance = static_cast<float>(big_endian(hhea, 10, 2)) / units;
    return facts;
}

bool has_outlines(Bytes file) {
    constexpr std::uint32_t curves = 0x676C7966, compact = 0x43464620;
    const bool drawn = !table_of(file, curves, 1).empty() || !table_of(file, compact, 1).empty();
    return drawn && font_facts(file).line_height > 0;
}

Fonts load_fonts(ImFontAtlas& atlas, std::span<const FontFile> files, float interface_scale, float fineness,
                 FarLetters* far) {
    atlas.Clear();
    Loader loader(atlas, files, interface_scale, fineness, far);
    const ImWchar* const text = text_range.data();
    const ImWchar* const numbers = number_range.data();
    Fonts fonts;
    fonts.body = loader.load("Inter-Regular", 13, text);  // first, so that it is ImGui's default font
    fonts.caption = loader.load("Inter-Regular", 11, text);
    fonts.caption_medium = loader.load("Inter-Medium", 11, text);
    fonts.table = loader.load("Inter-Regular", 12, text);
    fonts.table_medium = loader.load("Inter-Medium", 12, text);
    fonts.body_medium = loader.load("Inter-Medium", 13, text);
    fonts.body_bold = loader.load("Inter-SemiBold", 13, text);
    fonts.title = loader.load("Inter-SemiBold", 16, text);
    fonts.question = loader.load("Inter-SemiBold", 20, text);
    fonts.mono_caption = loader.load("JetBrainsMono-Regular", 11, text);
    fonts.mono = loader.load("JetBrainsMono-Regular", 12, text);
    fonts.mono_medium = loader.load("JetBrainsMono-Medium", 12, text);
    fonts.mono_body = loader.load("JetBrainsMono-Regular", 13, text);
    fonts.mono_answer = loader.load("JetBrainsMono-Regular", 15, text);
    fonts.mono_result = loader.load("JetBrainsMono-SemiBold", 15, text);
    fonts.mono_total = loader.load("JetBrainsMono-SemiBold", 18, numbers);
    return fonts;
}

Fonts load_embedded_fonts(ImFontAtlas& atlas, float interface_scale, float fineness, FarLetters* far) {
    std::vector<FontFile> files;
    for (const EmbeddedFont& font : embedded_fonts()) files.push_back({font.name, font.bytes});
    return load_fonts(atlas, files, interface_scale, fineness, far);
}

float ascent(const Font& font) { return compat::font_ascent(font.face, font.size); }

// Inter's capitals are 0.727 em high, JetBrains Mono's 0.73.
float cap_height(const Font& font) { return 0.728F * font.em; }

float text_top(const Font& font, float centre) { return std::round(centre + cap_height(font) / 2 - ascent(font)); }

float text_width(const Font& font, std::string_view text) {
    if (text.empty()) return 0;  // an empty view may have no address
    const bool wide = font.far && font.far->ask(text);
    if (font.advance > 0 && !wide) {
        // Every byte that does not continue a character starts one.
        const auto characters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
        return static_cast<float>(characters) * font.advance;
    }
    return font.face->CalcTextSizeA(font.size, FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

void add_letters(ImDrawList& list, const Font& font, ImVec2 position, ImU32 colour, std::string_view text) {
    // ImGui makes room for four vertices for each byte before it looks which of them are seen.
    constexpr std::size_t long_text = 500;
    if (font.far) font.far->ask(text.substr(0, long_text));
    const char* end = text.data() + text.size();
    if (text.size() > long_text) {
        const float room = std::max(0.0F, list.GetClipRectMax().x - position.x) + font.size;
        font.face->CalcTextSizeA(font.size, room, 0, text.data(), end, &end);
    }
    if (end != text.data()) list.AddText(font.face, font.size, position, colour, text.data(), end);
}

FontScope::FontScope(const Font& font) { compat::push_font(font.face, font.size); }
FontScope::~FontScope() { ImGui::PopFont(); }

}  // namespace headcount
