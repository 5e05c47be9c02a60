// What llama.cpp makes of small models (tests/golden/gguf_recipes): the bytes of each recipe of llama-quantize, and
// those of the caches and states that it allocates.
#include <gtest/gtest.h>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/host_layers.hpp"
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
        const nlohmann::json& made_so = model.golden.at("recipes");
        if (recipe.plain && !made_so.contains(recipe.key)) continue;  // see gguf_imatrix.py
        // Buffers, in no total, have 32 bits.
        EXPECT_EQ(*weight_bytes(*counted) + 4 * counted->parameters.buffers, made_so.at(recipe.key)) << recipe.key;
    }
}

// Of dense models, of a mixture and of Falcon, for which the rules know more.
TEST(GgufRecipesWithImportance, AreThoseOfLlamaQuantize) {
    std::size_t models = 0;
    for (const std::string& name : files_in("gguf_recipes")) {
        const nlohmann::json made_so = made(name).golden.at("recipes");
        if (!made_so.contains("iq4_xs_imatrix")) continue;
        ++models;
        EXPECT_LE(made_so.at("iq4_xs_imatrix"), made_so.at("iq4_xs")) << name;
        EXPECT_GE(made_so.at("q4_0_imatrix"), made_so.at("q4_0")) << name;
    }
    EXPECT_GE(models, 15U);
}

// Its caches have multiples of 256 tokens, and its micro-batches 512; its states 32 bits.
TEST_P(GgufRecipes, KeepTheBytesThatLlamaCppAllocates) {
    Made model = made(GetParam());
    if (!model.golden.at("windows")) model.architecture.layer.attention.window.reset();
    for (const nlohmann::json& row : model.golden.at("memory")) {
        const Input input{.tokens = row.at(0), .batch = row.at(1), .source = 1};
        const Result<CountedModel> counted = count_model(model.architecture, input);
        ASSERT_TRUE(counted);
        MemoryOptions options{.cache = row.at(2) == "f16" ? Precision::fp16 : Precision::fp32};
        options.serving = {.chunk = 512, .pad = 256};
        const auto kept = [&] { return memory(model.architecture, counted->graph, counted->bindings, options); };
        const Result<Memory> cache = kept();
        options.cache = Precision::fp32;
        const Result<Memory> states = kept();
        ASSERT_TRUE(cache && states);
        EXPECT_EQ(cache->cache.bytes + states->states.bytes, row.at(3)) << row;
    }
}

// What no gradient trains is in no total, and has 32 bits.
std::int64_t buffers_in_host(const CountedModel& model, std::int64_t gpu_layers) {
    const HostLayers host(model.architecture, model.graph, gpu_layers);
    std::int64_t bytes = 0;
    for (const StoredTensor& buffer : model.graph.buffers)
        for (const TensorIndex part : buffer.parts) {
            const Tensor& tensor = model.graph.tensors[part];
            bytes += 4 * *evaluate(host.copies(tensor.block) * element_count(tensor.shape), model.bindings);
        }
    return bytes;
}

// Of a model of which some layers lie on another device. Caches are asked for in 16 bits, and states have 32.
TEST_P(GgufRecipes, LieWhereLlamaCppPutsThem) {
    Made model = made(GetParam());
    if (!model.golden.at("windows")) model.architecture.layer.attention.window.reset();
    const Input input{.tokens = 1024, .precision = *parse_formats("q4_k_m", "dtype"), .source = 1};
    for (const std::vector<std::int64_t> row : model.golden.at("placed")) {
        const Result<CountedModel> counted = count_model(model.architecture, input);
        ASSERT_TRUE(counted);
        MemoryOptions options{.weights = input.precision, .cache = Precision::fp16};
        options.serving = {.chunk = 512, .pad = 256};
        options.sharding.gpu_layers = row[0];
        const auto held = [&] { return memory(model.architecture, counted->graph, counted->bindings, options); };
        const Result<Memory> found = held();
        options.cache = Precision::fp32;
        const Result<Memory> states = held();
        ASSERT_TRUE(found && states);
        const MemoryParts& device = found->device;
        const std::int64_t buffers = buffers_in_host(*counted, row[0]), all = 4 * counted->parameters.buffers,
                           kept = found->cache.bytes - device.cache.bytes + found->states.bytes - device.states.bytes;
        EXPECT_EQ(device.weights.bytes + all - buffers, row[1] - row[2]) << row[0];
        EXPECT_EQ(found->host - kept + buffers, row[4] - row[5]) << row[0];
        EXPECT_EQ(device.cache.bytes + states->device.states.bytes, row[3]) << row[0];
        EXPECT_EQ(found->cache.bytes + states->states.bytes, row[3] + row[6]) << row[0];
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
