// Weights from GGUF files: turned, cut and in blocks as llama.cpp's converters leave them, the same model.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/parameters.hpp"
#include "core/runtime/block_form.hpp"
#include "core/runtime/explain.hpp"
#include "core/runtime/token_rows.hpp"
#include "tests/core/runtime/llama_gguf.hpp"
#include "tests/core/runtime/weight_file.hpp"
#include "tests/golden/golden.hpp"
#include "tests/support/hexadecimal.hpp"

namespace headcount {
namespace {

using namespace testing_data;

class GgufWeights : public WeightFilesTest {};

// llama.cpp's names, and of queries and keys neighbours that turn together.
std::vector<NamedNumbers> as_llama_gguf(std::vector<NamedNumbers> weights, const Architecture& arch) {
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
        rename(each);
    }
    return weights;
}

TEST_F(GgufWeights, TurnsQueriesAndKeysBack) {
    expect_same(llama, write_gguf(scratch, llama_keys(), as_llama_gguf(weights, llama)));
}

// 2^-6 times whole numbers of 8 bits.
void store_in_eight_bits(NamedNumbers& tensor) {
    tensor.type = "Q8_0";
    for (std::size_t i = 0; i < tensor.numbers.size(); ++i) {
        if (i % 32 == 0) tensor.bytes += little<std::uint16_t>(0x2400);
        const float whole = std::round(std::clamp(tensor.numbers[i] * 64, -127.0F, 127.0F));
        tensor.bytes += static_cast<char>(whole);
        tensor.numbers[i] = whole / 64;
    }
}

// 2^-4 times whole numbers of 4 bits: of each 32 the first half stands in the low bits.
void store_in_four_bits(NamedNumbers& tensor) {
    tensor.type = "Q4_0";
    const auto whole = [&](std::size_t i) {
        const float rounded = std::round(std::clamp(tensor.numbers[i] * 16, -8.0F, 7.0F));
        tensor.numbers[i] = rounded / 16;
        return static_cast<int>(rounded) + 8;
    };
    for (std::size_t block = 0; block < tensor.numbers.size(); block += 32) {
        tensor.bytes += little<std::uint16_t>(0x2C00);
        for (std::size_t i = block; i < block + 16; ++i)
            tensor.bytes += static_cast<char>(whole(i) | whole(i + 16) << 4);
    }
}

TEST_F(GgufWeights, TransposesWhatGpt2StoresTheOtherWayRound) {
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
        rename(each, names);
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

using Store = void (*)(NamedNumbers&);

class GgufBlocks : public WeightFilesTest, public testing::WithParamInterface<Store> {};

TEST_P(GgufBlocks, AreTheNumbersThatTheyStandFor) {
    const auto store = [](std::vector<NamedNumbers>& all) {
        for (NamedNumbers& each : all)
            if (each.bytes.clear(); each.shape.size() == 2) GetParam()(each);
    };
    store(weights);
    std::vector<NamedNumbers> blocks = as_llama_gguf(weights, llama);
    store(blocks);
    expect_numbers(llama, write_gguf(scratch, llama_keys(), blocks), weights);
}

INSTANTIATE_TEST_SUITE_P(Of, GgufBlocks, testing::Values(store_in_eight_bits, store_in_four_bits),
                         [](const auto& each) { return each.index == 0 ? "EightBits" : "FourBits"; });

// Not unpacked, whether many tokens are read or one; and not where a part of the program wants floats to write to.
TEST_P(GgufBlocks, StayInMemoryAsTheyAreStored) {
    for (NamedNumbers& each : weights)
        if (each.shape.size() == 2) GetParam()(each);
    const Checkpoint file = *read_checkpoint(write_gguf(scratch, llama_keys(), as_llama_gguf(weights, llama)));
    const auto loaded = load_model(llama, file);
    ASSERT_TRUE(loaded) << sentence(loaded.error());
    const Weights& kept = (*loaded)->weights;
    EXPECT_EQ(kept.bytes(), *weight_bytes(llama, file));
    std::int64_t of_floats = 0, of_blocks = 0, numbers = 0;
    for (const KeptNumbers& each : kept.kept()) {
        (each.type == "F32" ? of_floats : of_blocks) += each.numbers;
        numbers += each.numbers;
    }
    EXPECT_EQ(numbers, count_parameters((*loaded)->graph, bindings(llama, Input{}))->total);
    EXPECT_EQ(of_floats, 5 * 32);  // norms
    const Result<Weights> floats = kept.copied();
    ASSERT_TRUE(floats);
    EXPECT_EQ(floats->bytes(), *Weights::bytes_of(llama, (*loaded)->graph));
    EXPECT_LT(kept.bytes() * 2, floats->bytes());
    const auto restored = std::make_shared<const Model>(Model{llama, (*loaded)->graph, *floats});
    auto one = headcount::Run::start(*loaded, {.capacity = 16}),
         other = headcount::Run::start(restored, {.capacity = 16});
    for (const std::int32_t id : {1, 7, 3, 9}) {
        ASSERT_FALSE(one->append(std::array{id}) || other->append(std::array{id}));
        EXPECT_THAT(one->logits(), testing::Pointwise(testing::FloatNear(1e-5F), other->logits())) << id;
    }
    for (std::int64_t row = 0; row < 50; ++row) {
        std::vector<float> of_kept(32), of_restored(32);
        copy_row(token_table(**loaded), row, of_kept);
        copy_row(token_table(*restored), row, of_restored);
        EXPECT_EQ(of_kept, of_restored);
    }
}

// 2^-6 times a whole number.
TEST_F(GgufWeights, ACellSaysAsWhatItIsStored) {
    NamedNumbers& stored = tensor_of(weights, "model.layers.1.mlp.up_proj.weight");
    store_in_eight_bits(stored);
    const auto model = load(llama, write_gguf(scratch, llama_keys(), as_llama_gguf(weights, llama)));
    ASSERT_TRUE(model) << sentence(model.error());
    const ModelGraph& graph = (*model)->graph;
    const auto up = std::ranges::find(graph.tensors, "layer.feed_forward.up.weight", &Tensor::id);
    ASSERT_NE(up, graph.tensors.end());
    // (in, out): column 3 is the stored row 3.
    const CellAt cell{static_cast<TensorIndex>(up - graph.tensors.begin()), 1, 0, 5, 3};
    const Result<Explanation> said = explain({.model = model->get()}, cell);
    ASSERT_TRUE(said) << sentence(said.error());
    const float number = stored.numbers[3 * 32 + 5];
    EXPECT_EQ(said->kept, static_cast<double>(number));
    EXPECT_EQ(said->what, "a weight: training has set it, and Q8_0 stores it as " +
                              std::to_string(static_cast<int>(number * 64)) + " · 0.016");
}

// Which matrices are multiplied from blocks may differ from layer to layer.
TEST_F(GgufWeights, LayersMayBeStoredInDifferentBlocks) {
    store_in_eight_bits(tensor_of(weights, "model.layers.0.mlp.down_proj.weight"));
    store_in_four_bits(tensor_of(weights, "model.layers.1.mlp.down_proj.weight"));
    expect_numbers(llama, write_gguf(scratch, llama_keys(), as_llama_gguf(weights, llama)), weights);
}

// A row of 256 numbers is one block of the larger kinds: here one made by llama.cpp's own package, over and over.
TEST_F(GgufWeights, RowsOfLargerBlocksAreRead) {
    const nlohmann::json golden = read_json_file(golden_folder() / "ggml_blocks.json")["Q4_K"];
    const std::vector<std::byte> blocks = bytes_of_hexadecimal(golden["bytes"]);
    constexpr std::size_t bytes = 144, elements = 256;
    std::vector<float> numbers(elements);
    block_form("Q4_K")->restore(blocks.data(), 1, numbers.data());
    const std::string block(reinterpret_cast<const char*>(blocks.data()), bytes);
    nlohmann::json config = small_llama();
    config["hidden_size"] = elements;
    const Architecture wide = architecture_of(config);
    std::vector<NamedNumbers> drawn = drawn_weights(wide, 3);
    NamedNumbers& stored = tensor_of(drawn, "model.layers.0.mlp.up_proj.weight");
    stored.type = "Q4_K";
    for (std::size_t row = 0; row < stored.numbers.size() / elements; ++row) {
        stored.bytes += block;
        std::ranges::copy(numbers, stored.numbers.begin() + static_cast<std::ptrdiff_t>(row * elements));
    }
    std::vector<NamedNumbers> written = as_llama_gguf(drawn, wide);
    GgufFile keys;
    keys.text("general.architecture", "llama").number("llama.block_count", 2);
    keys.number("llama.attention.head_count", 4).number("llama.attention.head_count_kv", 2);
    expect_numbers(wide, write_gguf(scratch, keys, written), drawn);
}

// One tensor a matrix, the experts' one behind the other.
std::vector<NamedNumbers> with_stacked_experts(const std::vector<NamedNumbers>& weights) {
    std::vector<NamedNumbers> all;
    for (NamedNumbers each : weights) {
        const std::size_t begin = each.name.find("experts."), end = each.name.find('.', begin + 8);
        if (begin == each.name.npos) {
            all.push_back(each);
            continue;
        }
        each.name.replace(begin, end - begin, "experts");
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == each.name; });
        if (found == all.end()) {
            each.shape.insert(each.shape.begin(), 1);
            all.push_back(each);
            continue;
        }
        ++found->shape.front();
        found->numbers.insert(found->numbers.end(), each.numbers.begin(), each.numbers.end());
    }
    return all;
}

TEST_F(GgufWeights, ExpertsComeFromTheirStacks) {
    nlohmann::json config = small_llama();
    config.update({{"model_type", "qwen3_moe"}, {"num_experts", 6}, {"num_experts_per_tok", 2}});
    config.update({{"moe_intermediate_size", 32}, {"head_dim", 8}, {"norm_topk_prob", true}});
    const Architecture mixture = architecture_of(config);
    std::vector<NamedNumbers> drawn = drawn_weights(mixture, 3);
    for (NamedNumbers& each : drawn)
        if (each.name.find("experts.") != each.name.npos) store_in_eight_bits(each);
    std::vector<NamedNumbers> stacked = with_stacked_experts(drawn);
    for (NamedNumbers& each : stacked) {
        rename(each);
        if (each.bytes.clear(); each.shape.size() == 3) store_in_eight_bits(each);
    }
    GgufFile keys;
    keys.text("general.architecture", "qwen3moe").number("qwen3moe.block_count", 2);
    keys.number("qwen3moe.attention.head_count", 4).number("qwen3moe.attention.head_count_kv", 2);
    expect_numbers(mixture, write_gguf(scratch, keys, stacked), drawn);
}

}  // namespace
}  // namespace headcount
