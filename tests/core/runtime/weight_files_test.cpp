// Weights from files: whatever the format, the same model; what is wrong with one is a sentence.
#include <bit>
#include <cmath>

#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;

TEST_F(WeightFilesTest, SafetensorsInOneFileAndInShards) {
    expect_same(llama, write_safetensors(scratch, "one.safetensors", weights));
    const std::size_t half = weights.size() / 2;
    nlohmann::json index;
    for (std::size_t i = 0; i < weights.size(); ++i)
        index["weight_map"][weights[i].name] = i < half ? "a.safetensors" : "b.safetensors";
    write_safetensors(scratch, "a.safetensors", {weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(half)});
    write_safetensors(scratch, "b.safetensors", {weights.begin() + static_cast<std::ptrdiff_t>(half), weights.end()});
    expect_same(llama, scratch.file("model.safetensors.index.json", index.dump()));
}

TEST_F(WeightFilesTest, SixteenBitsAreTheUpperHalfOfTheNumbers) {
    for (NamedNumbers& each : weights) {
        each.type = "BF16";
        for (float& number : each.numbers) {
            const auto half = static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(number) + 0x8000) >> 16);
            number = std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16);
            each.bytes += little(half);
        }
    }
    expect_numbers(llama, write_safetensors(scratch, "model.safetensors", weights), weights);
}

TEST_F(WeightFilesTest, WholeNumbersTimesTheScalesBesideThem) {
    std::vector<NamedNumbers> stored;
    for (NamedNumbers& each : weights) {
        NamedNumbers& kept = stored.emplace_back(each);
        if (!each.name.ends_with("_proj.weight")) continue;
        kept.type = "I8";
        for (float& number : each.numbers) {
            const float whole = std::round(std::clamp(number * 64, -127.0F, 127.0F));
            kept.bytes += static_cast<char>(whole), number = whole / 64;
        }
        stored.push_back({each.name + "_scale", {1}, {1.0F / 64}});
    }
    expect_numbers(llama, write_safetensors(scratch, "model.safetensors", stored), weights);
}

// Files of base models have no "model." before their names; the head of a whole one has none of its own.
TEST_F(WeightFilesTest, NamesMayLackTheirFirstPart) {
    for (NamedNumbers& each : weights)
        if (each.name.starts_with("model.")) each.name.erase(0, 6);
    expect_same(llama, write_safetensors(scratch, "model.safetensors", weights));
    weights.front().name = "wte.weight";
    EXPECT_THAT(wrong(weights), testing::StartsWith("the weights lack a tensor of shape [50, 32]: model.embed_tokens"));
}

// And of what is a base model here a file may be of the whole.
TEST_F(WeightFilesTest, NamesMayHaveTheBaseModelsPart) {
    nlohmann::json config = small_llama();
    config["architectures"] = {"LlamaModel"};
    const Architecture base = architecture_of(config);
    for (const char* part : {"", "model."}) {
        std::vector<NamedNumbers> own = drawn_weights(base, 1);
        ASSERT_EQ(own.front().name, "embed_tokens.weight");
        for (NamedNumbers& each : own) each.name.insert(0, part);
        const auto model = load(base, write_safetensors(scratch, "model.safetensors", own));
        EXPECT_TRUE(model) << sentence(model.error());
    }
}

// OLMo Hybrid's published files: one convolution in three, norms by other names.
TEST_F(WeightFilesTest, PiecesAreJoined) {
    const Architecture olmo = architecture_of({{"model_type", "olmo_hybrid"},
                                               {"hidden_size", 32},
                                               {"num_hidden_layers", 4},
                                               {"num_attention_heads", 4},
                                               {"intermediate_size", 48},
                                               {"vocab_size", 50},
                                               {"pad_token_id", 0},
                                               {"linear_key_head_dim", 6},
                                               {"linear_value_head_dim", 10}});
    const auto stored = [&](const std::vector<std::int64_t>& rows) {
        std::vector<NamedNumbers> tensors;
        for (NamedNumbers& each : drawn_weights(olmo, 3)) {
            const std::size_t norm = each.name.find("input_layernorm"), convolution = each.name.find("conv1d");
            if (norm != std::string::npos) each.name.replace(norm, 15, "attention_layer_norm");
            if (convolution == std::string::npos) {
                tensors.push_back(each);
                continue;
            }
            auto from = each.numbers.begin();
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto end = from + rows[i] * each.shape.back();
                tensors.push_back({std::string(each.name).insert(convolution, std::string(1, "qkv"[i]) + "_"),
                                   {rows[i], 1, each.shape.back()},
                                   {from, end}});
                from = end;
            }
        }
        return write_safetensors(scratch, "model.safetensors", tensors);
    };
    expect_same(olmo, stored({24, 24, 40}));
    expect_same(olmo, stored({30, 30, 28}));
    const auto lacking = load(olmo, stored({24, 24, 36}));
    ASSERT_FALSE(lacking);
    EXPECT_THAT(sentence(lacking.error()), testing::StartsWith("the weights lack a tensor of shape [88, 1, 4]: "
                                                               "model.layers.0.linear_attn.conv1d.weight: "));
}

