// What GPT-2 and its relatives share: their spellings in config.json, and choices that most of them make alike.
#pragma once

#include "core/families/config_reader.hpp"

namespace headcount {

// The rate is no part of an architecture: these are the types' defaults.
inline constexpr std::string_view dropout_0 = "Dropout(p=0.0, inplace=False)";
inline constexpr std::string_view dropout_10 = "Dropout(p=0.1, inplace=False)";

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

}  // namespace headcount
