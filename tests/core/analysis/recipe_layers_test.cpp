// The bytes that a recipe gives, as a formula of the number of layers: what a spreadsheet follows.
#include <gtest/gtest.h>

#include "core/analysis/recipes.hpp"
#include "core/files/presets.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;

Formats in(Recipe recipe) { return *parse_formats(info(recipe).key, "--dtype"); }

// The formula of one number of layers, worked out for another, is what that other has.
TEST(RecipeBytes, FollowTheNumberOfLayers) {
    for (const char* id :
         {"llama-2-7b", "gpt2", "qwen3-8b", "falcon-7b", "mixtral-8x7b", "bert-base-uncased", "youtu-llm-2b"})
        for (const RecipeInfo& recipe : recipes()) {
            const Architecture arch = preset(id);
            const Formats formats = in(recipe.recipe);
            const RecipeBytes found = recipe_bytes(arch, expand(arch), formats);
            ASSERT_TRUE(found.follows) << id << ' ' << recipe.key;
            for (const std::int64_t layers : {1, 2, 5, 8, 16, 17, 31, 48, 79, 81, 100}) {
                Architecture other = arch;
                other.layers = layers;
                const ModelGraph graph = expand(other);
                const Bindings numbers = bindings(other, {});
                EXPECT_EQ(*evaluate(found.bytes, numbers),
                          *evaluate(StoredWeights(other, graph, formats).total(graph), numbers))
                    << id << ' ' << recipe.key << ' ' << layers;
            }
        }
}

TEST(RecipeBytes, OfOneKindOfLayersAreFormulas) {
    for (const RecipeInfo& recipe : recipes()) {
        const Architecture arch = preset("llama-2-7b");
        EXPECT_TRUE(recipe_bytes(arch, expand(arch), in(recipe.recipe)).follows) << recipe.key;
    }
    const Architecture kinds = preset("deepseek-v2-lite");
    const ModelGraph graph = expand(kinds);
    const RecipeBytes constant = recipe_bytes(kinds, graph, in(Recipe::q4_k_m));
    EXPECT_FALSE(constant.follows) << "the first layer is dense";
    Bindings numbers = bindings(kinds, {});
    const std::int64_t bytes = *evaluate(constant.bytes, numbers);
    numbers.set(Symbol::layers, 2 * kinds.layers);
    EXPECT_EQ(*evaluate(constant.bytes, numbers), bytes) << "a sum of which a part follows is that of no model";
}

TEST(RecipeBytes, OfAllComponentsAreThoseOfTheWeights) {
    for (const char* id : {"llama-3-8b", "deepseek-v2-lite", "gemma-2-9b"}) {
        const Architecture arch = preset(id);
        const ModelGraph graph = expand(arch);
        const Bindings numbers = bindings(arch, {});
        std::int64_t sum = 0;
        for (const Component component : components)
            sum += *evaluate(recipe_bytes(arch, graph, in(Recipe::q4_k_m), component).bytes, numbers);
        EXPECT_EQ(sum, *evaluate(StoredWeights(arch, graph, in(Recipe::q4_k_m)).total(graph), numbers)) << id;
    }
}

}  // namespace
}  // namespace headcount
