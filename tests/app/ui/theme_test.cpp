// Claims about colours: everything that is written can be read, in both themes.
#include "app/ui/theme.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace headcount {
namespace {

constexpr float readable_ratio = 4.5F;

std::vector<ImU32> surfaces(const Theme& t) {
    std::vector<ImU32> all = {t.canvas, t.panel, t.raised, t.hover, t.deck, t.field};
    for (const ImU32 surface : {t.panel, t.canvas})
        for (const ImU32 tint : {group_tint(t), hover_tint(t), selected_tint(t)}) all.push_back(over(tint, surface));
    return all;
}

std::vector<ImU32> components(const Theme& t) {
    return {t.embedding, t.query, t.key,  t.value,     t.attention_output, t.gate,
            t.up,        t.down,  t.norm, t.attention, t.feed_forward,     t.output_head};
}

class Themes : public ::testing::TestWithParam<bool> {
  protected:
    Theme theme = GetParam() ? dark_theme() : light_theme();
};

INSTANTIATE_TEST_SUITE_P(Both, Themes, ::testing::Bool());

TEST_P(Themes, AllInksAreReadableOnAllSurfaces) {
    for (const ImU32 surface : surfaces(theme))
        for (const ImU32 ink : {theme.text_high, theme.text_mid, theme.text_low})
            EXPECT_GE(contrast(ink, surface), readable_ratio) << std::hex << ink << " on " << surface;
}

TEST_P(Themes, TextOnAComponentIsReadable) {
    for (const ImU32 fill : components(theme)) EXPECT_GE(contrast(text_on(fill), fill), readable_ratio);
    EXPECT_GE(contrast(theme.text_high, theme.kv_fill), readable_ratio);
    EXPECT_GE(contrast(theme.kv_edge, theme.kv_fill), readable_ratio);
}

TEST_P(Themes, StatusIsReadable) {
    for (const ImU32 surface : {theme.panel, theme.wrong_fill, theme.field})
        EXPECT_GE(contrast(theme.wrong, surface), readable_ratio);
    EXPECT_GE(contrast(theme.text_high, theme.wrong_fill), readable_ratio);
    EXPECT_GE(contrast(theme.right, theme.panel), readable_ratio);
    EXPECT_GE(contrast(theme.selection_ink, theme.selection), readable_ratio);
}

TEST_P(Themes, AHueUsedAsTextIsReadable) {
    for (const ImU32 hue : components(theme))
        for (const ImU32 surface : {theme.panel, theme.raised, theme.hover})
            EXPECT_GE(contrast(readable(theme, hue), surface), readable_ratio);
}

TEST_P(Themes, EveryComponentStandsOutFromThePanelByItsEdge) {
    for (const ImU32 fill : components(theme))
        EXPECT_GE(contrast(edge_of(theme, fill), theme.panel), 2.9F) << std::hex << fill;
}

TEST_P(Themes, ApplyingAStyleTwiceIsTheSameAsOnce) {
    ImGui::CreateContext();
    apply_style(theme, 1.5F);
    const ImGuiStyle once = ImGui::GetStyle();
    apply_style(theme, 1.5F);
    EXPECT_EQ(ImGui::GetStyle().ScrollbarSize, once.ScrollbarSize);
    EXPECT_EQ(ImGui::GetStyle().WindowPadding.x, once.WindowPadding.x);
    ImGui::DestroyContext();
}

TEST(Theme, AmberAndLightGreenHaveADarkerEdgeInTheLightTheme) {
    const Theme light = light_theme();
    for (const ImU32 pale : {light.query, light.gate}) {
        EXPECT_NE(edge_of(light, pale), pale);
        EXPECT_LT(luminance(edge_of(light, pale)), luminance(pale));
    }
    EXPECT_EQ(edge_of(light, light.embedding), light.embedding);
}

TEST(Colour, BlackOrWhiteCanBeReadOnAnyFill) {
    for (int r = 0; r <= 255; r += 15)
        for (int g = 0; g <= 255; g += 15)
            for (int b = 0; b <= 255; b += 15) {
                const ImU32 fill = IM_COL32(r, g, b, 255);
                EXPECT_GE(contrast(text_on(fill), fill), readable_ratio);
            }
}

TEST(Colour, ContrastOfBlackAndWhiteIsTwentyOne) {
    EXPECT_NEAR(contrast(rgb(0x000000), rgb(0xFFFFFF)), 21, 1e-3);
    EXPECT_NEAR(contrast(rgb(0x777777), rgb(0x777777)), 1, 1e-6);
}

TEST(Colour, AlphaMixesAndFades) {
    EXPECT_EQ(with_alpha(rgb(0x102030), 0.5F) >> IM_COL32_A_SHIFT & 0xFFu, 128u);
    EXPECT_EQ(mix(rgb(0x000000), rgb(0xFFFFFF), 1), rgb(0xFFFFFF));
    EXPECT_EQ(over(with_alpha(rgb(0xFFFFFF), 0), rgb(0x123456)), rgb(0x123456));
    EXPECT_EQ(over(rgb(0xABCDEF), rgb(0x123456)), rgb(0xABCDEF));
}

}  // namespace
}  // namespace headcount
