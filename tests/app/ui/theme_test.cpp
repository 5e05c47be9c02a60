// Claims about colours: everything that is written can be read, in both themes and on a projector.
#include "app/ui/theme.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace headcount {
namespace {

std::vector<ImU32> components(const Theme& t) {
    return {t.embedding,    t.query,       t.key,        t.value,      t.attention_output,
            t.gate,         t.up,          t.down,       t.norm,       t.attention,
            t.feed_forward, t.output_head, t.state_gate, t.state_rate, t.recurrence};
}

std::vector<ImU32> surfaces(const Theme& t) {
    std::vector<ImU32> all = {t.canvas, t.panel, t.raised, t.hover, t.deck, t.field};
    for (const ImU32 surface : {t.panel, t.canvas})
        for (const ImU32 tint : {group_tint(t), hover_tint(t), selected_tint(t)}) all.push_back(over(tint, surface));
    // What the canvas draws blocks with: 7 % of the hue over the layer's sheet.
    for (const ImU32 hue : components(t)) all.push_back(over(with_alpha(hue, 0.07F), t.deck));
    return all;
}

struct Named {
    const char* name;
    Theme theme;
    float least;
};

class Themes : public ::testing::TestWithParam<Named> {
  protected:
    Theme theme = GetParam().theme;
    float least = GetParam().least;
};

INSTANTIATE_TEST_SUITE_P(All, Themes,
                         ::testing::Values(Named{"Dark", dark_theme(), 4.5F}, Named{"Light", light_theme(), 4.5F},
                                           Named{"DarkPresenter", presenter_theme(dark_theme()), 7},
                                           Named{"LightPresenter", presenter_theme(light_theme()), 7}),
                         [](const auto& each) { return each.param.name; });

TEST_P(Themes, AllInksAreReadableOnAllSurfaces) {
    for (const ImU32 surface : surfaces(theme))
        for (const ImU32 ink : {theme.text_high, theme.text_mid, theme.text_low})
            EXPECT_GE(contrast(ink, surface), least) << std::hex << ink << " on " << surface;
}

TEST_P(Themes, TextOnAComponentIsReadable) {
    for (const ImU32 fill : components(theme)) EXPECT_GE(contrast(text_on(fill), fill), least) << std::hex << fill;
    for (const ImU32 ink : {theme.text_high, theme.text_mid, theme.kv_edge, readable(theme, theme.kv_edge)})
        EXPECT_GE(contrast(ink, theme.kv_fill), least) << std::hex << ink;
}

TEST_P(Themes, StatusIsReadable) {
    for (const ImU32 surface : {theme.panel, theme.wrong_fill, theme.field})
        EXPECT_GE(contrast(theme.wrong, surface), least);
    EXPECT_GE(contrast(theme.text_high, theme.wrong_fill), least);
    for (const ImU32 surface : {theme.panel, theme.raised, theme.hover, theme.field})
        EXPECT_GE(contrast(theme.right, surface), least) << std::hex << surface;
    EXPECT_GE(contrast(theme.selection_ink, theme.selection), least);
}

TEST_P(Themes, AHueUsedAsTextIsReadable) {
    for (const ImU32 hue : components(theme))
        for (const ImU32 surface : {theme.panel, theme.raised, theme.hover})
            EXPECT_GE(contrast(readable(theme, hue), surface), least);
}

TEST_P(Themes, AMixtureOfHuesCanBeWrittenOn) {
    for (const ImU32 one : components(theme))
        for (const ImU32 other : components(theme)) {
            const ImU32 fill = writable(theme, mix(one, other, 0.5F));
            EXPECT_GE(contrast(text_on(fill), fill), least) << std::hex << one << " and " << other;
        }
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
                EXPECT_GE(contrast(text_on(fill), fill), 4.5F);
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
