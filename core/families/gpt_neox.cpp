// GPT-NeoX, StarCoder2, Phi and Persimmon: a feed-forward with biases and no gate, in LLaMA's spellings (transformers,
// modeling_gpt_neox.py, modeling_starcoder2.py, modeling_phi.py, modeling_persimmon.py).
#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
namespace {

// The defaults of such a type: hidden_size, num_hidden_layers, intermediate_size, hidden_act, ...
struct UngatedType {
    std::int64_t dim, ffn_dim, layers, heads, vocab, context;
    std::string_view activation;
    bool tied = false;
    std::string_view epsilon_field = "layer_norm_eps";
};

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
        {"architectures", {arch.family->modules.front().class_name}},
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

}  // namespace

// GPT-NeoX and Pythia: attention and feed-forward side by side, each with a norm, a quarter of each head turned by
// position, one fused Q/K/V matrix.
namespace gpt_neox {

// transformers calls the output head lm_head since version 5; checkpoints call it embed_out.
constexpr std::array<Module, 20> modules{{
    {0, "", ModuleKind::container, {}, "GPTNeoXForCausalLM"},
    {1, "gpt_neox", ModuleKind::container, {}, "GPTNeoXModel"},
    {2, "embed_in", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "emb_dropout", ModuleKind::stateless, {}, dropout_0},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTNeoXLayer"},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_attention_dropout", ModuleKind::stateless, {}, dropout_0},
    {4, "post_mlp_dropout", ModuleKind::stateless, {}, dropout_0},
    {4, "attention", ModuleKind::container, {}, "GPTNeoXAttention"},
    fused({5, "query_key_value", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}}, Fusing::by_group),
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {4, "mlp", ModuleKind::container, {}, "GPTNeoXMLP"},
    {5, "dense_h_to_4h", ModuleKind::linear, Part::up, {}},
    {5, "dense_4h_to_h", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {2, "final_layer_norm", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "GPTNeoXRotaryEmbedding"},
    {1, "embed_out", ModuleKind::linear, Part::output_head, {}},
}};

constexpr UngatedType type{
    .dim = 6144, .ffn_dim = 24576, .layers = 44, .heads = 64, .vocab = 50432, .context = 2048, .activation = "gelu"};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    read_ungated(reader, arch, type);
    Attention& attention = arch.layer.attention;
    attention.qkv_bias = attention.output_bias = reader.flag({"attention_bias"}, true);
    attention.rotary_dim = reader.rotary_dim(0.25, arch.dim / attention.heads);
    arch.layer.joining = reader.flag({"use_parallel_residual"}, true) ? Joining::parallel : Joining::in_turn;
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    nlohmann::ordered_json config = write_ungated(arch, type);
    config["attention_bias"] = attention.qkv_bias && attention.output_bias;
    config["use_parallel_residual"] = arch.layer.joining != Joining::in_turn;
    write_rotary_part(config, arch, "rotary_pct");
    return config;
}

constexpr ComputationType computing{.rope_base_field = "rotary_emb_base"};

}  // namespace gpt_neox

constexpr Family gpt_neox_family = gpt_like<gpt_neox_family, gpt_neox::read, gpt_neox::write, gpt_neox::computing>(
    "gpt_neox", "GPT-NeoX", gpt_neox::modules);

