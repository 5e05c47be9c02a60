// Where the model's picture begins: the positions of its tokens.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tests/app/canvas/canvas_stage.hpp"

namespace headcount {
namespace {

Scene scene_of(const Input& input) {
    return layout_model(layout_input(Model(preset("gpt2"), input), {{{0, 0}, {1500, 980}}}));
}

using Texts = std::vector<std::string>;

// What stands in the chips beside the embedding.
std::vector<std::string> positions(const Input& input) {
    std::vector<std::string> found;
    for (const Label& label : scene_of(input).labels)
        if (label.id == "tokens" && label.anchor == Anchor::centre) found.push_back(label.text);
    return found;
}

TEST(EndsLayout, TokensStandAtTheirPositionsBehindTheCachedOnes) {
    EXPECT_EQ(positions({.tokens = 100}), (Texts{"0", "1", "…", "99"}));
    EXPECT_EQ(positions({.tokens = 4}), (Texts{"0", "1", "2", "3"}));
    EXPECT_EQ(positions({.tokens = 1, .cached = 100}), Texts{"100"});
    EXPECT_EQ(positions({.tokens = 8, .cached = 100}), (Texts{"100", "101", "…", "107"}));
}

TEST(EndsLayout, PositionsThatAreTooLongForAChipAreSymbols) {
    EXPECT_EQ(positions({.tokens = 1'000'000}), (Texts{"0", "1", "…", "T-1"}));
    EXPECT_EQ(positions({.tokens = 100'000, .cached = 5}), (Texts{"P", "P+1", "…", "P+T-1"}));
    EXPECT_EQ(positions({.tokens = 1, .cached = 1'000'000}), Texts{"P"});
}

TEST(EndsLayout, AWordStandsWholeInItsChipAsFarAsTheWaysLeaveRoom) {
    const Model model(preset("gpt2"), {.tokens = 4});
    LayoutInput input = layout_input(model, {{{0, 0}, {1500, 980}}});
    input.values = ValuesShown{.first = {"Once", "upon", "little"}, .last = "incomprehensibilities"};
    const Scene scene = layout_model(input);
    Texts words;
    std::vector<Rect> chips;
    for (const Slab& slab : scene.slabs)
        if (slab.id == "tokens") chips.push_back(slab.rect);
    ASSERT_EQ(chips.size(), 4U);
    for (const Label& label : scene.labels) {
        if (label.id != "tokens" || label.anchor != Anchor::centre) continue;
        EXPECT_LE(label.width, chips[words.size()].width()) << label.text;
        words.push_back(label.text);
    }
    ASSERT_EQ(words.size(), 4U);
    EXPECT_EQ(words[2], "little");
    EXPECT_TRUE(words[3].ends_with("…")) << words[3];
    for (const Wire& wire : scene.wires) {
        if (wire.tensor != "tokens") continue;
        EXPECT_LT(wire.points[0].x, wire.points[1].x);
    }
}

TEST(EndsLayout, TheWordsBelowTheTokensEndBeforeTheirWays) {
    for (const std::int64_t tokens : {100, 131'072, 123'456'789}) {
        const Model model(preset("llama-2-7b"), {.tokens = tokens});
        for (const float unit : {1.0F, 1.5F}) {
            const Scene scene = layout_model(layout_input(model, {{{0, 0}, {1500, 980}}, unit}));
            float words = 0, ways = 1e9F;
            for (const Label& label : scene.labels)
                if (label.id == "tokens" && label.anchor == Anchor::left)
                    words = std::max(words, label.at.x + label.width);
            for (const Wire& wire : scene.wires)
                if (wire.tensor == "tokens") ways = std::min(ways, wire.points[1].x);
            EXPECT_LT(words, ways) << tokens;
        }
    }
}

TEST(EndsLayout, AChipAndItsWayStandForItsToken) {
    using Tokens = std::vector<std::optional<double>>;
    const auto tokens = [](const Input& input) {
        const Scene scene = scene_of(input);
        std::array<Tokens, 2> found;
        for (const Slab& slab : scene.slabs)
            if (slab.id == "tokens") found[0].push_back(slab.token);
        for (const Wire& wire : scene.wires)
            if (wire.tensor == "tokens") found[1].push_back(wire.token);
        EXPECT_EQ(found[0], found[1]);
        return found[0];
    };
    EXPECT_EQ(tokens({.tokens = 101}), (Tokens{0, 0.01, std::nullopt, 1}));
    EXPECT_EQ(tokens({.tokens = 3}), (Tokens{0, 0.5, 1}));
    EXPECT_EQ(tokens({.tokens = 1, .cached = 100}), Tokens{0});
}

}  // namespace
}  // namespace headcount
