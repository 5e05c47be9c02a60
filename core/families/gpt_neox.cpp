// GPT-NeoX, StarCoder2, Phi and Persimmon: a feed-forward with biases and no gate, in LLaMA's spellings (transformers,
// modeling_gpt_neox.py, modeling_starcoder2.py, modeling_phi.py, modeling_persimmon.py).
#include "core/base/text.hpp"
#include "core/families/families.hpp"
#include "core/families/plain_type.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
// GPT-NeoX and Pythia: attention and feed-forward side by side, each with a norm, a quarter of each head turned by
// position, one fused Q/K/V matrix.
namespace gpt_neox {

// transformers calls the output head lm_head since version 5; checkpoints call it embed_out.
constexpr auto modules = std::to_array<Module>({
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
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.qkv_bias = attention.output_bias = reader.flag({"attention_bias"}, true);
    attention.rotary_dim = reader.rotary_dim(0.25, arch.dim / attention.heads);
    arch.layer.joining = reader.flag({"use_parallel_residual"}, true) ? Joining::parallel : Joining::in_turn;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    config["attention_bias"] = attention.qkv_bias && attention.output_bias;
    config["use_parallel_residual"] = arch.layer.joining != Joining::in_turn;
    write_rotary_part(config, arch, "rotary_pct");
}

constexpr ComputationType computing{.rope_base_field = "rotary_emb_base"};

constexpr PlainType type{
    .called = {"gpt_neox", "GPT-NeoX", modules},
    .usual = {.dim = 6144, .layers = 44, .heads = 64, .vocab = 50432, .context = 2048, .width = 24576},
    .activation = "gelu",
    .tied = false,
    .computing = computing,
    .own = {read_rest, write_rest}};

}  // namespace gpt_neox

constexpr Family gpt_neox_family = plain_family<gpt_neox::type>();

// StarCoder2: rotary positions and grouped queries with LayerNorm and biases, each token seeing a window.
namespace starcoder2 {

constexpr auto modules = std::to_array<Module>({
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
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.kv_heads = reader.number({"num_key_value_heads"}, 2);
    attention.head_dim = reader.optional_number({"head_dim"});
    if (std::optional<std::int64_t> window = reader.optional_number({"sliding_window"}))
        attention.window = AttentionWindow{.size = *window, .chunked = false, .layers = {}};
    set_biases(arch.layer, reader.flag({"use_bias"}, true));
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    config["num_key_value_heads"] = kv_heads(arch);
    config["use_bias"] = has_biases(arch.layer);
    if (attention.head_dim) config["head_dim"] = *attention.head_dim;
    if (attention.window) config["sliding_window"] = attention.window->size;
}

constexpr PlainType type{
    .called = {"starcoder2", "StarCoder2", modules},
    .words = {.epsilon = "norm_epsilon"},
    .usual = {.dim = 3072, .layers = 30, .heads = 24, .vocab = 49152, .context = 4096, .width = 12288},
    .activation = "gelu_pytorch_tanh",
    .tied = true,
    .own = {read_rest, write_rest}};

}  // namespace starcoder2

constexpr Family starcoder2_family = plain_family<starcoder2::type>();

// Phi 1, 1.5 and 2: attention and feed-forward side by side behind one norm, part of each head turned by position,
// biases everywhere, the output head included.
namespace phi {

constexpr auto modules = std::to_array<Module>({
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
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    arch.head_bias = true;
    arch.layer.joining = Joining::parallel_shared;
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

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    config["num_key_value_heads"] = kv_heads(arch);
    config["qk_layernorm"] = attention.qk_norm == QkNorm::per_head;
    if (attention.head_dim) config["head_dim"] = *attention.head_dim;
    write_rotary_part(config, arch, "partial_rotary_factor");
}

constexpr PlainType type{
    .called = {"phi", "Phi", modules},
    .usual = {.dim = 2048, .layers = 24, .heads = 32, .vocab = 51200, .context = 2048, .width = 8192},
    .activation = "gelu_new",
    .tied = false,
    .own = {read_rest, write_rest}};

}  // namespace phi

constexpr std::array<std::string_view, 4> phi_adapted{"q_proj", "v_proj", "fc1", "fc2"};
constexpr Family phi_family = known_to_peft(plain_family<phi::type>(), {.modules = phi_adapted});

// Persimmon: norms of queries and keys, half of each head turned, ReLU squared.
namespace persimmon {

constexpr auto modules = std::to_array<Module>({
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
});

void read_rest(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.rotary_dim = reader.rotary_dim(0.5, arch.dim / attention.heads);
    attention.qk_norm_bias = reader.flag({"qk_layernorm"}, true);
    if (attention.qk_norm_bias) attention.qk_norm = QkNorm::per_head;
}

void write_rest(nlohmann::ordered_json& config, const Architecture& arch) {
    config["qk_layernorm"] = arch.layer.attention.qk_norm == QkNorm::per_head;
    write_rotary_part(config, arch, "partial_rotary_factor");
}

constexpr PlainType type{
    .called = {"persimmon", "Persimmon", modules},
    .usual = {.dim = 4096, .layers = 36, .heads = 64, .vocab = 262144, .context = 16384, .width = 16384},
    .activation = "relu2",
    .tied = false,
    .own = {read_rest, write_rest}};

}  // namespace persimmon

constexpr Family persimmon_family = plain_family<persimmon::type>();

}  // namespace headcount
