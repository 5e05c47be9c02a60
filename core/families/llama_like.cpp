// What LLaMA and the families built on it share: spellings in config.json (transformers, configuration_llama.py).
#include "core/families/llama_like.hpp"

#include "core/base/text.hpp"
#include "core/families/besides.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
namespace {

void read_head_dim(ConfigReader& reader, const LlamaType& type, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.head_dim = type.head_dim;
    if (type.head_dim_field.empty()) return;
    if (const auto given = reader.optional_number({type.head_dim_field}))
        attention.head_dim = given;
    else if (type.null_head_dim && reader.config().contains(type.head_dim_field))
        attention.head_dim.reset();
    if (type.rounds_head_dim && !attention.head_dim && attention.heads > 0 && arch.dim % attention.heads != 0)
        attention.head_dim = arch.dim / attention.heads;
}

void read_attention(ConfigReader& reader, const LlamaType& type, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_attention_heads"}, type.usual.heads);
    attention.kv_heads = reader.optional_number({"num_key_value_heads"});
    // transformers: an absent field takes the type's default, null means one for each head.
    if (!reader.config().contains("num_key_value_heads")) {
        attention.kv_heads = type.kv_heads;
        if (type.kv_heads && attention.heads % *type.kv_heads != 0)
            reader.reject("num_key_value_heads",
                          "the file does not say it, and " + grouped(*type.kv_heads) +
                              ", this type's own, do not divide " + grouped(attention.heads) + " heads evenly",
                          "give num_key_value_heads");
    }
    read_head_dim(reader, type, arch);
    attention.qkv_bias = reader.flag({type.qkv_bias_field, type.qkv_bias_other}, type.qkv_bias);
    attention.output_bias = reader.flag({type.output_bias_field}, type.qkv_bias_is_output_bias && attention.qkv_bias);
    if (reader.flag({type.qk_norm_field}, type.qk_norm_field.empty())) attention.qk_norm = type.qk_norm;
    if (type.rotary) {
        const std::int64_t head_dim = bindings(arch, Input{})[Symbol::head_dim].value_or(0);
        attention.rotary_dim = reader.rotary_dim(*type.rotary, head_dim);
    }
}

bool is_vision_language(const nlohmann::json& config) {
    const std::string_view name = type_said(config);
    return name.ends_with("_vl") || name.ends_with("_vl_text");
}

// The configuration with this base of rotary positions where it says none.
nlohmann::json with_rope_base(nlohmann::json config, double base) {
    for (const char* const key : {"rope_parameters", "rope_scaling"})
        if (const auto inside = config.find(key); inside != config.end() && inside->contains("rope_theta"))
            return config;
    if (nlohmann::json& said = config["rope_theta"]; said.is_null()) said = base;
    return config;
}

}  // namespace

Result<Architecture> read_llama(const nlohmann::json& config, const Family& family, const LlamaType& type) {
    if (type.vision_language && is_vision_language(config)) {
        const LlamaType& other = *type.vision_language;
        return read_llama(with_rope_base(config, other.computing.rope_base), family, other);
    }
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &family;
    arch.dim = reader.number({"hidden_size"}, type.usual.dim);
    arch.layers = reader.number({"num_hidden_layers"}, type.usual.layers);
    arch.vocab = reader.number({"vocab_size"}, type.usual.vocab);
    arch.context = reader.number({"max_position_embeddings"}, type.usual.context);
    arch.tied = reader.flag({"tie_word_embeddings"}, type.tied);
    arch.norm = type.norm;
    if (!type.epsilon_field.empty()) arch.norm.epsilon = reader.real({type.epsilon_field}, type.norm.epsilon);
    read_attention(reader, type, arch);

    DenseFeedForward& feed_forward = arch.layer.feed_forward;
    feed_forward.gated = type.gated;
    feed_forward.width = reader.number({"intermediate_size"}, type.usual.ffn_dim);
    feed_forward.activation = read_activation(reader, {type.activation_field}, type.activation);
    feed_forward.bias = reader.flag({type.mlp_bias_field, type.mlp_bias_other}, type.mlp_bias);
    arch.layer.joining = type.joining;
    if (type.window) read_window(reader, arch, *type.window);
    if (reader.flag({type.later_field}, false)) arch.layer.attention.mask = AttentionMask::full;
    if (reader.flag({type.encoder_field}, false))
        reader.reject(type.encoder_field, "attention to later tokens is not known of this type", "set it to false");
    if (type.mixture) read_mixture(reader, arch, *type.mixture);
    carry_numbers(reader, type.numbers);
    if (type.own.read) type.own.read(reader, arch);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write_llama(const Architecture& arch, const LlamaType& type) {
    const Attention& attention = arch.layer.attention;
    const DenseFeedForward& feed_forward = arch.layer.feed_forward;
    Bindings values = bindings(arch, Input{});
    const std::int64_t head_dim = values[Symbol::head_dim].value_or(0);
    nlohmann::ordered_json config{
        {"architectures", {type.called.classes.causal_lm}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", values[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", attention.heads},
        {"num_key_value_heads", kv_heads(arch)},
    };
    auto write = [&](std::string_view field, const auto& value) {
        if (!field.empty()) config[field] = value;
    };
    write(type.head_dim_field, head_dim);
    if (attention.mask == AttentionMask::full) write(type.later_field, true);
    write(type.activation_field, activation_name(feed_forward.activation, type.activation));
    config["max_position_embeddings"] = arch.context;
    write(type.epsilon_field, arch.norm.epsilon);
    config["tie_word_embeddings"] = arch.tied;
    // One word for several matrices: where they differ, it cannot be said.
    const bool apart = !type.output_bias_field.empty();
    write(type.qkv_bias_field, attention.qkv_bias && (apart || attention.output_bias == type.qkv_bias_is_output_bias));
    write(type.output_bias_field, attention.output_bias);
    if (type.mlp_bias_field != type.qkv_bias_field) write(type.mlp_bias_field, feed_forward.bias);
    write(type.qk_norm_field, attention.qk_norm != QkNorm::none);
    if (type.rotary) write_rotary_part(config, arch, "partial_rotary_factor");
    if (type.window) write_window(config, arch, *type.window);
    if (type.mixture) write_mixture(config, arch, *type.mixture);
    if (type.own.write) type.own.write(config, arch);
    return config;
}

}  // namespace headcount
