// What llama.cpp makes of small models (tests/golden/gguf_recipes): the bytes of each recipe of llama-quantize, and
// those of the caches and states that it allocates.
#include <gtest/gtest.h>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/memory.hpp"
#include "core/files/config.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using namespace testing_data;

struct Made {
    Architecture architecture;
    nlohmann::json golden;
};

Made made(const std::string& name) {
    nlohmann::json golden = read_json_file(golden_folder() / "gguf_recipes" / (name + ".json"));
    nlohmann::json config = golden.at("config");
    if (config["model_type"] == "bert") config["add_pooling_layer"] = false;  // which is not converted
    const Result<Architecture> arch = read_config(config, name);
    if (!arch) throw std::runtime_error(sentence(arch.error()));
    return {*arch, std::move(golden)};
}

class GgufRecipes : public testing::TestWithParam<std::string> {};

TEST_P(GgufRecipes, TakeTheBytesThatLlamaQuantizeGivesThem) {
    const Made model = made(GetParam());
    for (const RecipeInfo& recipe : recipes()) {
        const Result<CountedModel> counted =
            count_model(model.architecture, {.tokens = 1, .precision = recipe.recipe, .source = 1});
        ASSERT_TRUE(counted);
        // Buffers, in no total, have 32 bits.
        EXPECT_EQ(*weight_bytes(*counted) + 4 * counted->parameters.buffers, model.golden.at("recipes").at(recipe.key))
            << recipe.key;
    }
}

// Its caches have blocks of 256 tokens, and its micro-batches 512; its states 32 bits.
TEST_P(GgufRecipes, KeepTheBytesThatLlamaCppAllocates) {
    Made model = made(GetParam());
    if (!model.golden.at("windows")) model.architecture.layer.attention.window.reset();
    for (const nlohmann::json& row : model.golden.at("memory")) {
        const Input input{.tokens = row.at(0), .batch = row.at(1), .source = 1};
        const Result<CountedModel> counted = count_model(model.architecture, input);
        ASSERT_TRUE(counted);
        MemoryOptions options{.cache = row.at(2) == "f16" ? Precision::fp16 : Precision::fp32};
        options.serving = {.chunk = 512, .block = 256};
        const auto kept = [&] { return memory(model.architecture, counted->graph, counted->bindings, options); };
        const Result<Memory> cache = kept();
        options.cache = Precision::fp32;
        const Result<Memory> states = kept();
        ASSERT_TRUE(cache && states);
        EXPECT_EQ(cache->cache.bytes + states->states.bytes, row.at(3)) << row;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, GgufRecipes, testing::ValuesIn(files_in("gguf_recipes")), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
});

}  // namespace
}  // namespace headcount
