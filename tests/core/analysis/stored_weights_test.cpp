// What weights take in their formats, against published files.
#include "core/analysis/stored_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/recipes.hpp"
#include "core/base/text.hpp"
#include "core/files/open.hpp"
#include "tests/golden/golden.hpp"

namespace headcount {
namespace {

using testing_data::preset;

std::int64_t weights_of(const Architecture& arch, const Formats& formats) {
    const Result<CountedModel> model = count_model(arch, {.tokens = 1, .precision = formats});
    EXPECT_TRUE(model);
    return model ? weight_bytes(*model).value_or(0) : 0;
}

// How many tensors of each format there are: what llama.cpp prints when it loads a file.
std::map<Precision, std::int64_t> tensors_of(const Architecture& arch, Recipe recipe) {
    const ModelGraph graph = expand(arch);
    const StoredWeights weights(arch, graph, recipe);
    std::map<Precision, std::int64_t> found;
    for (const StoredTensor& stored : graph.stored)
        for (const FormatRun& run : weights.runs(graph, stored.parts.front(), arch.layers))
            found[run.precision] += run.layers;
    return found;
}

TEST(StoredWeights, ALlama2FileHasThePublishedTensors) {
    // TheBloke/Llama-2-7B-GGUF, llama-2-7b.Q4_K_M.gguf: 4,081,004,224 bytes, of which the header with its 32,000 pieces
    // of vocabulary is the rest; loaded, llama.cpp says f32: 65, q4_K: 193, q6_K: 33 tensors.
    const std::int64_t file = 4'081'004'224, found = weights_of(preset("llama-2-7b"), Recipe::q4_k_m);
    EXPECT_LT(found, file);
    EXPECT_GT(found, file - (1 << 20));
    EXPECT_EQ(
        tensors_of(preset("llama-2-7b"), Recipe::q4_k_m),
        (std::map<Precision, std::int64_t>{{Precision::fp32, 65}, {Precision::q4_k, 193}, {Precision::q6_k, 33}}));
    EXPECT_EQ(bytes_text(found), "3.80 GiB");
}

TEST(StoredWeights, RecipesTakeThePublishedBitsOfAWeight) {
    // tools/quantize/README.md of llama.cpp, meta-llama/Llama-3.1-8B; without the file's header of some megabytes.
    const std::pair<Recipe, double> published[] = {
        {Recipe::iq1_s, 2.0042},  {Recipe::iq1_m, 2.1460},  {Recipe::iq2_xxs, 2.3824}, {Recipe::iq2_xs, 2.5882},
        {Recipe::iq2_s, 2.7403},  {Recipe::iq2_m, 2.9294},  {Recipe::iq3_xxs, 3.2548}, {Recipe::iq3_xs, 3.4977},
        {Recipe::iq3_s, 3.6606},  {Recipe::iq3_m, 3.7628},  {Recipe::iq4_xs, 4.4597},  {Recipe::iq4_nl, 4.6818},
        {Recipe::q2_k_s, 2.9697}, {Recipe::q2_k, 3.1593},   {Recipe::q3_k_s, 3.6429},  {Recipe::q3_k_l, 4.2979},
        {Recipe::q4_k_s, 4.6672}, {Recipe::q4_k_m, 4.8944}, {Recipe::q5_k_s, 5.5704},  {Recipe::q5_k_m, 5.7036},
        {Recipe::q6_k, 6.5633},   {Recipe::q8_0, 8.5008}};
    const Architecture arch = preset("llama-3-8b");
    constexpr double parameters = 8'030'261'248;
    for (const auto& [recipe, bits] : published) {
        const double found = 8 * static_cast<double>(weights_of(arch, recipe)) / parameters;
        EXPECT_NEAR(found, bits, 0.0001) << info(recipe).key;
    }
}

TEST(StoredWeights, AMixturesFileHasThePublishedTensors) {
    // Qwen3-30B-A3B, Q4_K_M, as llama.cpp loads it: f32: 241, q4_K: 289, q6_K: 49 tensors, 17.28 GiB
    // (ggml-org/llama.cpp, issue 14235). A file has all experts of a layer in one tensor.
    EXPECT_EQ(bytes_text(weights_of(preset("qwen3-30b-a3b"), Recipe::q4_k_m)), "17.3 GiB");
    EXPECT_EQ(
        tensors_of(preset("qwen3-30b-a3b"), Recipe::q4_k_m),
        (std::map<Precision, std::int64_t>{{Precision::fp32, 241}, {Precision::q4_k, 289}, {Precision::q6_k, 49}}));
}

TEST(StoredWeights, ARowThatIsNoWholeBlocksFallsBack) {
    // 896 columns are no multiple of 256: queries take q5_0, the down projection's 4,864 are 19 blocks.
    const Architecture arch = preset("qwen2.5-0.5b");
    const ModelGraph graph = expand(arch);
    const StoredWeights weights(arch, graph, Recipe::q4_k_s);
    const auto of = [&](std::string_view id) {
        const auto found = std::find_if(graph.tensors.begin(), graph.tensors.end(),
                                        [&](const Tensor& tensor) { return tensor.id == id; });
        return weights.runs(graph, static_cast<TensorIndex>(found - graph.tensors.begin()), arch.layers)
            .front()
            .precision;
    };
    EXPECT_EQ(of("layer.attention.query.weight"), Precision::q5_0);
    EXPECT_EQ(of("embedding.weight"), Precision::q8_0);
    EXPECT_EQ(of("layer.feed_forward.down.weight"), Precision::q5_k);
}

TEST(StoredWeights, PresetsAreAsTheyWerePublished) {
    const auto as_published = [](std::string_view id) {
        const Result<Opened> opened = open_architecture(id, testing_data::all_presets());
        EXPECT_TRUE(opened && opened->precision) << id;
        return opened && opened->precision ? weights_of(opened->architecture, *opened->precision) : 0;
    };
    // "total_size" of their model.safetensors.index.json, which the model card's table 1 rounds (OpenAI 2025).
    EXPECT_EQ(as_published("gpt-oss-120b"), 65'248'815'744);
    EXPECT_EQ(as_published("gpt-oss-20b"), 13'761'264'768);
    // 671,026,404,352 parameters, of which embeddings, head, norms and routers have two bytes and the rest a byte and
    // four more for each 128 × 128.
    const std::int64_t deepseek = as_published("deepseek-v3");
    EXPECT_GT(deepseek, 671'026'404'352 + 2 * 129'280LL * 7168);
    EXPECT_LT(deepseek, 671'026'404'352 + 2 * 129'280LL * 7168 + 671'026'404'352 / 4096 + 300'000'000);
}

TEST(StoredWeights, WhatAMatrixHasOnceIsCountedOnceWhereOneHoldsSeveral) {
    // Phi-3 mini, whose queries, keys and values are one matrix of 3,072 inputs, as gate and up are; rows of the head
    // are not quantized. GPTQ: the group of each input, 4 bytes.
    const std::int64_t dim = 3072, ffn = 8192, vocab = 32'064;
    const auto gptq = [](std::int64_t in, std::int64_t out) { return in * out / 2 + in / 128 * out * 5 / 2 + 4 * in; };
    EXPECT_EQ(weights_of(preset("phi-3-mini"), *parse_formats("layers=int4:20/128:32/column,rest=bf16", "")),
              2 * (2 * vocab * dim + 65 * dim) +
                  32 * (gptq(dim, 3 * dim) + gptq(dim, dim) + gptq(dim, 2 * ffn) + gptq(ffn, dim)));
}

TEST(StoredWeights, ATensorByNameIsInItsOwnFormatInItsLayers) {
    const Architecture arch = preset("llama-3-8b");
    const std::int64_t up = 4096 * 14'336, all = weights_of(arch, *parse_formats("layers=int8,rest=bf16", ""));
    const auto with = [&](const std::string& named) {
        return weights_of(arch, *parse_formats("layers=int8," + named + ",rest=bf16", "")) - all;
    };
    EXPECT_EQ(with("model.layers.{i}.mlp.up_proj.weight=bf16"), 32 * up);
    EXPECT_EQ(with("model.layers.[0-2+31].mlp.up_proj.weight=bf16"), 4 * up);
    EXPECT_EQ(with("model.layers.[40].mlp.up_proj.weight=bf16"), 0) << "a layer that is not there";
    EXPECT_EQ(with("lm_head.weight=int8"), -4096 * 128'256);
    // The formula of a workbook holds for other numbers of layers unless some are named.
    const ModelGraph graph = expand(arch);
    EXPECT_TRUE(recipe_bytes(arch, graph, *parse_formats("layers=int8,lm_head.weight=int8", "")).follows);
    EXPECT_FALSE(recipe_bytes(arch, graph, *parse_formats("a.[3].b=int8,rest=bf16", "")).follows);
}

TEST(StoredWeights, TensorsAddUpToTheTotalInEveryPresetAndFormat) {
    for (const Preset& each : testing_data::all_presets()) {
        const Result<CountedModel> model = count_model(each.architecture, {.tokens = 1});
        ASSERT_TRUE(model) << each.id;
        // By tensor, as formats with blocks are counted, the plain ones take what the total says.
        Formats plain = Precision::bf16;
        plain.of(WeightKind::norm) = Precision::bf16;
        EXPECT_EQ(weights_of(each.architecture, plain), 2 * model->parameters.total) << each.id;
        for (const Formats& formats : {Formats(Precision::int4), Formats(Recipe::q4_k_m), Formats(Precision::fp8)}) {
            std::int64_t sum = 0;
            CountedModel stored = *model;
            stored.input.precision = formats;
            for (const Component component : components) sum += weight_bytes(stored, component).value_or(0);
            EXPECT_EQ(sum, weight_bytes(stored)) << each.id << ' ' << formats_text(formats);
        }
    }
}

}  // namespace
}  // namespace headcount
