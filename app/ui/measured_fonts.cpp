// The widths of letters, by the reader of fonts that Dear ImGui draws them with.
#include "app/ui/measured_fonts.hpp"

#include <imgui_internal.h>

#include <cmath>
#include <map>
#include <vector>

// Newer versions make each letter when it is asked for.
#if IMGUI_VERSION_NUM < 19200

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_truetype.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace headcount {
namespace {

// As ImFontAtlasBuildWithStbTruetype rounds what stands above and below a line.
float rounded(int units, float scale) {
    return std::trunc(static_cast<float>(units) * scale + (units > 0 ? 1.0F : -1.0F));
}

void measure(ImFontAtlas& atlas, ImFontConfig& config, std::vector<bool>& known) {
    const auto* const file = static_cast<const unsigned char*>(config.FontData);
    stbtt_fontinfo font{};
    if (!stbtt_InitFont(&font, file, stbtt_GetFontOffsetForIndex(file, config.FontNo))) return;
    const float scale = stbtt_ScaleForPixelHeight(&font, config.SizePixels);
    int up = 0, down = 0, gap = 0;
    stbtt_GetFontVMetrics(&font, &up, &down, &gap);
    ImFontAtlasBuildSetupFont(&atlas, config.DstFont, &config, rounded(up, scale), rounded(down, scale));
    const ImWchar* range = config.GlyphRanges ? config.GlyphRanges : atlas.GetGlyphRangesDefault();
    for (; range[0] != 0 && range[1] != 0; range += 2)
        for (std::size_t letter = range[0]; letter <= range[1]; ++letter) {
            if (known[letter]) continue;  // in a face that this one only completes
            const int glyph = stbtt_FindGlyphIndex(&font, static_cast<int>(letter));
            if (glyph == 0) continue;
            int advance = 0, bearing = 0;
            stbtt_GetGlyphHMetrics(&font, glyph, &advance, &bearing);
            config.DstFont->AddGlyph(&config, static_cast<ImWchar>(letter), 0, 0, 0, 0, 0, 0, 0, 0,
                                     static_cast<float>(advance) * scale);
            known[letter] = true;
        }
}

}  // namespace

void measure_fonts(ImFontAtlas& atlas) {
    if (atlas.IsBuilt()) return;
    std::map<const ImFont*, std::vector<bool>> known;
    for (ImFontConfig& config : atlas.ConfigData) {
        std::vector<bool>& letters = known[config.DstFont];
        letters.resize(IM_UNICODE_CODEPOINT_MAX + 1);
        measure(atlas, config, letters);
    }
    for (ImFont* const face : atlas.Fonts) face->BuildLookupTable();
    atlas.TexReady = true;
}

}  // namespace headcount

#else

namespace headcount {

void measure_fonts(ImFontAtlas&) {}

}  // namespace headcount

#endif
