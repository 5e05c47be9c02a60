// GGUF's names of tensors beside the published ones, a table a family. What a table lacks is named as in LLaMA.
#include <algorithm>
#include <array>
#include <span>

#include "core/checkpoints/gguf_published.hpp"

namespace headcount {
namespace {

struct Entry {
    std::string_view gguf;       // without "blk.3." and ".weight"
    std::string_view published;  // below the layer, or the whole name outside the layers
    Fit fit = Fit::same;
};

struct Naming {
    std::string_view architecture;
    std::string_view layers;  // the path of the layers
    std::span<const Entry> entries;
    bool linear = false;  // what is a Conv1D in the table is a linear layer here
};

constexpr Entry common[] = {
    {"token_embd", "model.embed_tokens"},
    {"output_norm", "model.norm"},
    {"output", "lm_head"},
    {"attn_norm", "input_layernorm"},
    {"attn_q", "self_attn.q_proj"},
    {"attn_k", "self_attn.k_proj"},
    {"attn_v", "self_attn.v_proj"},
    {"attn_qkv", "self_attn.{qkv}_proj", Fit::qkv},
    {"attn_output", "self_attn.o_proj"},
    {"attn_q_norm", "self_attn.q_norm"},
    {"attn_k_norm", "self_attn.k_norm"},
    {"attn_q_a", "self_attn.q_a_proj"},
    {"attn_q_a_norm", "self_attn.q_a_layernorm"},
    {"attn_q_b", "self_attn.q_b_proj"},
    {"attn_kv_a_mqa", "self_attn.kv_a_proj_with_mqa"},
    {"attn_kv_a_norm", "self_attn.kv_a_layernorm"},
    {"attn_kv_b", "self_attn.kv_b_proj"},
    {"attn_k_b", "self_attn.kv_b_proj", Fit::latent_keys},
    {"attn_v_b", "self_attn.kv_b_proj", Fit::latent_values},
    {"attn_sinks", "self_attn.sinks", Fit::bare},
    {"post_attention_norm", "post_attention_layernorm"},
    {"ffn_norm", "post_attention_layernorm"},
    {"post_ffw_norm", "post_feedforward_layernorm"},
    {"ffn_gate", "mlp.gate_proj"},
    {"ffn_up", "mlp.up_proj"},
    {"ffn_down", "mlp.down_proj"},
    {"ffn_gate_inp", "mlp.gate"},
    {"exp_probs_b", "mlp.gate.e_score_correction_bias", Fit::bare},
    {"ffn_gate_exps", "mlp.experts.{e}.gate_proj", Fit::each_expert},
    {"ffn_up_exps", "mlp.experts.{e}.up_proj", Fit::each_expert},
    {"ffn_down_exps", "mlp.experts.{e}.down_proj", Fit::each_expert},
    {"ffn_gate_shexp", "mlp.shared_experts.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_experts.up_proj"},
    {"ffn_down_shexp", "mlp.shared_experts.down_proj"},
};

// Mixtral is "llama" to llama.cpp; dense LLaMA has none of these.
constexpr Entry mixtral[] = {
    {"ffn_gate_inp", "block_sparse_moe.gate"},
    {"ffn_gate_exps", "block_sparse_moe.experts.{e}.w1", Fit::each_expert},
    {"ffn_up_exps", "block_sparse_moe.experts.{e}.w3", Fit::each_expert},
    {"ffn_down_exps", "block_sparse_moe.experts.{e}.w2", Fit::each_expert},
};
constexpr Entry llama4[] = {
    {"ffn_gate", "feed_forward.gate_proj"},
    {"ffn_up", "feed_forward.up_proj"},
    {"ffn_down", "feed_forward.down_proj"},
    {"ffn_gate_inp", "feed_forward.router"},
    {"ffn_gate_exps", "feed_forward.experts.gate_up_proj", Fit::stacked},
    {"ffn_up_exps", "feed_forward.experts.gate_up_proj", Fit::stacked},
    {"ffn_down_exps", "feed_forward.experts.down_proj", Fit::stacked},
    {"ffn_gate_shexp", "feed_forward.shared_expert.gate_proj"},
    {"ffn_up_shexp", "feed_forward.shared_expert.up_proj"},
    {"ffn_down_shexp", "feed_forward.shared_expert.down_proj"},
};
constexpr Entry gpt_oss[] = {
    {"ffn_gate_inp", "mlp.router"},
    {"ffn_gate_exps", "mlp.experts.gate_up_proj", Fit::stacked},
    {"ffn_up_exps", "mlp.experts.gate_up_proj", Fit::stacked},
    {"ffn_down_exps", "mlp.experts.down_proj", Fit::stacked},
};
constexpr Entry granitemoe[] = {
    {"ffn_gate_inp", "block_sparse_moe.router.layer"},
    {"ffn_gate_exps", "block_sparse_moe.input_linear", Fit::stacked_rows},
    {"ffn_up_exps", "block_sparse_moe.input_linear", Fit::stacked_rows},
    {"ffn_down_exps", "block_sparse_moe.output_linear", Fit::stacked_rows},
};
constexpr Entry qwen2moe[] = {
    {"ffn_gate_inp_shexp", "mlp.shared_expert_gate", Fit::one_row},
    {"ffn_gate_shexp", "mlp.shared_expert.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_expert.up_proj"},
    {"ffn_down_shexp", "mlp.shared_expert.down_proj"},
};
constexpr Entry gemma[] = {{"ffn_norm", "pre_feedforward_layernorm"}};  // from the second on
constexpr Entry glm4[] = {
    {"post_attention_norm", "post_self_attn_layernorm"},
    {"post_ffw_norm", "post_mlp_layernorm"},
    {"ffn_up", "mlp.gate_up_proj"},
};
constexpr Entry chatglm[] = {{"ffn_up", "mlp.gate_up_proj"}};
constexpr Entry phi3[] = {{"attn_qkv", "self_attn.qkv_proj"}, {"ffn_up", "mlp.gate_up_proj"}};
constexpr Entry phi2[] = {
    {"output_norm", "model.final_layernorm"},
    {"attn_output", "self_attn.dense"},
    {"ffn_up", "mlp.fc1"},
    {"ffn_down", "mlp.fc2"},
};
constexpr Entry stablelm[] = {
    {"attn_q_norm", "self_attn.q_layernorm.norms.{h}", Fit::each_head},
    {"attn_k_norm", "self_attn.k_layernorm.norms.{h}", Fit::each_head},
};
constexpr Entry starcoder2[] = {{"ffn_up", "mlp.c_fc"}, {"ffn_down", "mlp.c_proj"}};
constexpr Entry gpt2[] = {
    {"token_embd", "transformer.wte"},
    {"position_embd", "transformer.wpe"},
    {"output_norm", "transformer.ln_f"},
    {"attn_norm", "ln_1"},
    {"attn_qkv", "attn.c_attn", Fit::conv1d},
    {"attn_output", "attn.c_proj", Fit::conv1d},
    {"ffn_norm", "ln_2"},
    {"ffn_up", "mlp.c_fc", Fit::conv1d},
    {"ffn_down", "mlp.c_proj", Fit::conv1d},
};
constexpr Entry gptj[] = {
    {"token_embd", "transformer.wte"},
    {"output_norm", "transformer.ln_f"},
    {"attn_norm", "ln_1"},
    {"attn_q", "attn.q_proj"},
    {"attn_k", "attn.k_proj"},
    {"attn_v", "attn.v_proj"},
    {"attn_output", "attn.out_proj"},
    {"ffn_up", "mlp.fc_in"},
    {"ffn_down", "mlp.fc_out"},
};
constexpr Entry gptneox[] = {
    {"token_embd", "gpt_neox.embed_in"},
    {"output_norm", "gpt_neox.final_layer_norm"},
    {"output", "embed_out"},
    {"attn_qkv", "attention.query_key_value"},
    {"attn_output", "attention.dense"},
    {"ffn_up", "mlp.dense_h_to_4h"},
    {"ffn_down", "mlp.dense_4h_to_h"},
};
constexpr Entry bloom[] = {
    {"token_embd", "transformer.word_embeddings"},
    {"token_embd_norm", "transformer.word_embeddings_layernorm"},
    {"output_norm", "transformer.ln_f"},
    {"attn_norm_2", "ln_attn"},  // Falcon's; BLOOM has none
    {"attn_qkv", "self_attention.query_key_value"},
    {"attn_output", "self_attention.dense"},
    {"ffn_up", "mlp.dense_h_to_4h"},
    {"ffn_down", "mlp.dense_4h_to_h"},
};
constexpr Entry mpt[] = {
    {"token_embd", "transformer.wte"},
    {"position_embd", "transformer.wpe"},
    {"output_norm", "transformer.norm_f"},
    {"attn_norm", "norm_1"},
    {"attn_qkv", "attn.Wqkv"},
    {"attn_output", "attn.out_proj"},
    {"attn_q_norm", "attn.q_ln"},
    {"attn_k_norm", "attn.k_ln"},
    {"ffn_norm", "norm_2"},
    {"ffn_up", "ffn.up_proj"},
    {"ffn_down", "ffn.down_proj"},
};
constexpr Entry opt[] = {
    {"token_embd", "model.decoder.embed_tokens"},
    {"position_embd", "model.decoder.embed_positions"},
    {"output_norm", "model.decoder.final_layer_norm"},
    {"attn_norm", "self_attn_layer_norm"},
    {"attn_output", "self_attn.out_proj"},
    {"ffn_norm", "final_layer_norm"},
    {"ffn_up", "fc1"},
    {"ffn_down", "fc2"},
};

constexpr std::string_view model = "model.layers.", transformer = "transformer.h.";
constexpr Naming namings[] = {
    {"llama", model, mixtral},
    {"llama4", model, llama4},
    {"mistral3", model, mixtral},
    {"gpt-oss", model, gpt_oss},
    {"phimoe", model, mixtral},
    {"granitemoe", model, granitemoe},
    {"qwen2moe", model, qwen2moe},
    {"gemma2", model, gemma},
    {"gemma3", model, gemma},
    {"chatglm", model, chatglm},
    {"glm4", model, glm4},
    {"phi2", model, phi2},
    {"phi3", model, phi3},
    {"stablelm", model, stablelm},
    {"starcoder2", model, starcoder2},
    {"gpt2", transformer, gpt2},
    {"starcoder", transformer, gpt2, true},
    {"gptj", transformer, gptj},
    {"gptneox", "gpt_neox.layers.", gptneox},
    {"bloom", transformer, bloom},
    {"falcon", transformer, bloom},
    {"mpt", "transformer.blocks.", mpt},
    {"opt", "model.decoder.layers.", opt},
};
constexpr Naming like_llama{"", model, {}};

const Naming& naming(std::string_view architecture) {
    const auto* found = std::ranges::find(namings, architecture, &Naming::architecture);
    return found == std::end(namings) ? like_llama : *found;
}

const Entry* find(std::span<const Entry> entries, std::string_view gguf) {
    const auto found = std::ranges::find(entries, gguf, &Entry::gguf);
    return found == entries.end() ? nullptr : &*found;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "blk.3.attn_q.weight" in its parts. Before experts were stacked, each was a tensor: "blk.3.ffn_gate.7.weight".
struct GgufName {
    std::string_view layer;   // "3"; empty outside the layers
    std::string_view tensor;  // "attn_q"
    std::string_view expert;  // "7"; mostly empty
    std::string_view suffix;  // ".weight", ".bias"
};

GgufName parts_of(std::string_view name) {
    GgufName parts;
    constexpr std::string_view block = "blk.";
    if (name.starts_with(block)) {
        const std::size_t dot = name.find('.', block.size());
        parts.layer = name.substr(block.size(), dot == name.npos ? dot : dot - block.size());
        if (dot == name.npos || !is_number(parts.layer)) return {};
        name.remove_prefix(dot + 1);
    }
    for (const std::string_view suffix : {".weight", ".bias"})
        if (name.ends_with(suffix)) {
            parts.suffix = name.substr(name.size() - suffix.size());
            name.remove_suffix(suffix.size());
        }
    const std::size_t dot = name.rfind('.');
    if (dot != name.npos && is_number(name.substr(dot + 1))) {
        parts.expert = name.substr(dot + 1);
        name = name.substr(0, dot);
    }
    parts.tensor = name;
    return parts;
}

}  // namespace

PublishedName find_published_name(std::string_view architecture, std::string_view gguf_name, bool two_norms) {
    const GgufName parts = parts_of(gguf_name);
    const Naming& names = naming(architecture);
    const std::string stack = parts.expert.empty() ? std::string() : std::string(parts.tensor) + "_exps";
    const std::string_view key = stack.empty() ? parts.tensor : std::string_view(stack);
    const Entry* entry = find(names.entries, key);
    if (!entry) entry = find(common, key);
    if (!entry) return {};
    std::string name(entry->published);
    if (two_norms && key == "attn_norm") name = "ln_mlp";
    Fit fit = entry->fit == Fit::conv1d && names.linear ? Fit::same : entry->fit;
    if (!parts.expert.empty()) {
        const std::size_t place = name.find("{e}");
        if (place == name.npos) return {};
        name.replace(place, 3, parts.expert);
        fit = Fit::same;
    }
    if (!parts.layer.empty()) name = std::string(names.layers) + std::string(parts.layer) + "." + name;
    if (fit == Fit::bare) return {name, fit};
    if (fit == Fit::stacked) return {name + (parts.suffix == ".bias" ? "_bias" : ""), fit};
    return {name + std::string(parts.suffix), fit};
}

bool added_by_gguf(std::string_view gguf_name) {
    const std::string_view tensor = parts_of(gguf_name).tensor;
    return tensor == "rope_freqs" || tensor == "attn_rot_embd" || tensor.starts_with("rope_factors_");
}

}  // namespace headcount
