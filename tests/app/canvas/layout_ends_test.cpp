// Where the model's picture begins: the positions of its tokens.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/canvas/layout.hpp"
#include "core/files/assets.hpp"
#include "core/files/presets.hpp"

namespace headcount {
namespace {

// What stands in the chips beside the embedding.
std::vector<std::string> positions(const Input& input) {
    const Architecture architecture = find_preset(*load_presets(*assets_directory() / "presets"), "gpt2")->architecture;
    const ModelGraph graph = expand(architecture, input.cached > 0 ? Cache::filled : Cache::empty);
    const Bindings numbers = bindings(architecture, input);
    const auto width = [](std::string_view text, TextRole) { return 7 * static_cast<float>(text.size()); };
    const Scene scene = layout_model({{graph, numbers}, {graph, numbers}, {{0, 0}, {1500, 980}}, 1, width});
    std::vector<std::string> found;
    for (const Label& label : scene.labels)
        if (label.id == "tokens" && label.anchor == Anchor::centre) found.push_back(label.text);
    return found;
}

using Texts = std::vector<std::string>;

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

}  // namespace
}  // namespace headcount
