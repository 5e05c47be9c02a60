// StarCoder2: rotary positions and grouped queries with LayerNorm and biases, each token seeing a window
// (transformers, modeling_starcoder2.py).
#include <array>

#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"

namespace headcount {
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

constexpr UngatedType type{.class_name = "Starcoder2ForCausalLM",
                           .dim = 3072,
                           .ffn_dim = 12288,
                           .layers = 30,
                           .heads = 24,
                           .vocab = 49152,
                           .context = 4096,
                           .activation = "gelu_pytorch_tanh",
                           .tied = true,
                           .epsilon_field = "norm_epsilon"};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &starcoder2_family();
    read_ungated(reader, arch, type);
    Attention& attention = arch.layer.attention;
    attention.kv_heads = reader.number({"num_key_value_heads"}, 2);
    attention.head_dim = reader.optional_number({"head_dim"});
    if (std::optional<std::int64_t> window = reader.optional_number({"sliding_window"}))
        attention.window = AttentionWindow{.size = *window, .chunked = false, .layers = {}};
    set_biases(arch.layer, reader.flag({"use_bias"}, true));
    return reader.finish(std::move(arch));
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

constexpr Family family{"starcoder2", "StarCoder2", "", "model", modules, read, write, compute<llama_computation>};

}  // namespace starcoder2

const Family& starcoder2_family() {
    return starcoder2::family;
}

}  // namespace headcount
