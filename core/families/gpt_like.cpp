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

}  // namespace headcount