TEST_F(WeightFilesTest, WhatIsWrongIsASentence) {
    std::vector<NamedNumbers> fewer(weights.begin(), weights.end() - 1);
    EXPECT_THAT(wrong(fewer), testing::StartsWith("the weights lack a tensor of shape [50, 32]: lm_head.weight: "));
    std::vector<NamedNumbers> other = weights;
    NamedNumbers& norm = tensor_of(other, "model.norm.weight");
    norm.shape = {16}, norm.numbers.resize(16);
    EXPECT_THAT(wrong(other), testing::StartsWith("the weights have the shape [16], not [32]: model.norm.weight: "));
    std::vector<NamedNumbers> no_number = weights;
    tensor_of(no_number, "model.layers.1.mlp.up_proj.weight").numbers[40] = NAN;
    EXPECT_THAT(
        wrong(no_number),
        testing::StartsWith("a weight is not a number (NaN): model.layers.1.mlp.up_proj.weight, number 40: fetch"));
    tensor_of(no_number, "model.layers.1.mlp.up_proj.weight").numbers[40] = -INFINITY;
    EXPECT_THAT(wrong(no_number), testing::StartsWith("a weight is infinite: "));
    std::vector<NamedNumbers> small = weights;
    NamedNumbers& eight = tensor_of(small, "model.norm.weight");
    eight.type = "I8", eight.bytes.assign(32, 'a');
    EXPECT_THAT(wrong(small), testing::StartsWith("numbers of type I8 cannot be computed with"));
    NamedNumbers& matrix = tensor_of(small = weights, "model.layers.0.mlp.up_proj.weight");
    matrix.type = "I8", matrix.bytes.assign(64 * 32, 'a');
    EXPECT_THAT(wrong(small), testing::StartsWith("the scales of quantized numbers are missing: model.layers.0."));
}

TEST_F(WeightFilesTest, WhatDoesNotFitIsRefusedWithTheNumbers) {
    nlohmann::json config = small_llama();
    config["hidden_size"] = 1 << 16, config["intermediate_size"] = 1 << 18, config["num_hidden_layers"] = 1000;
    const auto model = random_model(architecture_of(config), 1);
    ASSERT_FALSE(model);
    EXPECT_THAT(model.error().what,
                testing::ContainsRegex("take 2[0-9]+ TiB, and [0-9.]+ [KMGT]iB of memory are free"));
}

TEST_F(WeightFilesTest, LoadingStopsAndSaysHowFarItIs) {
    std::atomic<bool> stop{false};
    double share = 0;
    const Watch watch{.progress = [&](double now) { stop = (share = now) > 0.5; }, .stop = &stop};
    const auto model = random_model(llama, 1, watch);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error(), stopped_error());
    EXPECT_GT(share, 0.5);
    EXPECT_LT(share, 1);
}

// An embedding is most of a small model: one step of it would be one of seconds in a large one.
TEST_F(WeightFilesTest, LoadingStopsWithinATensor) {
    nlohmann::json config = small_llama();
    config["vocab_size"] = 40'000;
    std::atomic<bool> stop{false};
    double share = 0;
    const Watch watch{.progress = [&](double now) { stop = (share = now) > 0; }, .stop = &stop};
    EXPECT_FALSE(random_model(architecture_of(config), 1, watch));
    EXPECT_GT(share, 0);
    EXPECT_LT(share, 0.2);
}

}  // namespace
}  // namespace headcount
