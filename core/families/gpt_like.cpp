// What GPT-2 and its relatives share: their spellings in config.json (transformers, configuration_gpt2.py).
#include "core/families/gpt_like.hpp"

#include "core/arch/family.hpp"
#include "core/base/checked.hpp"
#include "core/families/activations.hpp"

namespace headcount {

Norm layer_norm(double epsilon) {
    return {.kind = NormKind::layer, .bias = true, .epsilon = epsilon};
}

std::int64_t four_times(ConfigReader& reader, std::string_view field, std::int64_t dim) {
    std::optional<std::int64_t> width = checked_multiply(4, dim);
    if (!width) reader.reject(field, "four times the width does not fit in 64 bits", "give a smaller width");
    return width.value_or(1);
}

void set_biases(Layer& layer, bool biases) {
    layer.attention.qkv_bias = layer.attention.output_bias = layer.feed_forward.bias = biases;
}

bool has_biases(const Layer& layer) {
    return layer.attention.qkv_bias && layer.attention.output_bias && layer.feed_forward.bias;
}

void read_gpt(ConfigReader& reader, Architecture& arch, const GptDefaults& defaults) {
    arch.dim = reader.number({"n_embd", "hidden_size"}, defaults.dim);
    arch.layers = reader.number({"n_layer", "num_hidden_layers"}, defaults.layers);
    arch.layer.attention.heads = reader.number({"n_head", "num_attention_heads"}, defaults.heads);
    arch.vocab = reader.number({"vocab_size"}, defaults.vocab);
    arch.context = reader.number({"n_positions", "max_position_embeddings"}, defaults.context);
    arch.tied = reader.flag({"tie_word_embeddings"}, defaults.tied);
    arch.norm = layer_norm(reader.real({"layer_norm_epsilon"}, 1e-5));
    std::optional<std::int64_t> inner = reader.optional_number({"n_inner"});
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"activation_function"}, defaults.activation),
                               .width = inner ? *inner : four_times(reader, "n_embd", arch.dim),
                               .bias = true};
    if (reader.flag({"add_cross_attention"}, false))
        reader.reject("add_cross_attention", "cross-attention is not part of a decoder-only model", "set it to false");
}

nlohmann::ordered_json write_gpt(const Architecture& arch, std::string_view class_name, std::string_view activation) {
    return {
        {"architectures", {class_name}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"n_positions", arch.context},
        {"n_embd", arch.dim},
        {"n_layer", arch.layers},
        {"n_head", arch.layer.attention.heads},
        {"n_inner", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"activation_function", activation_name(arch.layer.feed_forward.activation, activation)},
        {"layer_norm_epsilon", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

void read_ungated(ConfigReader& reader, Architecture& arch, const UngatedType& type) {
    arch.dim = reader.number({"hidden_size"}, type.dim);
    arch.layers = reader.number({"num_hidden_layers"}, type.layers);
    arch.layer.attention.heads = reader.number({"num_attention_heads"}, type.heads);
    arch.vocab = reader.number({"vocab_size"}, type.vocab);
    arch.context = reader.number({"max_position_embeddings"}, type.context);
    arch.tied = reader.flag({"tie_word_embeddings"}, type.tied);
    arch.norm = layer_norm(reader.real({type.epsilon_field}, 1e-5));
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"hidden_act"}, type.activation),
                               .width = reader.number({"intermediate_size"}, type.ffn_dim),
                               .bias = true};
}

nlohmann::ordered_json write_ungated(const Architecture& arch, const UngatedType& type) {
    nlohmann::ordered_json config{
        {"architectures", {type.class_name}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", arch.layer.attention.heads},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation, type.activation)},
        {"max_position_embeddings", arch.context},
        {"tie_word_embeddings", arch.tied},
    };
    config[type.epsilon_field] = arch.norm.epsilon;
    return config;
}

}  // namespace headcount
