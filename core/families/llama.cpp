// LLaMA 1 to 3 and what shares its layout (TinyLlama, SmolLM2): transformers, modeling_llama.py.
#include <array>

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {
namespace {

constexpr std::array<Module, 23> modules{{
    {"", ModuleKind::container, {}, "LlamaForCausalLM"},
    {"model", ModuleKind::container, {}, "LlamaModel"},
    {"model.embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
    {"model.embed_positions", ModuleKind::embedding, Part::position_embedding, {}},
    {"model.layers", ModuleKind::container, {}, "ModuleList"},
    {"model.layers.{i}", ModuleKind::layer, {}, "LlamaDecoderLayer"},
    {"model.layers.{i}.self_attn", ModuleKind::container, {}, "LlamaAttention"},
    {"model.layers.{i}.self_attn.q_proj", ModuleKind::linear, Part::query, {}},
    {"model.layers.{i}.self_attn.k_proj", ModuleKind::linear, Part::key, {}},
    {"model.layers.{i}.self_attn.v_proj", ModuleKind::linear, Part::value, {}},
    {"model.layers.{i}.self_attn.o_proj", ModuleKind::linear, Part::attention_output, {}},
    {"model.layers.{i}.mlp", ModuleKind::container, {}, "LlamaMLP"},
    {"model.layers.{i}.mlp.gate_proj", ModuleKind::linear, Part::gate, {}},
    {"model.layers.{i}.mlp.up_proj", ModuleKind::linear, Part::up, {}},
    {"model.layers.{i}.mlp.down_proj", ModuleKind::linear, Part::down, {}},
    {"model.layers.{i}.mlp.act_fn", ModuleKind::activation, {}, {}},
    {"model.layers.{i}.input_layernorm", ModuleKind::norm, Part::attention_norm, {}},
    {"model.layers.{i}.post_attention_layernorm", ModuleKind::norm, Part::feed_forward_norm, {}},
    // With the norms behind the sub-blocks they are named as OLMo 2 names them.
    {"model.layers.{i}.post_attention_layernorm", ModuleKind::norm, Part::attention_output_norm, {}},
    {"model.layers.{i}.post_feedforward_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
    {"model.norm", ModuleKind::norm, Part::final_norm, {}},
    {"model.rotary_emb", ModuleKind::rotary, {}, "LlamaRotaryEmbedding"},
    {"lm_head", ModuleKind::linear, Part::output_head, {}},
}};

Result<Architecture> read(const nlohmann::json& config) {
    return read_llama_like(llama_family(), config, {});
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, "LlamaForCausalLM");
    // One word for all four matrices: where they differ, it cannot be said.
    config["attention_bias"] = arch.layer.attention.qkv_bias && arch.layer.attention.output_bias;
    config["mlp_bias"] = arch.layer.feed_forward.bias;
    return config;
}

constexpr Family family{"llama", "LLaMA", "LlamaRMSNorm", "model", modules, read, write};

}  // namespace

const Family& llama_family() {
    return family;
}

}  // namespace headcount
