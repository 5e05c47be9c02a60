// GPT-NeoX and Pythia: attention and feed-forward side by side, each with a norm, a quarter of each head turned by
// position, one fused Q/K/V matrix (transformers, modeling_gpt_neox.py).
#include <array>

#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/rotary.hpp"

namespace headcount {
namespace gpt_neox {

// transformers calls the output head lm_head since version 5; checkpoints call it embed_out.
constexpr std::array<Module, 20> modules{{
    {0, "", ModuleKind::container, {}, "GPTNeoXForCausalLM"},
    {1, "gpt_neox", ModuleKind::container, {}, "GPTNeoXModel"},
    {2, "embed_in", ModuleKind::embedding, Part::token_embedding, {}},
    {2, "emb_dropout", ModuleKind::dropout, {}, dropout_0},
    {2, "layers", ModuleKind::container, {}, "ModuleList"},
    {3, "{i}", ModuleKind::layer, {}, "GPTNeoXLayer"},
    {4, "input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {4, "post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    {4, "post_attention_dropout", ModuleKind::dropout, {}, dropout_0},
    {4, "post_mlp_dropout", ModuleKind::dropout, {}, dropout_0},
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

constexpr UngatedType type{.class_name = "GPTNeoXForCausalLM",
                           .dim = 6144,
                           .ffn_dim = 24576,
                           .layers = 44,
                           .heads = 64,
                           .vocab = 50432,
                           .context = 2048,
                           .activation = "gelu"};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &gpt_neox_family();
    read_ungated(reader, arch, type);
    Attention& attention = arch.layer.attention;
    attention.qkv_bias = attention.output_bias = reader.flag({"attention_bias"}, true);
    attention.rotary_dim = reader.rotary_dim(0.25, arch.dim / attention.heads);
    arch.layer.joining = reader.flag({"use_parallel_residual"}, true) ? Joining::parallel : Joining::in_turn;
    return reader.finish(std::move(arch));
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

constexpr Family family{"gpt_neox", "GPT-NeoX", "", "gpt_neox", modules, read, write, compute<computing>};

}  // namespace gpt_neox

const Family& gpt_neox_family() {
    return gpt_neox::family;
}

}  // namespace headcount
