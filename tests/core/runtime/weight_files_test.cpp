// Weights from files: whatever the format, the same model; what is wrong with one is a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/runtime/weight_file.hpp"

namespace headcount {
namespace {

using namespace testing_data;

class WeightFilesTest : public testing::Test {
  protected:
    std::vector<float> expected(const Architecture& arch) {
        const auto model = random_model(arch, 3);
        EXPECT_TRUE(model) << sentence(model.error());
        return logits_after(*model);
    }
    void expect_same(const Architecture& arch, const std::string& path, float apart = 0) {
        const auto model = load(arch, path);
        ASSERT_TRUE(model) << sentence(model.error());
        EXPECT_THAT(logits_after(*model), testing::Pointwise(testing::FloatNear(apart), expected(arch)));
    }
    std::string wrong(const std::vector<NamedNumbers>& tensors) {
        const auto model = load(llama, write_safetensors(scratch, "model.safetensors", tensors));
        return model ? "" : sentence(model.error());
    }

    Scratch scratch;
    Architecture llama = architecture_of(small_llama());
    std::vector<NamedNumbers> weights = drawn_weights(llama, 3);
};

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

TEST_F(WeightFilesTest, SixteenBitsComeNear) {
    for (NamedNumbers& each : weights) {
        each.type = "BF16";
        for (const float number : each.numbers) {
            std::uint32_t bits = 0;
            std::memcpy(&bits, &number, 4);
            each.bytes += little(static_cast<std::uint16_t>((bits + 0x8000) >> 16));
        }
    }
    expect_same(llama, write_safetensors(scratch, "model.safetensors", weights), 0.5f);
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
    eight.type = "F8_E4M3", eight.bytes.assign(32, 'a');
    EXPECT_THAT(wrong(small), testing::StartsWith("numbers of type F8_E4M3 cannot be computed with"));
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

// llama.cpp's names, and of queries and keys neighbours that turn together.
std::vector<NamedNumbers> as_llama_gguf(std::vector<NamedNumbers> weights, const Architecture& arch) {
    const std::pair<const char*, const char*> names[] = {{"model.embed_tokens", "token_embd"},
                                                         {"model.norm", "output_norm"},
                                                         {"lm_head", "output"},
                                                         {"model.layers.", "blk."},
                                                         {"self_attn.q_proj", "attn_q"},
                                                         {"self_attn.k_proj", "attn_k"},
                                                         {"self_attn.v_proj", "attn_v"},
                                                         {"self_attn.o_proj", "attn_output"},
                                                         {"mlp.gate_proj", "ffn_gate"},
                                                         {"mlp.up_proj", "ffn_up"},
                                                         {"mlp.down_proj", "ffn_down"},
                                                         {"input_layernorm", "attn_norm"},
                                                         {"post_attention_layernorm", "ffn_norm"}};
    const std::int64_t head = arch.dim / arch.layer.attention.heads;
    for (NamedNumbers& each : weights) {
        if (each.name.find("q_proj") != std::string::npos || each.name.find("k_proj") != std::string::npos) {
            const std::vector<float> from = each.numbers;
            for (std::int64_t row = 0; row < each.shape[0]; ++row) {
                const std::int64_t within = row % head;
                const std::int64_t source = row - within + within / 2 + within % 2 * (head / 2);
                std::copy_n(from.begin() + source * arch.dim, arch.dim, each.numbers.begin() + row * arch.dim);
            }
        }
        for (const auto& [published, own] : names)
            if (const std::size_t at = each.name.find(published); at != std::string::npos)
                each.name.replace(at, std::string(published).size(), own);
    }
    return weights;
}

GgufFile llama_keys() {
    GgufFile keys;
    keys.text("general.architecture", "llama").number("llama.block_count", 2).number("llama.embedding_length", 32);
    keys.number("llama.attention.head_count", 4).number("llama.attention.head_count_kv", 2);
    keys.number("llama.feed_forward_length", 64).number("llama.context_length", 64).number("llama.vocab_size", 50);
    return keys;
}

TEST_F(WeightFilesTest, GgufTurnsQueriesAndKeysBack) {
    expect_same(llama, write_gguf(scratch, llama_keys(), as_llama_gguf(weights, llama)));
}

TEST_F(WeightFilesTest, GgufInBlocksOfEightBitsComesNear) {
    std::vector<NamedNumbers> blocks = as_llama_gguf(weights, llama);
    for (NamedNumbers& each : blocks) {
        if (each.shape.size() != 2) continue;
        each.type = "Q8_0";
        for (std::size_t i = 0; i < each.numbers.size(); i += 32) {
            each.bytes += little<std::uint16_t>(0x2400);  // 2^-6
            for (std::size_t j = 0; j < 32; ++j)
                each.bytes += static_cast<char>(std::lround(std::clamp(each.numbers[i + j] * 64, -127.0f, 127.0f)));
        }
    }
    expect_same(llama, write_gguf(scratch, llama_keys(), blocks), 0.6f);
}

TEST_F(WeightFilesTest, GgufTransposesWhatGpt2StoresTheOtherWayRound) {
    const Architecture gpt2 = architecture_of({{"model_type", "gpt2"},
                                               {"n_embd", 32},
                                               {"n_layer", 1},
                                               {"n_head", 4},
                                               {"vocab_size", 50},
                                               {"n_positions", 32}});
    const std::pair<const char*, const char*> names[] = {
        {"transformer.", ""},           {"wte", "token_embd"},  {"wpe", "position_embd"},  {"h.0.", "blk.0."},
        {"ln_1", "attn_norm"},          {"ln_2", "ffn_norm"},   {"ln_f", "output_norm"},   {"attn.c_attn", "attn_qkv"},
        {"attn.c_proj", "attn_output"}, {"mlp.c_fc", "ffn_up"}, {"mlp.c_proj", "ffn_down"}};
    std::vector<NamedNumbers> tensors = drawn_weights(gpt2, 3);
    for (NamedNumbers& each : tensors) {
        for (const auto& [published, own] : names)
            if (const std::size_t at = each.name.find(published); at != std::string::npos)
                each.name.replace(at, std::string(published).size(), own);
        if (each.shape.size() != 2 || each.name.find("embd") != std::string::npos) continue;
        const std::vector<float> from = each.numbers;
        const std::int64_t rows = each.shape[0], columns = each.shape[1];
        for (std::int64_t i = 0; i < rows * columns; ++i)
            each.numbers[static_cast<std::size_t>(i % columns * rows + i / columns)] =
                from[static_cast<std::size_t>(i)];
        std::swap(each.shape[0], each.shape[1]);
    }
    GgufFile keys;
    keys.text("general.architecture", "gpt2").number("gpt2.block_count", 1).number("gpt2.embedding_length", 32);
    keys.number("gpt2.attention.head_count", 4);
    expect_same(gpt2, write_gguf(scratch, keys, tensors));
}

}  // namespace
}  // namespace headcount
