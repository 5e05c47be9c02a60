// Phi 1, 1.5 and 2: attention and feed-forward side by side behind one norm, part of each head turned by position,
// biases everywhere, the output head included (transformers, modeling_phi.py).
#include <array>

#include "core/base/text.hpp"
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/rotary.hpp"

namespace headcount {
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
    {4, "resid_dropout", ModuleKind::dropout, {}, dropout_0},
    {2, "rotary_emb", ModuleKind::rotary, {}, "PhiRotaryEmbedding"},
    {2, "embed_dropout", ModuleKind::dropout, {}, dropout_0},
    {2, "final_layernorm", ModuleKind::norm, Part::final_norm, {}},
    {1, "lm_head", ModuleKind::linear, Part::output_head, {}},
}};

constexpr UngatedType type{.class_name = "PhiForCausalLM",
                           .dim = 2048,
                           .ffn_dim = 8192,
                           .layers = 24,
                           .heads = 32,
                           .vocab = 51200,
                           .context = 2048,
                           .activation = "gelu_new"};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &phi_family();
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
    return reader.finish(std::move(arch));
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

constexpr Family family{"phi", "Phi", "", "model", modules, read, write, compute<llama_computation>};

}  // namespace phi

const Family& phi_family() {
    return phi::family;
}

}  // namespace headcount
