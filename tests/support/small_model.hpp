// A small LLaMA as a folder of files, made by the tests: its configuration and its weights.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/core/checkpoints/safetensors_file.hpp"
#include "tests/support/scratch.hpp"

namespace headcount::testing_data {

struct SmallModel {
    std::int64_t dim = 64, layers = 2, heads = 4, ffn_dim = 128, vocab = 100;

    std::string config() const {
        return nlohmann::json{{"model_type", "llama"},          {"hidden_size", dim},
                              {"num_hidden_layers", layers},    {"num_attention_heads", heads},
                              {"intermediate_size", ffn_dim},   {"vocab_size", vocab},
                              {"max_position_embeddings", 512}, {"tie_word_embeddings", false}}
            .dump();
    }
    std::int64_t total() const {
        return 2 * vocab * dim + dim + layers * (4 * dim * dim + 3 * dim * ffn_dim + 2 * dim);
    }

    std::vector<Bf16Tensor> tensors() const {
        std::vector<Bf16Tensor> all{{"model.embed_tokens.weight", {vocab, dim}}};
        for (std::int64_t i = 0; i < layers; ++i) {
            const std::string at = "model.layers." + std::to_string(i) + ".";
            for (const char* name : {"q", "k", "v", "o"})
                all.push_back({at + "self_attn." + name + "_proj.weight", {dim, dim}});
            for (const char* name : {"gate", "up"})
                all.push_back({at + "mlp." + name + "_proj.weight", {ffn_dim, dim}});
            all.push_back({at + "mlp.down_proj.weight", {dim, ffn_dim}});
            for (const char* name : {"input", "post_attention"})
                all.push_back({at + name + "_layernorm.weight", {dim}});
        }
        all.push_back({"model.norm.weight", {dim}});
        all.push_back({"lm_head.weight", {vocab, dim}});
        return all;
    }
};

// Returns the path of the weights.
inline std::string write_weights(const Scratch& scratch, const std::string& name,
                                 const std::vector<Bf16Tensor>& tensors) {
    const SafetensorsHead head = safetensors_head(tensors);
    std::string path = scratch.file(name, head.bytes);
    std::filesystem::resize_file(path, head.whole);
    return path;
}

// Writes both into a folder of this name and returns the folder's path.
inline std::string write_model(const Scratch& scratch, const std::string& name, const SmallModel& model = {}) {
    scratch.file(name + "/config.json", model.config());
    write_weights(scratch, name + "/model.safetensors", model.tensors());
    return (scratch.folder() / name).string();
}

// The same with numbers: all of a tensor are 1, or, of the one that is named, 1.5.
inline std::string write_filled_model(const Scratch& scratch, const std::string& name, const std::string& own = {}) {
    const SmallModel model;
    scratch.file(name + "/config.json", model.config());
    std::string bytes = safetensors_head(model.tensors()).bytes;
    for (const Bf16Tensor& tensor : model.tensors()) {
        std::int64_t numbers = 1;
        for (const std::int64_t length : tensor.shape) numbers *= length;
        for (std::int64_t i = 0; i < numbers; ++i) bytes += tensor.name == own ? "\xC0\x3F" : "\x80\x3F";
    }
    scratch.file(name + "/model.safetensors", bytes);
    return (scratch.folder() / name).string();
}

}  // namespace headcount::testing_data