// StarCoder2: rotary positions and grouped queries with LayerNorm and biases, each token seeing a window.
namespace starcoder2 {

constexpr std::array<Module, 19> modules{{
    {0, "", ModuleKind::container, {}, "Starcoder2ForCausalLM"},
    {1, "model", ModuleKind::container, {}, "Starcoder2Model"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "Starcoder2DecoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "Starcoder2Attention"},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "o_proj", ModuleKind::linear, Part::attention_output, {}},
    {4, "mlp", ModuleKind::container, {}, "Starcoder2MLP"},
    {5, "c_fc", ModuleKind::linear, Part::up, {}},
    {5, "c_proj", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, "GELUTanh()"},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {2, "norm", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "Starcoder2RotaryEmbedding"},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

constexpr UngatedType type{.dim = 3072,
                           .ffn_dim = 12288,
                           .layers = 30,
                           .heads = 24,
                           .vocab = 49152,
                           .context = 4096,
                           .activation = "gelu_pytorch_tanh",
                           .tied = true,
                           .epsilon_field = "norm_epsilon"};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    read_ungated(reader, arch, type);
    Attention& attention = arch.layer.attention;
    attention.kv_heads = reader.number({"num_key_value_heads"}, 2);
    attention.head_dim = reader.optional_number({"head_dim"});
    if (std::optional<std::int64_t> window = reader.optional_number({"sliding_window"}))
        attention.window = AttentionWindow{.size = *window, .chunked = false, .layers = {}};
    set_biases(arch.layer, reader.flag({"use_bias"}, true));
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    nlohmann::ordered_json config = write_ungated(arch, type);
    config["num_key_value_heads"] = kv_heads(arch);
    config["use_bias"] = has_biases(arch.layer);
    if (attention.head_dim) config["head_dim"] = *attention.head_dim;
    if (attention.window) config["sliding_window"] = attention.window->size;
    return config;
}

}  // namespace starcoder2

constexpr Family starcoder2_family =
    gpt_like<starcoder2_family, starcoder2::read, starcoder2::write>("starcoder2", "StarCoder2", starcoder2::modules);

// Phi 1, 1.5 and 2: attention and feed-forward side by side behind one norm, part of each head turned by position,
// biases everywhere, the output head included.
namespace phi {

constexpr std::array<Module, 22> modules{{
    {0, "", ModuleKind::container, {}, "PhiForCausalLM"},
    {1, "model", ModuleKind::container, {}, "PhiModel"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "PhiDecoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "PhiAttention"},
    {5, "q_proj", ModuleKind::linear, Part::query, {}},
    {5, "k_proj", ModuleKind::linear, Part::key, {}},
    {5, "v_proj", ModuleKind::linear, Part::value, {}},
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {5, "q_layernorm", ModuleKind::norm, Part::query_norm, {}},
    {5, "k_layernorm", ModuleKind::norm, Part::key_norm, {}},
    {4, "mlp", ModuleKind::container, {}, "PhiMLP"},
    {5, "activation_fn", ModuleKind::activation, {}, {}},
    {5, "fc1", ModuleKind::linear, Part::up, {}},
    {5, "fc2", ModuleKind::linear, Part::down, {}},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "resid_dropout", ModuleKind::stateless, {}, dropout_0},
    {2, "rotary_emb", ModuleKind::rotary, {}, "PhiRotaryEmbedding"},
    {2, "embed_dropout", ModuleKind::stateless, {}, dropout_0},
    {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

constexpr UngatedType type{
    .dim = 2048, .ffn_dim = 8192, .layers = 24, .heads = 32, .vocab = 51200, .context = 2048, .activation = "gelu_new"};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    read_ungated(reader, arch, type);
    arch.head_bias = true;
    arch.layer.joining = Joining::parallel_shared;
    set_biases(arch.layer, true);

    Attention& attention = arch.layer.attention;
    attention.kv_heads = reader.optional_number({"num_key_value_heads"});
    if (attention.kv_heads == attention.heads) attention.kv_heads.reset();
    attention.head_dim = reader.optional_number({"head_dim"});
    const std::int64_t even = arch.dim / attention.heads, head_dim = attention.head_dim.value_or(even);
    attention.rotary_dim = reader.rotary_dim(0.5, head_dim);
    attention.qk_norm_bias = reader.flag({"qk_layernorm"}, false);
    if (attention.qk_norm_bias) attention.qk_norm = QkNorm::per_head;
    // transformers gives these norms hidden_size / num_attention_heads columns whatever head_dim says.
    if (attention.qk_norm_bias && head_dim != even)
        reader.reject("head_dim",
                      "the norms of queries and keys have " + grouped(even) + " columns, which do not fit heads of " +
                          grouped(head_dim),
                      "leave head_dim out, or set qk_layernorm to false");
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    nlohmann::ordered_json config = write_ungated(arch, type);
    config["num_key_value_heads"] = kv_heads(arch);
    config["qk_layernorm"] = attention.qk_norm == QkNorm::per_head;
    if (attention.head_dim) config["head_dim"] = *attention.head_dim;
    write_rotary_part(config, arch, "partial_rotary_factor");
    return config;
}

}  // namespace phi

constexpr Family phi_family = gpt_like<phi_family, phi::read, phi::write>("phi", "Phi", phi::modules);

// Persimmon: norms of queries and keys, half of each head turned, ReLU squared.
namespace persimmon {

constexpr std::array<Module, 21> modules{{
    {0, "", ModuleKind::container, {}, "PersimmonForCausalLM"},
    {1, "model", ModuleKind::container, {}, "PersimmonModel"},
    {2, "embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "PersimmonDecoderLayer"},
    {4, "self_attn", ModuleKind::container, {}, "PersimmonAttention"},
    fused({5, "query_key_value", ModuleKind::linear, {Part::query, Part::key, Part::value}, {}}, Fusing::by_group),
    {5, "dense", ModuleKind::linear, Part::attention_output, {}},
    {5, "q_layernorm", ModuleKind::norm, Part::query_norm, {}},
    {5, "k_layernorm", ModuleKind::norm, Part::key_norm, {}},
    {5, "attention_dropout", ModuleKind::stateless, {}, dropout_0},
    {4, "mlp", ModuleKind::container, {}, "PersimmonMLP"},
    {5, "dense_h_to_4h", ModuleKind::linear, Part::up, {}},
    {5, "dense_4h_to_h", ModuleKind::linear, Part::down, {}},
    {5, "act", ModuleKind::activation, {}, {}},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "dropout", ModuleKind::stateless, {}, dropout_0},
    {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
    {2, "rotary_emb", ModuleKind::rotary, {}, "PersimmonRotaryEmbedding"},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

constexpr UngatedType type{
    .dim = 4096, .ffn_dim = 16384, .layers = 36, .heads = 64, .vocab = 262144, .context = 16384, .activation = "relu2"};

void read(ConfigReader& reader, const nlohmann::json&, Architecture& arch) {
    read_ungated(reader, arch, type);
    set_biases(arch.layer, true);
    Attention& attention = arch.layer.attention;
    attention.rotary_dim = reader.rotary_dim(0.5, arch.dim / attention.heads);
    attention.qk_norm_bias = reader.flag({"qk_layernorm"}, true);
    if (attention.qk_norm_bias) attention.qk_norm = QkNorm::per_head;
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_ungated(arch, type);
    config["qk_layernorm"] = arch.layer.attention.qk_norm == QkNorm::per_head;
    write_rotary_part(config, arch, "partial_rotary_factor");
    return config;
}

}  // namespace persimmon

constexpr Family persimmon_family =
    gpt_like<persimmon_family, persimmon::read, persimmon::write>("persimmon", "Persimmon", persimmon::modules);

}  // namespace headcount
