// Claims about colour blindness: whoever looks, no two parts of the model look the same.
#include "tests/app/ui/colour_vision.hpp"

#include <gtest/gtest.h>

#include <array>

#include "app/ui/theme.hpp"

namespace headcount {
namespace {

// Seen at a glance, and more than four times what can just be seen side by side.
constexpr double least_difference = 10;

struct Hue {
    const char* name;
    ImU32 Theme::*colour;
};
constexpr std::array hues = {Hue{"embedding", &Theme::embedding},
                             Hue{"query", &Theme::query},
                             Hue{"key and attention", &Theme::key},
                             Hue{"value", &Theme::value},
                             Hue{"attention output", &Theme::attention_output},
                             Hue{"gate", &Theme::gate},
                             Hue{"up and feed-forward", &Theme::up},
                             Hue{"down", &Theme::down},
                             Hue{"output head", &Theme::output_head},
                             Hue{"norm", &Theme::norm},
                             Hue{"state gate and recurrence", &Theme::state_gate}};
constexpr std::array<std::pair<Vision, const char*>, 4> visions = {{{Vision::usual, "usual"},
                                                                    {Vision::protanopia, "protanopia"},
                                                                    {Vision::deuteranopia, "deuteranopia"},
                                                                    {Vision::tritanopia, "tritanopia"}}};

void expect_told_apart(const Theme& theme) {
    EXPECT_EQ(theme.attention, theme.key);
    EXPECT_EQ(theme.feed_forward, theme.up);
    EXPECT_EQ(theme.recurrence, theme.state_gate);
    for (const auto& [vision, name] : visions)
        for (std::size_t i = 0; i < hues.size(); ++i)
            for (std::size_t j = i + 1; j < hues.size(); ++j)
                EXPECT_GE(
                    difference(seen_with(vision, theme.*hues[i].colour), seen_with(vision, theme.*hues[j].colour)),
                    least_difference)
                    << hues[i].name << " beside " << hues[j].name << ", " << name;
}

// Narrow columns beside the projections: to whoever sees all colours they differ at a glance, to others side by side.
TEST(ColourVision, TheRateOfAStateIsToldFromAllElse) {
    constexpr double side_by_side = 5;
    for (const Theme& theme :
         {dark_theme(), light_theme(), presenter_theme(dark_theme()), presenter_theme(light_theme())})
        for (const auto& [vision, name] : visions)
            for (const Hue& hue : hues)
                EXPECT_GE(difference(seen_with(vision, theme.state_rate), seen_with(vision, theme.*hue.colour)),
                          vision == Vision::usual ? least_difference : side_by_side)
                    << hue.name << ", " << name;
}

TEST(ColourVision, PartsOfTheModelAreToldApartInTheDarkTheme) { expect_told_apart(dark_theme()); }
TEST(ColourVision, PartsOfTheModelAreToldApartInTheLightTheme) { expect_told_apart(light_theme()); }
TEST(ColourVision, PartsOfTheModelAreToldApartOnAProjector) {
    expect_told_apart(presenter_theme(dark_theme()));
    expect_told_apart(presenter_theme(light_theme()));
}

TEST(ColourVision, GreysLookTheSameToEveryone) {
    for (const ImU32 grey : {rgb(0x000000), rgb(0x7F7F7F), rgb(0xFFFFFF)})
        for (const auto& [vision, name] : visions) EXPECT_LT(difference(seen_with(vision, grey), grey), 0.5) << name;
}

TEST(ColourVision, RedAndGreenComeCloserWithoutEitherCone) {
    const ImU32 red = rgb(0xC03030), green = rgb(0x3C7A20);
    const double usual = difference(red, green);
    for (const Vision vision : {Vision::protanopia, Vision::deuteranopia})
        EXPECT_LT(difference(seen_with(vision, red), seen_with(vision, green)), usual / 2);
    EXPECT_GT(difference(seen_with(Vision::tritanopia, red), seen_with(Vision::tritanopia, green)), usual / 2);
}

TEST(ColourVision, AlphaStays) {
    EXPECT_EQ(seen_with(Vision::protanopia, with_alpha(rgb(0x336699), 0.5F)) >> IM_COL32_A_SHIFT & 0xFFu, 128u);
}

// Pairs of the table that the formula was published with, which every implementation is checked against.
TEST(ColourDifference, IsWhatThePublishedPairsSay) {
    struct Pair {
        Lab one, other;
        double expected;
    };
    const std::array<Pair, 9> pairs = {{{{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
                                        {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
                                        {{50, 0, 0}, {50, -1, 2}, 2.3669},
                                        {{50, 2.49, -0.001}, {50, -2.49, 0.0009}, 7.1792},
                                        {{50, 2.49, -0.001}, {50, -2.49, 0.0011}, 7.2195},
                                        {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
                                        {{50, 2.5, 0}, {56, -27, -3}, 31.9030},
                                        {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
                                        {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082}}};
    for (const Pair& pair : pairs) {
        EXPECT_NEAR(difference(pair.one, pair.other), pair.expected, 5e-5);
        EXPECT_NEAR(difference(pair.other, pair.one), pair.expected, 5e-5);
    }
}

TEST(ColourDifference, BlackAndWhiteAreAHundredApart) {
    EXPECT_NEAR(difference(rgb(0x000000), rgb(0xFFFFFF)), 100, 1e-3);
    EXPECT_EQ(difference(rgb(0x4CC38A), rgb(0x4CC38A)), 0);
}

}  // namespace
}  // namespace headcount
