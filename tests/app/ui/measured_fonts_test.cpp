// Fonts that are measured alone: as wide as those that are drawn.
#include "app/ui/measured_fonts.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <string_view>

#include "app/ui/fonts.hpp"

namespace headcount {
namespace {

#if IMGUI_VERSION_NUM < 19200
TEST(MeasuredFonts, AreAsWideAndAsHighAsThoseThatAreDrawn) {
    ImFontAtlas drawn, measured;
    load_embedded_fonts(drawn, 1.25F);
    load_embedded_fonts(measured, 1.25F);
    ASSERT_TRUE(drawn.Build());
    measure_fonts(measured);
    ASSERT_TRUE(measured.IsBuilt());
    ASSERT_EQ(drawn.Fonts.Size, measured.Fonts.Size);
    for (int i = 0; i < drawn.Fonts.Size; ++i) {
        const ImFont &a = *drawn.Fonts[i], &b = *measured.Fonts[i];
        EXPECT_EQ(a.Ascent, b.Ascent) << i;
        EXPECT_EQ(a.Descent, b.Descent) << i;
        EXPECT_EQ(a.Glyphs.Size, b.Glyphs.Size) << i;
        for (const std::string_view text : {"Query projection", "W_q × √d_h ≈ 4,096", "привет", "→ ✓ \xef\xbf\xbd 漢"})
            EXPECT_EQ(a.CalcTextSizeA(a.FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x,
                      b.CalcTextSizeA(b.FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x)
                << i << ' ' << text;
    }
}
#endif

}  // namespace
}  // namespace headcount
