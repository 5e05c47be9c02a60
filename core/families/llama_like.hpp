// What LLaMA and the families built on it share: spellings in config.json and the layout of the module tree.
#pragma once

#include <array>

#include "core/arch/family.hpp"
#include "core/families/config_reader.hpp"

namespace headcount {

// The defaults of a model_type, where it differs from LLaMA's.
struct LlamaDefaults {
    std::int64_t ffn_dim = 11008;
    std::int64_t context = 2048;
    std::optional<std::int64_t> kv_heads;  // absent: one for each head
    bool may_have_biases = true;           // reads attention_bias and mlp_bias
};

// What transformers calls the modules of such a model; their paths are the same in all.
struct LlamaClasses {
    std::string_view causal_lm, model, layer, attention, feed_forward, rotary;
};

constexpr std::array<Module, 23> llama_modules(const LlamaClasses& classes) {
    return {{
        {"", ModuleKind::container, {}, classes.causal_lm},
        {"model", ModuleKind::container, {}, classes.model},
        {"model.embed_tokens", ModuleKind::embedding, Part::token_embedding, {}},
        {"model.embed_positions", ModuleKind::embedding, Part::position_embedding, {}},
        {"model.layers", ModuleKind::container, {}, "ModuleList"},
        {"model.layers.{i}", ModuleKind::layer, {}, classes.layer},
        {"model.layers.{i}.self_attn", ModuleKind::container, {}, classes.attention},
        {"model.layers.{i}.self_attn.q_proj", ModuleKind::linear, Part::query, {}},
        {"model.layers.{i}.self_attn.k_proj", ModuleKind::linear, Part::key, {}},
        {"model.layers.{i}.self_attn.v_proj", ModuleKind::linear, Part::value, {}},
        {"model.layers.{i}.self_attn.o_proj", ModuleKind::linear, Part::attention_output, {}},
        {"model.layers.{i}.mlp", ModuleKind::container, {}, classes.feed_forward},
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
        {"model.rotary_emb", ModuleKind::rotary, {}, classes.rotary},
        {"lm_head", ModuleKind::linear, Part::output_head, {}},
    }};
}

Result<Architecture> read_llama_like(const Family& family, const nlohmann::json& config, const LlamaDefaults& defaults);
nlohmann::ordered_json write_llama_like(const Architecture& arch, std::string_view class_name);

}  // namespace headcount
