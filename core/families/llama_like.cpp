// What LLaMA and the families built on it share: spellings in config.json (transformers, configuration_llama.py).
#include "core/families/llama_like.hpp"

#include "core/families/activations.hpp"

namespace headcount {

Result<Architecture> read_llama_like(const Family& family, const nlohmann::json& config,
                                     const LlamaDefaults& defaults) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    arch.dim = reader.number({"hidden_size"}, 4096);
    arch.layers = reader.number({"num_hidden_layers"}, 32);
    arch.vocab = reader.number({"vocab_size"}, 32000);
    arch.context = reader.number({"max_position_embeddings"}, defaults.context);
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.norm.epsilon = reader.real({"rms_norm_eps"}, 1e-6);

    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_attention_heads"}, 32);
    attention.kv_heads = reader.optional_number({"num_key_value_heads"});
    // transformers: an absent field takes the type's default, null means one for each head.
    if (!config.contains("num_key_value_heads")) attention.kv_heads = defaults.kv_heads;
    attention.head_dim = reader.optional_number({"head_dim"});

    DenseFeedForward& feed_forward = arch.layer.feed_forward;
    feed_forward.width = reader.number({"intermediate_size"}, defaults.ffn_dim);
    feed_forward.activation = read_activation(reader, {"hidden_act"}, "silu");
    if (defaults.may_have_biases) {
        attention.qkv_bias = attention.output_bias = reader.flag({"attention_bias"}, false);
        feed_forward.bias = reader.flag({"mlp_bias"}, false);
    }
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write_llama_like(const Architecture& arch, std::string_view class_name) {
    const Attention& attention = arch.layer.attention;
    const DenseFeedForward& feed_forward = arch.layer.feed_forward;
    Bindings values = bindings(arch, Input{});
    return {
        {"architectures", {class_name}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", values[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", attention.heads},
        {"num_key_value_heads", kv_heads(arch)},
        {"head_dim", values[Symbol::head_dim].value_or(0)},
        {"hidden_act", activation_name(feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"rms_norm_eps", arch.norm.epsilon},
        {"tie_word_embeddings", arch.tied},
    };
}

}  // namespace headcount
