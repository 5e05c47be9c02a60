// The tables. What one lacks is named as in LLaMA.
#include "core/checkpoints/gguf_tables.hpp"

#include <algorithm>
#include <iterator>

#include "core/base/find.hpp"
#include "core/checkpoints/gguf_tables_of_hybrids.hpp"

namespace headcount {
namespace {

using namespace gguf_tables;

constexpr GgufEntry common[] = {
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
constexpr GgufEntry mixtral[] = {
    {"ffn_gate_inp", "block_sparse_moe.gate"},
    {"ffn_gate_exps", "block_sparse_moe.experts.{e}.w1", Fit::each_expert},
    {"ffn_up_exps", "block_sparse_moe.experts.{e}.w3", Fit::each_expert},
    {"ffn_down_exps", "block_sparse_moe.experts.{e}.w2", Fit::each_expert},
};
constexpr GgufEntry llama4[] = {
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
constexpr GgufEntry gpt_oss[] = {
    {"ffn_gate_inp", "mlp.router"},
    {"ffn_gate_exps", "mlp.experts.gate_up_proj", Fit::stacked},
    {"ffn_up_exps", "mlp.experts.gate_up_proj", Fit::stacked},
    {"ffn_down_exps", "mlp.experts.down_proj", Fit::stacked},
};
constexpr GgufEntry granitemoe_swa[] = {
    {"ffn_gate_inp", "block_sparse_moe.router"},
    {"ffn_gate_up_exps", "block_sparse_moe.experts.gate_up_proj", Fit::bare},
    {"ffn_down_exps", "block_sparse_moe.experts.down_proj", Fit::bare},
    {"ffn_up_shexp", "shared_mlp.input_linear"},
    {"ffn_down_shexp", "shared_mlp.output_linear"},
};
constexpr GgufEntry without_head[] = {{"token_embd", "embed_tokens"}, {"output_norm", "norm"}};
constexpr GgufEntry qwen2moe[] = {
    {"ffn_gate_inp_shexp", "mlp.shared_expert_gate", Fit::one_row},
    {"ffn_gate_shexp", "mlp.shared_expert.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_expert.up_proj"},
    {"ffn_down_shexp", "mlp.shared_expert.down_proj"},
};
constexpr GgufEntry hunyuan[] = {
    {"attn_q_norm", "self_attn.query_layernorm"},
    {"attn_k_norm", "self_attn.key_layernorm"},
    {"ffn_gate_inp", "mlp.gate.wg"},
    {"ffn_gate_shexp", "mlp.shared_mlp.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_mlp.up_proj"},
    {"ffn_down_shexp", "mlp.shared_mlp.down_proj"},
};
constexpr GgufEntry afmoe[] = {
    {"attn_gate", "self_attn.gate_proj"},          {"ffn_norm", "pre_mlp_layernorm"},
    {"post_ffw_norm", "post_mlp_layernorm"},       {"ffn_gate_inp", "mlp.router.gate"},
    {"exp_probs_b", "mlp.expert_bias", Fit::bare},
};
// What its activation learns is in the metadata.
constexpr GgufEntry apertus[] = {
    {"attn_norm", "attention_layernorm"},
    {"ffn_norm", "feedforward_layernorm"},
    {"xielu.alpha_p", "mlp.act_fn.alpha_p", Fit::bare},
    {"xielu.alpha_n", "mlp.act_fn.alpha_n", Fit::bare},
};
constexpr GgufEntry hy_v3[] = {
    {"ffn_gate_inp", "mlp.router.gate"},
    {"exp_probs_b", "mlp.expert_bias", Fit::bare},
    {"ffn_gate_shexp", "mlp.shared_mlp.gate_proj"},
    {"ffn_up_shexp", "mlp.shared_mlp.up_proj"},
    {"ffn_down_shexp", "mlp.shared_mlp.down_proj"},
};
constexpr GgufEntry ernie4_5_moe[] = {{"exp_probs_b", "mlp.moe_statics.e_score_correction_bias", Fit::bare}};
constexpr GgufEntry exaone_moe[] = {{"exp_probs_b", "mlp.e_score_correction_bias", Fit::bare}};
constexpr GgufEntry minimax_m2[] = {{"exp_probs_b", "block_sparse_moe.e_score_correction_bias", Fit::bare}};
constexpr GgufEntry gemma[] = {{"ffn_norm", "pre_feedforward_layernorm"}};  // from the second on
constexpr GgufEntry glm4[] = {
    {"post_attention_norm", "post_self_attn_layernorm"},
    {"post_ffw_norm", "post_mlp_layernorm"},
    {"ffn_up", "mlp.gate_up_proj"},
};
constexpr GgufEntry chatglm[] = {{"ffn_up", "mlp.gate_up_proj"}};
constexpr GgufEntry phi3[] = {{"attn_qkv", "self_attn.qkv_proj"}, {"ffn_up", "mlp.gate_up_proj"}};
constexpr GgufEntry phi2[] = {
    {"output_norm", "model.final_layernorm"},
    {"attn_output", "self_attn.dense"},
    {"ffn_up", "mlp.fc1"},
    {"ffn_down", "mlp.fc2"},
};
constexpr GgufEntry stablelm[] = {
    {"attn_q_norm", "self_attn.q_layernorm.norms.{h}", Fit::each_head},
    {"attn_k_norm", "self_attn.k_layernorm.norms.{h}", Fit::each_head},
};
constexpr GgufEntry starcoder2[] = {{"ffn_up", "mlp.c_fc"}, {"ffn_down", "mlp.c_proj"}};
constexpr GgufEntry gpt2[] = {
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
constexpr GgufEntry gptj[] = {
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
constexpr GgufEntry gptneox[] = {
    {"token_embd", "gpt_neox.embed_in"},
    {"output_norm", "gpt_neox.final_layer_norm"},
    {"output", "embed_out"},
    {"attn_qkv", "attention.query_key_value"},
    {"attn_output", "attention.dense"},
    {"ffn_up", "mlp.dense_h_to_4h"},
    {"ffn_down", "mlp.dense_4h_to_h"},
};
constexpr GgufEntry bloom[] = {
    {"token_embd", "transformer.word_embeddings"},
    {"token_embd_norm", "transformer.word_embeddings_layernorm"},
    {"output_norm", "transformer.ln_f"},
    {"attn_norm_2", "ln_attn"},  // Falcon's; BLOOM has none
    {"attn_qkv", "self_attention.query_key_value"},
    {"attn_output", "self_attention.dense"},
    {"ffn_up", "mlp.dense_h_to_4h"},
    {"ffn_down", "mlp.dense_4h_to_h"},
};
constexpr GgufEntry two_norms[] = {{"attn_norm", "ln_mlp"}};
constexpr GgufEntry mpt[] = {
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
constexpr GgufEntry opt[] = {
    {"token_embd", "model.decoder.embed_tokens"},
    {"position_embd", "model.decoder.embed_positions"},
    {"output_norm", "model.decoder.final_layer_norm"},
    {"attn_norm", "self_attn_layer_norm"},
    {"attn_output", "self_attn.out_proj"},
    {"ffn_norm", "final_layer_norm"},
    {"ffn_up", "fc1"},
    {"ffn_down", "fc2"},
};

constexpr std::string_view model = "model.layers.", transformer = "transformer.h.", backbone = "backbone.layers.";
constexpr GgufNaming namings[] = {
    {"llama", model, mixtral},
    {"llama4", model, llama4},
    {"mistral3", model, mixtral},
    {"gpt-oss", model, gpt_oss},
    {"phimoe", model, mixtral},
    {"granitemoe", model, granitehybrid},
    {"granite_swa", model, granitemoe_swa},
    {"eurobert", "layers.", without_head},
    {"qwen2moe", model, qwen2moe},
    {"gemma2", model, gemma},
    {"gemma3", model, gemma},
    {"gemma3n", model, gemma3n},
    {"gemma4", model, gemma4, gemma3n},
    {"gemma-embedding", model, gemma},
    {"hunyuan-dense", model, hunyuan},
    {"hunyuan_vl", model, hunyuan},
    {"hunyuan-moe", model, hunyuan},
    {"hy_v3", model, hy_v3},
    {"afmoe", model, afmoe},
    {"apertus", model, apertus},
    {"ernie4_5-moe", model, ernie4_5_moe},
    {"exaone-moe", model, exaone_moe},
    {"minimax-m2", model, minimax_m2, mixtral},
    {"chatglm", model, chatglm},
    {"glm4", model, glm4},
    {"phi2", model, phi2},
    {"phi3", model, phi3},
    {"stablelm", model, stablelm},
    {"starcoder2", model, starcoder2},
    {"gpt2", transformer, gpt2},
    {"starcoder", transformer, gpt2, {}, true},
    {"gptj", transformer, gptj},
    {"gptneox", "gpt_neox.layers.", gptneox},
    {"bloom", transformer, bloom},
    {"falcon", transformer, bloom},
    {"falcon-two-norms", transformer, two_norms, bloom},
    {"mpt", "transformer.blocks.", mpt},
    {"opt", "model.decoder.layers.", opt},
    {"mamba", backbone, mamba},
    {"mamba2", backbone, mamba2},
    {"nemotron_h", backbone, mamba2},
    {"nemotron_h_moe", backbone, mamba2},
    {"jamba", model, jamba},
    {"granitehybrid", model, granitehybrid, beside_attention},
    {"falcon-h1", model, falcon_h1, beside_attention},
    {"lfm2", model, lfm2},
    {"lfm2moe", model, lfm2},
    {"qwen3next", model, qwen3next, qwen2moe},
    {"qwen35", model, qwen35},
    {"qwen35moe", model, qwen35, qwen2moe},
    {"kimi-linear", model, kimi_linear, mixtral},
    {"rwkv6", "rwkv.blocks.", rwkv6},
    {"rwkv7", model, rwkv7},
    {"bert", "encoder.layer.", bert},
    {"distilbert", "transformer.layer.", distilbert, bert},
    {"nomic-bert", "encoder.layers.", nomic_bert},
    {"modern-bert", "layers.", modern_bert},
    {"t5", "decoder.block.", t5, {}, false, "encoder.block."},
    {"t5-gated", "decoder.block.", t5_gated, t5, false, "encoder.block."},
    {"t5encoder", "", t5, {}, false, "encoder.block."},
    {"t5encoder-gated", "", t5_gated, t5, false, "encoder.block."},
};
constexpr GgufNaming like_llama{"", model, {}};

const GgufEntry* find(std::span<const GgufEntry> entries, std::string_view gguf) {
    return find_in(entries, gguf, &GgufEntry::gguf);
}

}  // namespace

const GgufNaming& gguf_naming(std::string_view architecture) {
    const auto* found = std::ranges::find(namings, architecture, &GgufNaming::architecture);
    return found == std::end(namings) ? like_llama : *found;
}

const GgufEntry* find_entry(const GgufNaming& naming, std::string_view gguf) {
    for (const std::span<const GgufEntry> entries : {naming.entries, naming.more, std::span<const GgufEntry>(common)})
        if (const GgufEntry* const found = find(entries, gguf)) return found;
    return nullptr;
}

}  // namespace headcount
