// What GPT-2 and its relatives share: their spellings in config.json, and choices that most of them make alike.
#pragma once

#include "core/families/config_reader.hpp"
#include "core/families/layout.hpp"

namespace headcount {

// LayerNorm with weights and biases.
Norm layer_norm(double epsilon);

// 4·dim; an error that names `field` where that does not fit.
std::int64_t four_times(ConfigReader& reader, std::string_view field, std::int64_t dim);

// Biases in all matrices of the layers, or in none.
void set_biases(Layer& layer, bool biases);
bool has_biases(const Layer& layer);

// The defaults of a model_type that is spelled as GPT-2 is.
struct GptDefaults {
    std::int64_t dim = 768, layers = 12, heads = 12, vocab = 50257, context = 1024;
    std::string_view activation = "gelu_new";
    bool tied = true;
};

// n_embd, n_layer, n_head, n_inner, activation_function, ...: a feed-forward with biases and no gate.
void read_gpt(ConfigReader& reader, Architecture& arch, const GptDefaults& defaults);
nlohmann::ordered_json write_gpt(const Architecture& arch, std::string_view class_name,
                                 std::string_view activation = "gelu_new");

// The same in LLaMA's spellings: hidden_size, num_hidden_layers, intermediate_size, hidden_act, ...
struct UngatedType {
    std::string_view class_name;
    std::int64_t dim, ffn_dim, layers, heads, vocab, context;
    std::string_view activation;
    bool tied = false;
    std::string_view epsilon_field = "layer_norm_eps";
};
void read_ungated(ConfigReader& reader, Architecture& arch, const UngatedType& type);
nlohmann::ordered_json write_ungated(const Architecture& arch, const UngatedType& type);

}  // namespace headcount
