// The weights of a small random model as files of every kind, written by the tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/checkpoints/gguf.hpp"
#include "core/files/config.hpp"
#include "core/runtime/fill_weights.hpp"
#include "core/runtime/run.hpp"
#include "core/runtime/stored_numbers.hpp"
#include "tests/core/checkpoints/gguf_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount::testing_data {

struct NamedNumbers {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> numbers;
    std::string type = "F32";
    std::string bytes = {};  // where given, instead of the numbers
};

inline Architecture architecture_of(const nlohmann::json& config) {
    Result<Architecture> arch = read_config(config, "config.json");
    if (!arch) throw std::runtime_error(sentence(arch.error()));
    return *arch;
}

inline nlohmann::json small_llama() {
    return {{"model_type", "llama"},
            {"hidden_size", 32},
            {"num_hidden_layers", 2},
            {"num_attention_heads", 4},
            {"num_key_value_heads", 2},
            {"intermediate_size", 64},
            {"vocab_size", 50},
            {"rms_norm_eps", 1e-5},
            {"max_position_embeddings", 64},
            {"tie_word_embeddings", false}};
}

// What `random_model` draws, tensor by tensor of the checkpoint.
inline std::vector<NamedNumbers> drawn_weights(const Architecture& arch, std::uint64_t seed) {
    const ModelGraph graph = expand(arch, Cache::filled);
    const Bindings values = bindings(arch, Input{.tokens = 1});
    Result<Weights> weights = Weights::reserve(arch, graph);
    std::vector<NamedNumbers> all;
    const auto collect = [&](const StoredCopy& copy) -> Result<StoredRows> {
        NamedNumbers tensor{copy.name, copy.shape, {}};
        const Drawn from = drawn_from(graph, copy.tensor, values, 0);
        const std::uint64_t stream = random_stream(seed, copy.name);
        for (std::int64_t i = 0; i < copy.elements(); ++i)
            tensor.numbers.push_back(drawn(from, stream, static_cast<std::uint64_t>(i)));
        all.push_back(tensor);
        return StoredRows{held_rows(tensor.numbers)};
    };
    if (auto error = fill_weights(*weights, arch, graph, {}, collect, {})) throw std::runtime_error(sentence(*error));
    return all;
}

inline NamedNumbers& tensor_of(std::vector<NamedNumbers>& all, const std::string& name) {
    for (NamedNumbers& each : all)
        if (each.name == name) return each;
    throw std::runtime_error("no " + name);
}

inline std::string bytes_of(const NamedNumbers& tensor) {
    if (!tensor.bytes.empty()) return tensor.bytes;
    return {reinterpret_cast<const char*>(tensor.numbers.data()), tensor.numbers.size() * sizeof(float)};
}

inline std::string write_safetensors(const Scratch& scratch, const std::string& name,
                                     const std::vector<NamedNumbers>& tensors) {
    nlohmann::ordered_json header;
    std::string data;
    for (const NamedNumbers& each : tensors) {
        const std::string bytes = bytes_of(each);
        header[each.name] = {
            {"dtype", each.type}, {"shape", each.shape}, {"data_offsets", {data.size(), data.size() + bytes.size()}}};
        data += bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return scratch.file(name, little<std::uint64_t>(text.size()) + text + data);
}

// `keys` hold the metadata; the tensors come behind, as GGUF names and lays them.
inline std::string write_gguf(const Scratch& scratch, GgufFile keys, const std::vector<NamedNumbers>& tensors) {
    std::string data;
    for (const NamedNumbers& each : tensors) {
        std::uint32_t number = 0;
        while (!ggml_type(number) || ggml_type(number)->name != each.type) ++number;
        const StorageType type = *ggml_type(number);
        keys.tensor(each.name, {each.shape.rbegin(), each.shape.rend()}, number,
                    static_cast<std::uint64_t>(type.elements), static_cast<std::uint64_t>(type.bytes));
        data += bytes_of(each);
        data.resize((data.size() + 31) / 32 * 32);
    }
    std::string header = keys.header();
    header.resize((header.size() + 31) / 32 * 32);
    return scratch.file("model.gguf", header + data);
}

inline Result<std::shared_ptr<const Model>> load(const Architecture& arch, const std::string& path) {
    const Result<Checkpoint> checkpoint = read_checkpoint(path);
    if (!checkpoint) return checkpoint.error();
    return load_model(arch, *checkpoint);
}

inline std::vector<float> logits_after(const std::shared_ptr<const Model>& model) {
    Result<Run> run = Run::start(model, {.capacity = 16});
    const std::vector<std::int32_t> ids{1, 7, 3, 9, 2};
    if (!run || run->append(ids)) throw std::runtime_error("the model does not run");
    return {run->logits().begin(), run->logits().end()};
}

// A small Llama and its weights, and what must come of files of them.
class WeightFilesTest : public testing::Test {
  protected:
    std::vector<float> expected(const Architecture& arch) {
        const auto model = random_model(arch, 3);
        EXPECT_TRUE(model) << sentence(model.error());
        return logits_after(*model);
    }
    // The file holds what `random_model` draws.
    void expect_same(const Architecture& arch, const std::string& path) {
        const auto model = load(arch, path);
        ASSERT_TRUE(model) << sentence(model.error());
        EXPECT_EQ(logits_after(*model), expected(arch));
    }
    // The file holds those numbers, stored in whatever way: products by blocks are rounded at other places.
    void expect_numbers(const Architecture& arch, const std::string& path, std::vector<NamedNumbers> numbers) {
        for (NamedNumbers& each : numbers) each.type = "F32", each.bytes.clear();
        const auto model = load(arch, path), plain = load(arch, write_safetensors(scratch, "f32.safetensors", numbers));
        ASSERT_TRUE(model) << sentence(model.error());
        ASSERT_TRUE(plain) << sentence(plain.error());
        EXPECT_THAT(logits_after(*model), testing::Pointwise(testing::FloatNear(1e-5F), logits_after(*plain)));
    }
    std::string wrong(const std::vector<NamedNumbers>& tensors) {
        const auto model = load(llama, write_safetensors(scratch, "model.safetensors", tensors));
        return model ? "" : sentence(model.error());
    }

    Scratch scratch;
    Architecture llama = architecture_of(small_llama());
    std::vector<NamedNumbers> weights = drawn_weights(llama, 3);
};

}  // namespace headcount::testing_data
