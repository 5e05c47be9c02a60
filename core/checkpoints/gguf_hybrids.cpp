// GGUF metadata as the config.json of models whose layers are not all attention and a feed-forward, and of encoders
// (llama.cpp, conversion/mamba.py, granite.py, nemotron.py, lfm2.py, qwen.py, kimi_linear.py, rwkv.py, bert.py, t5.py).
// Which layers are what, the tensors tell.
#include "core/checkpoints/gguf_hybrid.hpp"

namespace headcount {
namespace {

using nlohmann::json;
void read_mamba(Hybrid& made) {
    made.type(made.says("ssm.dt_b_c_rms") ? "falcon_mamba" : "mamba");
    made.sizes({"backbone.embeddings.weight"}, {"lm_head.weight"});
    made.number("ssm.inner_size", "intermediate_size");
    made.number("ssm.state_size", "state_size");
    made.number("ssm.conv_kernel", "conv_kernel");
    made.number("ssm.time_step_rank", "time_step_rank");
    made.epsilon("layer_norm_epsilon");
    made.has({"*.mixer.conv1d.bias"}, "use_conv_bias");
    made.has({"*.mixer.in_proj.bias"}, "use_bias");
}

void read_mamba2(Hybrid& made) {
    made.type("mamba2");
    made.sizes({"backbone.embeddings.weight"}, {"lm_head.weight"});
    made.states({"num_heads", "head_dim", "n_groups", "state_size", "conv_kernel"});
    made.expand("expand");
    made.epsilon("layer_norm_epsilon");
    made.has({"*.mixer.conv1d.bias"}, "use_conv_bias");
    made.has({"*.mixer.in_proj.bias"}, "use_bias");
}

void read_nemotron(Hybrid& made) {
    made.type("nemotron_h");
    made.sizes({"backbone.embeddings.weight"}, {"lm_head.weight"});
    made.attention({"*.mixer.q_proj.weight"}, {"*.mixer.k_proj.weight"});
    made.layers_called("layers_block_type", {{"*.mixer.A_log", "mamba"},
                                             {"*.mixer.q_proj.weight", "attention"},
                                             {"*.mixer.gate.weight", "moe"},
                                             {"", "mlp"}});
    made.states({"mamba_num_heads", "mamba_head_dim", "n_groups", "ssm_state_size", "conv_kernel"});
    made.epsilon("layer_norm_epsilon");
    made.put("intermediate_size", made.side({"*.mixer.up_proj.weight"}));
    made.has({"*.mixer.conv1d.bias"}, "use_conv_bias");
    made.has({"*.mixer.in_proj.bias"}, "use_bias");
    made.has({"*.mixer.up_proj.bias"}, "mlp_bias");
    if (!made.there({"*.mixer.gate.weight"})) return;
    made.mixture("n_routed_experts");
    made.put("moe_intermediate_size", made.side({"*.mixer.experts.{e}.up_proj.weight"}));
    made.put("moe_shared_expert_intermediate_size", made.side({"*.mixer.shared_experts.up_proj.weight"}));
    made.number("expert_shared_count", "n_shared_experts");
    made.number("expert_group_count", "n_group");
    if (made.key("moe_latent_size"))
        made.fail({"experts that read a narrower row are not known", "moe_latent_size",
                   "open its safetensors and config.json"});
}

void read_jamba(Hybrid& made) {
    made.type("jamba");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.number("feed_forward_length", "intermediate_size");
    made.layers_by_period({"*.self_attn.q_proj.weight"}, "attn_layer_period", "attn_layer_offset");
    made.layers_by_period({"*.feed_forward.router.weight"}, "expert_layer_period", "expert_layer_offset");
    made.mixture("num_experts");
    if (!made.there({"*.feed_forward.router.weight"})) {
        made["num_experts"] = 1;
        made["num_experts_per_tok"] = 1;
    }
    made.expand("mamba_expand");
    made.number("ssm.state_size", "mamba_d_state");
    made.number("ssm.conv_kernel", "mamba_d_conv");
    made.number("ssm.time_step_rank", "mamba_dt_rank");
    made.epsilon("rms_norm_eps");
    made.has({"*.mamba.conv1d.bias"}, "mamba_conv_bias");
    made.has({"*.mamba.in_proj.bias"}, "mamba_proj_bias");
}

void read_granite(Hybrid& made) {
    made.type("granitemoehybrid");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.layers_called("layer_types", {{"*.mamba.A_log", "mamba"}, {"", "attention"}});
    made.states({"mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv"});
    made.expand("mamba_expand");
    made.epsilon("rms_norm_eps");
    made.has({"*.mamba.conv1d.bias"}, "mamba_conv_bias");
    made.has({"*.mamba.in_proj.bias"}, "mamba_proj_bias");
    made.mixture("num_local_experts");
    if (!made.there({"*.block_sparse_moe.router.layer.weight"})) made["num_local_experts"] = 0;
    made.put("intermediate_size", made.side({"*.block_sparse_moe.output_linear.weight"}, false));
    made.put("shared_intermediate_size", made.side({"*.shared_mlp.output_linear.weight"}, false));
    made.real("embedding_scale", "embedding_multiplier");
    made.real("residual_scale", "residual_multiplier");
    made.real("logit_scale", "logits_scaling");
    made.real("attention.scale", "attention_multiplier");
    made.has({"*.self_attn.q_proj.bias"}, "attention_bias");
    made["position_embedding_type"] = "nope";
}

// Its multipliers are in the weights already.
void read_falcon(Hybrid& made) {
    made.type("falcon_h1");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.number("feed_forward_length", "intermediate_size");
    made.states({"mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv"});
    made.number("ssm.inner_size", "mamba_d_ssm");
    made.epsilon("rms_norm_eps");
    made.has({"*.mamba.norm.weight"}, "mamba_rms_norm");
    made.has({"*.mamba.conv1d.bias"}, "mamba_conv_bias");
    made.has({"*.mamba.in_proj.bias"}, "mamba_proj_bias");
    made.has({"*.mamba.out_proj.bias"}, "projectors_bias");
    made.has({"*.self_attn.q_proj.bias"}, "attention_bias");
    made.has({"*.feed_forward.up_proj.bias"}, "mlp_bias");
    for (const char* const each :
         {"attention_in_multiplier", "attention_out_multiplier", "key_multiplier", "lm_head_multiplier",
          "embedding_multiplier", "ssm_in_multiplier", "ssm_out_multiplier"})
        made[each] = 1.0;
    made["mlp_multipliers"] = {1.0, 1.0};
    made["ssm_multipliers"] = {1.0, 1.0, 1.0, 1.0, 1.0};
}

void read_lfm2(Hybrid& made) {
    const bool experts = made.there({"*.feed_forward.gate.weight"});
    made.type(experts ? "lfm2_moe" : "lfm2");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"});
    made.layers_called("layer_types", {{"*.conv.conv.weight", "conv"}, {"", "full_attention"}});
    made.number("shortconv.l_cache", "conv_L_cache");
    made.has({"*.conv.in_proj.bias"}, "conv_bias");
    made.epsilon("norm_eps");
    made.put("intermediate_size", made.side({"*.feed_forward.w1.weight"}));
    if (!experts) {
        made["block_auto_adjust_ff_dim"] = false;
        return;
    }
    made.mixture("num_experts");
    made.put("moe_intermediate_size", made.side({"*.feed_forward.experts.{e}.w1.weight"}));
    made.number("leading_dense_block_count", "num_dense_layers");
    made.has({"*.feed_forward.expert_bias"}, "use_expert_bias");
}

void read_qwen(Hybrid& made, std::string_view type, bool experts) {
    made.type(type);
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.attention({"*.self_attn.q_proj.weight"}, {"*.self_attn.k_proj.weight"}, 2);
    made.has({"*.self_attn.q_proj.bias"}, "attention_bias");
    made.layers_called("layer_types", {{"*.linear_attn.A_log", "linear_attention"}, {"", "full_attention"}});
    made.states({"linear_num_value_heads", "linear_value_head_dim", "linear_num_key_heads", "linear_key_head_dim",
                 "linear_conv_kernel_dim"});
    made.epsilon("rms_norm_eps");
    const Number turned = made.key("rope.dimension_count"), width = made.key("attention.key_length");
    if (turned && width.value_or(0) > 0)
        made["partial_rotary_factor"] = static_cast<double>(*turned) / static_cast<double>(*width);
    made.put("intermediate_size", experts ? made.key("feed_forward_length") : made.side({"*.mlp.up_proj.weight"}));
    if (!experts) return;
    made.mixture("num_experts");
    made.put("moe_intermediate_size", made.side({"*.mlp.experts.{e}.up_proj.weight"}));
    made.put("shared_expert_intermediate_size", made.side({"*.mlp.shared_expert.up_proj.weight"}));
}

void read_kimi(Hybrid& made) {
    made.type("kimi_linear");
    made.sizes({"model.embed_tokens.weight"}, {"lm_head.weight"});
    made.number("attention.head_count", "num_attention_heads");
    made.number("context_length", "model_max_length");
    made.layers_called("layer_types", {{"*.self_attn.A_log", "linear_attention"}, {"", "full_attention"}});
    made.number("kda.head_dim", "linear_head_dim");
    made.put("linear_num_heads", made.side({"*.self_attn.b_proj.weight"}));
    made.number("ssm.conv_kernel", "linear_conv_kernel_dim");
    made.epsilon("rms_norm_eps");
    made["q_lora_rank"] = made.key("attention.q_lora_rank") ? json(*made.key("attention.q_lora_rank")) : json();
    made.number("attention.kv_lora_rank", "kv_lora_rank");
    made.number("rope.dimension_count", "qk_rope_head_dim");
    const Number whole = made.key("attention.key_length_mla"), turned = made.key("rope.dimension_count");
    if (whole && turned && *turned > *whole)
        made.fail({"more columns are turned than a head has", "rope.dimension_count",
                   "open the model's config.json instead"});
    if (whole && turned) made["qk_nope_head_dim"] = *whole - *turned;
    made.number("attention.value_length_mla", "v_head_dim");
    made.put("intermediate_size", made.side({"*.mlp.up_proj.weight", "*.block_sparse_moe.up_proj.weight"}));
    made.mixture("num_experts");
    made.put("moe_intermediate_size", made.side({"*.block_sparse_moe.experts.{e}.w1.weight"}));
    made.number("expert_shared_count", "num_shared_experts");
    made.has({"*.self_attn.o_proj.bias"}, "attention_bias");
    made.number("leading_dense_block_count", "first_k_dense_replace");
}

void read_rwkv6(Hybrid& made) {
    made.type("rwkv6");
    made.sizes({"rwkv.embeddings.weight"}, {"head.weight"});
    made.number("wkv.head_size", "head_size");
    made.number("time_mix_extra_dim", "time_mix_extra_dim");
    made.number("time_decay_extra_dim", "time_decay_extra_dim");
    made.number("feed_forward_length", "intermediate_size");
    made.number("context_length", "context_length");
    made.epsilon("layer_norm_epsilon");
}

void read_rwkv7(Hybrid& made) {
    made.type("rwkv7");
    made.sizes({"model.embeddings.weight"}, {"lm_head.weight"});
    made.number("wkv.head_size", "head_dim");
    made.number("attention.decay_lora_rank", "decay_low_rank_dim");
    made.number("attention.iclr_lora_rank", "a_low_rank_dim");
    made.number("attention.value_residual_mix_lora_rank", "v_low_rank_dim");
    made.number("attention.gate_lora_rank", "gate_low_rank_dim");
    made.number("feed_forward_length", "intermediate_size");
    made.number("context_length", "max_position_embeddings");
    made.epsilon("norm_eps");
}

// Models that were made of Qwen 2: its feed-forward behind time mixing.
void refuse_distilled(Hybrid& made) {
    made.fail({"RWKV's time mixing before another model's feed-forward is not known", "general.architecture",
               "open another model"});
}

// BERT without kinds of tokens.
void read_distilbert(Hybrid& made) {
    made.type("distilbert");
    made["architectures"] = {"DistilBertModel"};
    made["vocab_size"] = made.side({"embeddings.word_embeddings.weight"}).value_or(0);
    made.number("embedding_length", "dim");
    made.number("block_count", "n_layers");
    made.number("attention.head_count", "n_heads");
    made.number("feed_forward_length", "hidden_dim");
    made.number("context_length", "max_position_embeddings");
    made.put("max_position_embeddings", made.side({"embeddings.position_embeddings.weight"}));
}

void read_bert(Hybrid& made, bool nomic) {
    if (made.there({"*.attention.q_lin.weight"})) return read_distilbert(made);
    made.type(nomic ? "nomic_bert" : "bert");
    made.sizes({"embeddings.word_embeddings.weight"}, {});
    made["architectures"] = {nomic ? "NomicBertModel" : "BertModel"};
    made["add_pooling_layer"] = false;
    made["type_vocab_size"] = made.side({"embeddings.token_type_embeddings.weight"}).value_or(0);
    made.number("attention.head_count", "num_attention_heads");
    made.number("feed_forward_length", "intermediate_size");
    made.number("context_length", "max_position_embeddings");
    made.put("max_position_embeddings", made.side({"embeddings.position_embeddings.weight"}));
    made.epsilon("layer_norm_eps");
    made.real("rope.freq_base", "rope_theta");
    if (made.there({"*.attention.self.query.weight"}) || nomic) return;
    made.fail(not_said("of which kind its attention is"));
}

// What stands on the layers is not converted.
void read_modern_bert(Hybrid& made) {
    made.type("modernbert");
    made.sizes({"embeddings.tok_embeddings.weight"}, {});
    made["architectures"] = {"ModernBertModel"};
    made.number("attention.head_count", "num_attention_heads");
    made.number("feed_forward_length", "intermediate_size");
    made.number("context_length", "max_position_embeddings");
    made.number("attention.sliding_window", "local_attention");
    made.number("attention.sliding_window_pattern", "global_attn_every_n_layers");
    made.epsilon("norm_eps");
    made.has({"final_norm.bias"}, "norm_bias");
    made.has({"*.attn.Wqkv.bias"}, "attention_bias");
    made.has({"*.mlp.Wi.bias"}, "mlp_bias");
}

// `alone`: the encoder without its decoder. UMT5, by the same word, has distances in every layer.
void read_t5(Hybrid& made, bool alone) {
    const bool by_layer = made.layers_with({"*.layer.{e}.SelfAttention.relative_attention_bias.weight"}).size() > 1;
    made.type(by_layer ? "umt5" : "t5");
    if (alone) made["architectures"] = {by_layer ? "UMT5EncoderModel" : "T5EncoderModel"};
    made["vocab_size"] = made.side({"shared.weight"}).value_or(0);
    made.number("embedding_length", "d_model");
    made.number("attention.key_length", "d_kv");
    made.number("feed_forward_length", "d_ff");
    const Number layers = made.layers("block_count"), decoders = made.layers("decoder_block_count");
    made.put("num_layers", layers);
    made["num_decoder_layers"] = decoders ? *decoders : layers.value_or(0);
    made.number("attention.head_count", "num_heads");
    made.number("attention.relative_buckets_count", "relative_attention_num_buckets");
    made.epsilon("layer_norm_epsilon");
    made.number("decoder_start_token_id", "decoder_start_token_id");
    made["feed_forward_proj"] = made.there({"*.layer.{e}.DenseReluDense.wi_0.weight"}) ? "gated-gelu" : "relu";
    made["tie_word_embeddings"] = !made.there({"lm_head.weight"});
}

struct Kind {
    std::string_view architecture;
    void (*read)(Hybrid&);
};
constexpr Kind kinds[] = {
    {"mamba", read_mamba},
    {"mamba2", read_mamba2},
    {"nemotron_h", read_nemotron},
    {"nemotron_h_moe", read_nemotron},
    {"jamba", read_jamba},
    {"granitehybrid", read_granite},
    {"falcon-h1", read_falcon},
    {"lfm2", read_lfm2},
    {"lfm2moe", read_lfm2},
    {"qwen3next", [](Hybrid& made) { read_qwen(made, "qwen3_next", true); }},
    {"qwen35", [](Hybrid& made) { read_qwen(made, "qwen3_5_text", false); }},
    {"qwen35moe", [](Hybrid& made) { read_qwen(made, "qwen3_5_moe_text", true); }},
    {"kimi-linear", read_kimi},
    {"rwkv6", read_rwkv6},
    {"rwkv7", read_rwkv7},
    {"rwkv6qwen2", refuse_distilled},
    {"arwkv7", refuse_distilled},
    {"bert", [](Hybrid& made) { read_bert(made, false); }},
    {"nomic-bert", [](Hybrid& made) { read_bert(made, true); }},
    {"modern-bert", read_modern_bert},
    {"gemma3n", read_gemma3n},
    {"gemma4", read_gemma4},
    {"t5", [](Hybrid& made) { read_t5(made, false); }},
    {"t5encoder", [](Hybrid& made) { read_t5(made, true); }},
};

}  // namespace

std::optional<Result<json>> config_unlike_llama(const std::string& architecture, GgufKeys& keys,
                                                const TensorShapes& tensors) {
    const auto* const kind = std::ranges::find(kinds, architecture, &Kind::architecture);
    if (kind == std::end(kinds)) return std::nullopt;
    Hybrid made(keys, tensors);
    kind->read(made);
    return made.take();
}

}  // namespace headcount
