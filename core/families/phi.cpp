// Phi 1, 1.5 and 2: attention and feed-forward side by side behind one norm, part of each head turned by position,
// biases everywhere, the output head included (transformers, modeling_phi.py).
#include <array>

#include "core/families/activations.hpp"
#include "core/families/families.hpp"
#include "core/families/gpt_like.hpp"
#include "core/families/rotary.hpp"

namespace headcount {
namespace {

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

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch;
    arch.family = &phi_family();
    arch.dim = reader.number({"hidden_size"}, 2048);
    arch.layers = reader.number({"num_hidden_layers"}, 24);
    arch.vocab = reader.number({"vocab_size"}, 51200);
    arch.context = reader.number({"max_position_embeddings"}, 2048);
    arch.tied = reader.flag({"tie_word_embeddings"}, false);
    arch.norm = layer_norm(reader.real({"layer_norm_eps"}, 1e-5));
    arch.head_bias = true;
    arch.layer.joining = Joining::parallel_shared;

    Attention& attention = arch.layer.attention;
    attention.heads = reader.number({"num_attention_heads"}, 32);
    attention.kv_heads = reader.optional_number({"num_key_value_heads"});
    if (attention.kv_heads == attention.heads) attention.kv_heads.reset();
    attention.head_dim = reader.optional_number({"head_dim"});
    attention.rotary_dim = reader.rotary_dim(0.5, attention.head_dim.value_or(arch.dim / attention.heads));
    attention.qk_norm_bias = reader.flag({"qk_layernorm"}, false);
    if (attention.qk_norm_bias) attention.qk_norm = QkNorm::per_head;
    arch.layer.feed_forward = {.gated = false,
                               .activation = read_activation(reader, {"hidden_act"}, "gelu_new"),
                               .width = reader.number({"intermediate_size"}, 8192)};
    set_biases(arch.layer, true);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    const Attention& attention = arch.layer.attention;
    nlohmann::ordered_json config{
        {"architectures", {"PhiForCausalLM"}},
        {"model_type", arch.family->type},
        {"vocab_size", arch.vocab},
        {"hidden_size", arch.dim},
        {"intermediate_size", bindings(arch, Input{})[Symbol::ffn_dim].value_or(0)},
        {"num_hidden_layers", arch.layers},
        {"num_attention_heads", attention.heads},
        {"num_key_value_heads", kv_heads(arch)},
        {"hidden_act", activation_name(arch.layer.feed_forward.activation)},
        {"max_position_embeddings", arch.context},
        {"layer_norm_eps", arch.norm.epsilon},
        {"qk_layernorm", attention.qk_norm == QkNorm::per_head},
        {"tie_word_embeddings", arch.tied},
    };
    if (attention.head_dim) config["head_dim"] = *attention.head_dim;
    write_rotary_part(config, arch, "partial_rotary_factor");
    return config;
}

constexpr Family family{"phi", "Phi", "", "model", modules, read, write};

}  // namespace

const Family& phi_family() {
    return family;
}

}  // namespace headcount
