// Claims about how panels name and mark what they show.
#include "app/parts/words.hpp"

#include "tests/support/stage.hpp"

namespace headcount {
namespace {

TEST(Words, KeysAndValuesHaveTheMarkOfTheCacheInEveryForm) {
    const ModelGraph graph = expand(test::session_of("llama-2-70b").document.architecture);
    const Theme theme = dark_theme();
    for (const Tensor& tensor : graph.tensors) {
        const SwatchLook look = swatch_of(theme, tensor).look;
        if (tensor.role == Role::parameter)
            EXPECT_EQ(look, SwatchLook::parameter) << tensor.id;
        else
            EXPECT_EQ(look == SwatchLook::cached, kept_in_cache(tensor)) << tensor.id;
    }
    EXPECT_EQ(swatch_of(theme, *graph.find("layer.attention.keys")).look, SwatchLook::cached);
    EXPECT_EQ(swatch_of(theme, *graph.find("layer.attention.head.values")).look, SwatchLook::cached);
    EXPECT_EQ(swatch_of(theme, *graph.find("layer.attention.queries")).look, SwatchLook::activation);
}

TEST(Words, TokensBesideEachOtherThatDifferByTheSpaceBeforeThemAreToldApart) {
    const ChipTexts texts({" Lily", "Lily", " was", "ball", " "});
    EXPECT_EQ(texts.of(" Lily"), "·Lily");
    EXPECT_EQ(texts.of("Lily"), "Lily");
    EXPECT_EQ(texts.of(" was"), "was") << "no other is called so";
    EXPECT_EQ(texts.of("ball"), "ball");
    EXPECT_EQ(texts.of(" "), "·");
}

}  // namespace
}  // namespace headcount
