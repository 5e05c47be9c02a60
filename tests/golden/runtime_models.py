# The small models whose arithmetic is compared: for each family one, and one more for each rule that it has.
"""Sizes are distinct where they can be, windows and chunks are shorter than the prompt, and numbers that only change
what is computed (scalings, caps, multipliers, epsilons) are far from 1 or 0, so that a rule that is left out shows."""

LLAMA = {
    "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 44, "vocab_size": 40, "max_position_embeddings": 64, "rms_norm_eps": 0.01,
}
PADDED = LLAMA | {"pad_token_id": 0}  # of types whose own padding is beyond this vocabulary
GPT = {"n_embd": 32, "n_layer": 3, "n_head": 4, "vocab_size": 40, "n_positions": 64, "layer_norm_epsilon": 0.01}
FALCON = {
    "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "vocab_size": 40,
    "max_position_embeddings": 64, "layer_norm_epsilon": 0.01,
}
DEEPSEEK = LLAMA | {
    "num_key_value_heads": 4, "kv_lora_rank": 20, "qk_rope_head_dim": 6, "qk_nope_head_dim": 10, "v_head_dim": 12,
    "n_routed_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 20, "n_shared_experts": 2,
    "first_k_dense_replace": 1,
}
MIXTURE = LLAMA | {"num_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 20}
GEMMA3N = PADDED | {
    "head_dim": 12, "sliding_window": 6, "hidden_size_per_layer_input": 6, "vocab_size_per_layer_input": 36,
    "laurel_rank": 5, "altup_num_inputs": 3, "final_logit_softcapping": 8.0, "rope_parameters": {
        "full_attention": {"rope_type": "default", "rope_theta": 900.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 30.0}},
}
GEMMA4 = PADDED | {
    "head_dim": 12, "global_head_dim": 20, "sliding_window": 6, "hidden_size_per_layer_input": 6,
    "vocab_size_per_layer_input": 43, "final_logit_softcapping": 8.0, "rope_parameters": {
        "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.5, "rope_theta": 900.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 30.0}},
}
BALANCED = PADDED | {
    "n_routed_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 20, "n_shared_experts": 2,
    "first_k_dense_replace": 1, "n_group": 4, "topk_group": 2, "routed_scaling_factor": 1.7,
}
LOCAL = LLAMA | {"num_local_experts": 6, "num_experts_per_tok": 2}
MAMBA = {
    "hidden_size": 32, "num_hidden_layers": 3, "num_heads": 8, "head_dim": 8, "state_size": 12, "n_groups": 2,
    "conv_kernel": 3, "vocab_size": 40, "layer_norm_epsilon": 0.01, "chunk_size": 8,
}
NEXT = MIXTURE | {
    "num_hidden_layers": 4, "head_dim": 16, "shared_expert_intermediate_size": 40, "linear_key_head_dim": 10,
    "linear_value_head_dim": 14, "linear_num_key_heads": 2, "linear_num_value_heads": 6, "linear_conv_kernel_dim": 3,
}
HYBRID = LLAMA | {
    "num_hidden_layers": 4, "mamba_n_heads": 8, "mamba_d_head": 8, "mamba_d_state": 12, "mamba_n_groups": 2,
    "mamba_d_conv": 3, "mamba_chunk_size": 8,
}
NEMOTRON_H = {
    "hidden_size": 32, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 12, "intermediate_size": 44,
    "vocab_size": 40, "max_position_embeddings": 64, "layer_norm_epsilon": 0.01, "mamba_num_heads": 8,
    "mamba_head_dim": 6, "ssm_state_size": 12, "n_groups": 2, "conv_kernel": 3, "chunk_size": 8,
}
ZAMBA2 = PADDED | {
    "num_hidden_layers": 4, "layers_block_type": ["linear_attention", "hybrid", "hybrid", "hybrid"],
    "mamba_d_state": 12, "mamba_ngroups": 2, "mamba_d_conv": 3, "n_mamba_heads": 8, "chunk_size": 8, "adapter_rank": 6,
    "time_step_min": 0.4,
}
LFM2 = {key: value for key, value in PADDED.items() if key != "rms_norm_eps"} | {
    "num_hidden_layers": 4, "conv_L_cache": 3, "norm_eps": 0.01, "block_auto_adjust_ff_dim": False,
}
MAMBA1 = {
    "hidden_size": 32, "num_hidden_layers": 3, "state_size": 5, "conv_kernel": 3, "vocab_size": 40,
    "layer_norm_epsilon": 0.01,
}
LAYER_NORM = {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {"layer_norm_eps": 0.01}
# With a small base, so that some of the few pairs of columns lie between the bounds of these scalings.
STRETCHED = {"rope_theta": 100.0, "max_position_embeddings": 512}
YARN = {"beta_fast": 6, "beta_slow": 1, "factor": 4.0, "original_max_position_embeddings": 128}
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 64}
BERT = {
    "architectures": ["BertForMaskedLM"], "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4,
    "intermediate_size": 44, "vocab_size": 40, "max_position_embeddings": 64, "type_vocab_size": 3,
    "layer_norm_eps": 0.01,
}


def windows(*flags):
    return {"layer_types": ["sliding_attention" if flag else "full_attention" for flag in flags]}


T5 = {
    "d_model": 24, "d_kv": 10, "d_ff": 44, "num_layers": 3, "num_heads": 4, "vocab_size": 40,
    "relative_attention_num_buckets": 8, "relative_attention_max_distance": 16, "decoder_start_token_id": 0}
BART = {
    "d_model": 32, "encoder_layers": 3, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 44, "decoder_ffn_dim": 36, "vocab_size": 40,
    "max_position_embeddings": 64, "pad_token_id": 1, "decoder_start_token_id": 2}
IMAGE = {
    "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 44,
    "image_size": [24, 16], "patch_size": 8, "num_channels": 3, "num_labels": 5, "layer_norm_eps": 0.01}
DINO = {key: value for key, value in IMAGE.items() if key != "intermediate_size"} | {
    "architectures": ["Dinov2ForImageClassification"], "mlp_ratio": 2, "image_size": 24}
TOWER = {key: value for key, value in IMAGE.items() if key not in ("image_size", "num_labels")} | {"image_size": 24}
WHISPER = {
    "d_model": 32, "encoder_layers": 3, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 44, "decoder_ffn_dim": 36, "vocab_size": 40,
    "num_mel_bins": 6, "max_source_positions": 11, "max_target_positions": 64, "pad_token_id": 1, "bos_token_id": 1,
    "eos_token_id": 2, "decoder_start_token_id": 2, "begin_suppress_tokens": None,
    "architectures": ["WhisperForConditionalGeneration"]}


def image(name, fields=IMAGE):
    return fields | {"architectures": [name + "ForImageClassification"]}


MODELS = {
    "vit": ("vit", image("ViT")),
    "deit": ("deit", image("DeiT") | {"qkv_bias": False, "image_size": 24}),
    "ijepa": ("ijepa", image("IJepa")),
    "vit_msn": ("vit_msn", image("ViTMSN")),
    "dinov2": ("dinov2", DINO),
    "dinov2-gated": ("dinov2", DINO | {"use_swiglu_ffn": True, "use_mask_token": False}),
    "dinov2_with_registers": ("dinov2_with_registers", image("Dinov2WithRegisters", DINO) | {"num_register_tokens": 3}),
    "beit": ("beit", image("Beit") | {"image_size": 24}),
    "beit-positions": ("beit", image("Beit") | {
        "image_size": 24, "use_absolute_position_embeddings": True, "use_mean_pooling": False, "use_mask_token": True}),
    "data2vec-vision": ("data2vec-vision", image("Data2VecVision") | {"image_size": 24}),
    "clip": ("clip", image("CLIP", {"vision_config": TOWER, "num_labels": 5})),
    "clip_vision_model": ("clip_vision_model", TOWER | {"architectures": ["CLIPVisionModel"]}),
    "metaclip_2": ("metaclip_2", image("MetaClip2", {"vision_config": TOWER, "num_labels": 5})),
    "siglip": ("siglip", image("Siglip", {"vision_config": TOWER, "num_labels": 5})),
    "siglip_vision_model": ("siglip_vision_model", TOWER | {
        "architectures": ["SiglipVisionModel"], "vision_use_head": False}),
    "audio-spectrogram-transformer": ("audio-spectrogram-transformer", {
        key: value for key, value in IMAGE.items() if key not in ("image_size", "num_channels")} | {
        "architectures": ["ASTForAudioClassification"], "num_mel_bins": 18, "max_length": 24, "frequency_stride": 5,
        "time_stride": 5}),
    "whisper": ("whisper", WHISPER),
    "llama": ("llama", LLAMA),
    "llama-all-heads": ("llama", LLAMA | {"num_key_value_heads": 4, "rope_theta": 300.0, "hidden_act": "gelu"}),
    "llama-one-key-head": ("llama", LLAMA | {"num_key_value_heads": 1, "head_dim": 12, "rope_theta": 50.0}),
    "llama-llama3": ("llama", LLAMA | STRETCHED | {
        "tie_word_embeddings": True, "attention_bias": True, "mlp_bias": True,
        "rope_scaling": LLAMA3 | {"rope_type": "llama3"}}),
    "llama-linear": ("llama", LLAMA | {"rope_scaling": {"type": "linear", "factor": 3.0}}),
    "llama-yarn": ("llama", LLAMA | STRETCHED | {"head_dim": 16, "rope_scaling": YARN | {"rope_type": "yarn"}}),
    "llama-yarn-sharper": ("llama", LLAMA | {
        "head_dim": 16, "max_position_embeddings": 512, "rope_parameters": YARN | {
            "rope_type": "yarn", "rope_theta": 100.0, "attention_factor": 1.4, "truncate": False}}),
    "mistral": ("mistral", LLAMA | {"sliding_window": 6}),
    "qwen2": ("qwen2", LLAMA | {
        "tie_word_embeddings": True, "use_sliding_window": True, "sliding_window": 6, "max_window_layers": 1}),
    "qwen3": ("qwen3", LLAMA | {"head_dim": 12, "rope_theta": 1000000.0}),
    "gemma": ("gemma", LLAMA | {"head_dim": 12}),
    "gemma2": ("gemma2", LLAMA | {
        "head_dim": 12, "sliding_window": 6, "query_pre_attn_scalar": 5, "attn_logit_softcapping": 3.0,
        "final_logit_softcapping": 8.0}),
    "gemma3_text": ("gemma3_text", LLAMA | {
        "head_dim": 12, "num_hidden_layers": 4, "sliding_window": 6, "sliding_window_pattern": 3,
        "query_pre_attn_scalar": 7, "rope_theta": 20000.0, "rope_local_base_freq": 70.0,
        "rope_scaling": {"factor": 4.0, "rope_type": "linear"}}),
    "gemma3_text-nested": ("gemma3_text", LLAMA | windows(True, False, True) | {
        "head_dim": 12, "sliding_window": 6, "final_logit_softcapping": 9.0, "rope_parameters": {
            "full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 900.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 30.0}}}),
    "gemma3n_text": ("gemma3n_text", GEMMA3N | windows(True, False, True, True, False) | {
        "num_hidden_layers": 5, "num_kv_shared_layers": 2, "activation_sparsity_pattern": [0.6, 0.6, 0.0, 0.0, 0.6]}),
    "gemma3n_text-own": ("gemma3n_text", GEMMA3N | windows(True, False, True) | {
        "num_kv_shared_layers": 0, "altup_num_inputs": 2, "activation_sparsity_pattern": [0.9, 0.0, 0.0]}),
    "gemma4_text": ("gemma4_text", GEMMA4 | windows(True, False, True, True, False) | {
        "num_hidden_layers": 5, "num_kv_shared_layers": 2, "use_double_wide_mlp": True}),
    "gemma4_text-mixture": ("gemma4_text", GEMMA4 | windows(True, True, False, False) | {
        "num_hidden_layers": 4, "hidden_size_per_layer_input": 0, "attention_k_eq_v": True,
        "num_global_key_value_heads": 1, "enable_moe_block": True, "num_experts": 8, "top_k_experts": 3,
        "moe_intermediate_size": 20, "rope_parameters": None}),
    "gemma4_unified_text": ("gemma4_unified_text", {
        key: value for key, value in GEMMA4.items() if not key.endswith("per_layer_input")} | {
            "num_hidden_layers": 7, "attention_k_eq_v": True, "num_global_key_value_heads": 1}),
    "olmo": ("olmo", {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {"clip_qkv": 0.6}),
    "olmo2": ("olmo2", LLAMA),
    "olmo3": ("olmo3", LLAMA | {
        "num_hidden_layers": 4, "sliding_window": 6, "max_position_embeddings": 8192,
        "rope_scaling": YARN | {"rope_type": "yarn", "original_max_position_embeddings": 4096}}),
    "olmo3-nested": ("olmo3", LLAMA | windows(False, True, False) | {
        "sliding_window": 6, "max_position_embeddings": 512, "rope_parameters": {
            "full_attention": YARN | {"rope_type": "yarn", "rope_theta": 100.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}}}),
    "cohere": ("cohere", LAYER_NORM | {"logit_scale": 0.3, "rope_theta": 300.0}),
    "cohere-normed": ("cohere", LAYER_NORM | {"use_qk_norm": True, "attention_bias": True}),
    "cohere2": ("cohere2", LAYER_NORM | {
        "num_hidden_layers": 4, "head_dim": 12, "sliding_window": 6, "sliding_window_pattern": 3, "logit_scale": 0.3}),
    "stablelm": ("stablelm", LAYER_NORM | {"partial_rotary_factor": 0.5, "use_qkv_bias": True}),
    "stablelm-parallel": ("stablelm", LAYER_NORM | {
        "qk_layernorm": True, "use_parallel_residual": True, "partial_rotary_factor": 0.75}),
    "granite": ("granite", LLAMA | {
        "attention_multiplier": 0.2, "embedding_multiplier": 3.0, "logits_scaling": 4.0, "residual_multiplier": 0.4}),
    "granite_docling_text": ("granite_docling_text", PADDED | {"attention_multiplier": 0.2, "mlp_bias": True}),
    "nemotron": ("nemotron", {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {
        "head_dim": 12, "norm_eps": 0.01}),
    "glm": ("glm", PADDED | {"head_dim": 12}),
    "glm4": ("glm4", PADDED | {"head_dim": 12, "partial_rotary_factor": 0.67, "attention_bias": True}),
    "phi3": ("phi3", PADDED | {"sliding_window": 6}),
    "phi3-longrope": ("phi3", PADDED | {
        "partial_rotary_factor": 0.75, "original_max_position_embeddings": 8, "tie_word_embeddings": True,
        "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.5, 2.0], "long_factor": [1.1, 3.0, 7.0]}}),
    "phi3-longrope-short": ("phi3", PADDED | {
        "original_max_position_embeddings": 32,
        "rope_scaling": {
            "type": "longrope", "short_factor": [1.3, 1.5, 2.0, 5.0], "long_factor": [1.1, 3.0, 7.0, 9.0]}}),
    "smollm3": ("smollm3", PADDED | {"num_hidden_layers": 4, "no_rope_layer_interval": 2, "tie_word_embeddings": True}),
    "ministral": ("ministral", LLAMA | windows(True, False, True) | {"head_dim": 12, "sliding_window": 6}),
    "exaone4": ("exaone4", LLAMA | {"num_hidden_layers": 4, "sliding_window": 6, "sliding_window_pattern": 2}),
    "ernie4_5": ("ernie4_5", LLAMA | {"head_dim": 12, "use_bias": True}),
    "gpt2": ("gpt2", GPT),
    "gpt2-by-layer": ("gpt2", GPT | {
        "scale_attn_by_inverse_layer_idx": True, "n_inner": 44, "activation_function": "relu"}),
    "gpt2-unscaled": ("gpt2", GPT | {"scale_attn_weights": False, "tie_word_embeddings": False}),
    "gptj": ("gptj", GPT | {"rotary_dim": 6}),
    "gpt_neox": ("gpt_neox", LAYER_NORM | {"rotary_pct": 0.5, "rotary_emb_base": 300.0}),
    "gpt_neox-in-turn": ("gpt_neox", LAYER_NORM | {
        "use_parallel_residual": False, "attention_bias": False, "rotary_pct": 0.75}),
    "opt": ("opt", {
        "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "ffn_dim": 44, "vocab_size": 40,
        "word_embed_proj_dim": 32, "max_position_embeddings": 64}),
    "opt-norm-after": ("opt", {
        "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "ffn_dim": 44, "vocab_size": 40,
        "word_embed_proj_dim": 20, "max_position_embeddings": 64, "do_layer_norm_before": False}),
    "bloom": ("bloom", {
        "hidden_size": 30, "n_layer": 3, "n_head": 6, "vocab_size": 40, "seq_length": 64, "layer_norm_epsilon": 0.01}),
    "falcon": ("falcon", FALCON),
    "falcon-grouped": ("falcon", FALCON | {"new_decoder_architecture": True, "num_kv_heads": 2}),
    "falcon-one-norm": ("falcon", FALCON | {
        "new_decoder_architecture": True, "num_kv_heads": 2, "num_ln_in_parallel_attn": 1, "rope_theta": 500.0,
        "tie_word_embeddings": False, "ffn_hidden_size": 44}),
    "falcon-alibi": ("falcon", FALCON | {
        "hidden_size": 36, "num_attention_heads": 6, "alibi": True, "multi_query": False, "parallel_attn": False,
        "bias": True}),
    "mpt": ("mpt", {
        "d_model": 30, "n_layers": 3, "n_heads": 6, "max_seq_len": 64, "vocab_size": 40, "layer_norm_epsilon": 0.01,
        "attn_config": {"clip_qkv": 0.6, "softmax_scale": 0.8}}),
    "mpt-four-heads": ("mpt", {
        "d_model": 32, "n_layers": 2, "n_heads": 4, "max_seq_len": 64, "vocab_size": 40,
        "attn_config": {"alibi": True, "alibi_bias_max": 8, "attn_type": "multihead_attention", "clip_qkv": None}}),
    "phi": ("phi", LAYER_NORM | {"num_key_value_heads": 4}),
    "phi-normed": ("phi", LAYER_NORM | {"qk_layernorm": True, "partial_rotary_factor": 0.75}),
    "starcoder2": ("starcoder2", {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {
        "sliding_window": 6, "norm_epsilon": 0.01}),
    "gpt_bigcode": ("gpt_bigcode", GPT),
    "gpt_bigcode-all-heads": ("gpt_bigcode", GPT | {"multi_query": False}),
    "llama4_text": ("llama4_text", LOCAL | STRETCHED | {
        "num_hidden_layers": 4, "head_dim": 12, "intermediate_size": 18, "intermediate_size_mlp": 44,
        "interleave_moe_layer_step": 2, "no_rope_layer_interval": 4, "attention_chunk_size": 6, "attn_scale": 0.4,
        "floor_scale": 3, "rope_scaling": LLAMA3 | {"rope_type": "llama3"}}),
    "llama4_text-untuned": ("llama4_text", LOCAL | {
        "num_experts_per_tok": 1, "head_dim": 12, "intermediate_size": 18, "intermediate_size_mlp": 44,
        "no_rope_layer_interval": 2, "attention_chunk_size": 5, "use_qk_norm": False,
        "attn_temperature_tuning": False}),
    "mixtral": ("mixtral", LOCAL | {"sliding_window": 6, "rope_theta": 1000.0}),
    "qwen2_moe": ("qwen2_moe", MIXTURE | {"shared_expert_intermediate_size": 40, "decoder_sparse_step": 2}),
    "qwen2_moe-normalized": ("qwen2_moe", MIXTURE | {
        "shared_expert_intermediate_size": 20, "norm_topk_prob": True, "mlp_only_layers": [0]}),
    "qwen3_moe": ("qwen3_moe", MIXTURE | {"head_dim": 12, "norm_topk_prob": True}),
    "qwen3_moe-raw": ("qwen3_moe", MIXTURE | {"head_dim": 12, "norm_topk_prob": False}),
    "granitemoe": ("granitemoe", LOCAL | {
        "attention_multiplier": 0.2, "embedding_multiplier": 3.0, "logits_scaling": 4.0, "residual_multiplier": 0.4,
        "tie_word_embeddings": True}),
    "deepseek_v2": ("deepseek_v2", DEEPSEEK | {
        "q_lora_rank": 28, "topk_method": "group_limited_greedy", "n_group": 4, "topk_group": 2,
        "routed_scaling_factor": 3.0}),
    "deepseek_v2-lite": ("deepseek_v2", DEEPSEEK | STRETCHED | {
        "q_lora_rank": None, "topk_method": "greedy",
        "rope_scaling": YARN | {"type": "yarn", "mscale": 0.707, "mscale_all_dim": 0.9}}),
    "deepseek_v3": ("deepseek_v3", DEEPSEEK | STRETCHED | {
        "q_lora_rank": 28, "n_group": 4, "topk_group": 2, "routed_scaling_factor": 1.7, "norm_topk_prob": True,
        "topk_method": "noaux_tc", "scoring_func": "sigmoid",
        "rope_scaling": YARN | {"type": "yarn", "mscale": 1.0, "mscale_all_dim": 1.0}}),
    "deepseek_v3-raw": ("deepseek_v3", DEEPSEEK | {
        "q_lora_rank": None, "n_group": 2, "topk_group": 1, "norm_topk_prob": False, "rope_interleave": False,
        "attention_bias": True}),
    "kimi_k2": ("kimi_k2", DEEPSEEK | STRETCHED | {
        "q_lora_rank": 28, "n_group": 1, "topk_group": 1, "routed_scaling_factor": 2.8, "n_shared_experts": 1,
        "rope_scaling": YARN | {"type": "yarn", "mscale": 1.0, "mscale_all_dim": 1.0}}),
    "sarvam_mla": ("sarvam_mla", DEEPSEEK | {
        "q_lora_rank": None, "n_group": 1, "topk_group": 1, "n_shared_experts": 1}),
    "gpt_oss": ("gpt_oss", LOCAL | STRETCHED | {
        "head_dim": 12, "sliding_window": 6, "swiglu_limit": 1.5,
        "rope_scaling": YARN | {"rope_type": "yarn", "truncate": False}}),
    "gpt_oss-sparse": ("gpt_oss", LOCAL | {"head_dim": 12, "sliding_window": 6}),
    "bert": ("bert", BERT),
    "bert-untied": ("bert", BERT | {"tie_word_embeddings": False, "hidden_act": "relu"}),
    "bert-pooler": ("bert", BERT | {"architectures": ["BertModel"], "type_vocab_size": 1}),
    "ernie": ("ernie", BERT | {"architectures": ["ErnieForMaskedLM"]}),
    "megatron-bert": ("megatron-bert", BERT | {"architectures": ["MegatronBertForMaskedLM"]}),
    "electra": ("electra", BERT | {
        "architectures": ["ElectraForMaskedLM"], "embedding_size": 20, "hidden_act": "relu"}),
    "distilbert": ("distilbert", {
        "dim": 32, "n_layers": 3, "n_heads": 4, "architectures": ["DistilBertForMaskedLM"],
        "hidden_dim": 44, "vocab_size": 40, "max_position_embeddings": 64}),
    "mpnet": ("mpnet", BERT | {"architectures": ["MPNetForMaskedLM"]}),
    "roberta": ("roberta", BERT | {"architectures": ["RobertaForMaskedLM"], "hidden_act": "relu"}),
    "roberta-pooler": ("roberta", BERT | {"architectures": ["RobertaModel"], "pad_token_id": 4}),
    "xlm-roberta": ("xlm-roberta", BERT | {"architectures": ["XLMRobertaForMaskedLM"]}),
    "camembert": ("camembert", BERT | {"architectures": ["CamembertForMaskedLM"]}),
    "data2vec-text": ("data2vec-text", BERT | {"architectures": ["Data2VecTextForMaskedLM"]}),
    "roberta-prelayernorm": ("roberta-prelayernorm", BERT | {"architectures": ["RobertaPreLayerNormForMaskedLM"]}),
    "xlm-roberta-xl": ("xlm-roberta-xl", BERT | {"architectures": ["XLMRobertaXLForMaskedLM"]}),
    "eurobert": ("eurobert", PADDED | {"architectures": ["EuroBertForMaskedLM"], "attention_bias": True}),
    "nomic_bert": ("nomic_bert", BERT | {"architectures": ["NomicBertForMaskedLM"], "rope_theta": 300.0}),
    "jina_embeddings_v3": ("jina_embeddings_v3", BERT | {"architectures": ["JinaEmbeddingsV3ForMaskedLM"]}),
    "openai-gpt": ("openai-gpt", GPT),
    "gpt_neo": ("gpt_neo", {
        "hidden_size": 32, "num_layers": 3, "num_heads": 4, "vocab_size": 40, "max_position_embeddings": 64,
        "attention_types": [[["global", "local"], 1], [["local"], 1]], "window_size": 6, "layer_norm_epsilon": 0.01,
        "pad_token_id": None}),
    "biogpt": ("biogpt", {
        key: value for key, value in BERT.items() if key not in ("architectures", "type_vocab_size")}),
    "persimmon": ("persimmon", LAYER_NORM | {"qk_layernorm": True, "rope_theta": 300.0}),
    "glm4_moe_lite": ("glm4_moe_lite", {
        key: value for key, value in DEEPSEEK.items() if key != "first_k_dense_replace"} | {
            "q_lora_rank": 28, "n_group": 2, "topk_group": 1}),
    "minicpm3": ("minicpm3", {key: value for key, value in DEEPSEEK.items() if "expert" not in key} | {
        "q_lora_rank": 28, "scale_emb": 3, "scale_depth": 0.7, "dim_model_base": 16}),
    "youtu": ("youtu", {key: value for key, value in DEEPSEEK.items() if "expert" not in key} | {"q_lora_rank": 28}),
    "t5": ("t5", T5),
    "t5-gated": ("t5", T5 | {
        "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "relative_attention_num_buckets": 9,
        "relative_attention_max_distance": 12, "num_decoder_layers": 2, "layer_norm_epsilon": 0.01}),
    "t5-encoder": ("t5", T5 | {"architectures": ["T5EncoderModel"], "feed_forward_proj": "gated-gelu"}),
    "umt5-encoder": ("umt5", T5 | {"architectures": ["UMT5EncoderModel"], "is_encoder_decoder": False}),
    "mt5": ("mt5", T5 | {"feed_forward_proj": "gated-silu", "num_layers": 2, "num_decoder_layers": 3}),
    "umt5": ("umt5", T5 | {"num_layers": 2, "num_decoder_layers": 3}),
    "bart": ("bart", BART | {"scale_embedding": True}),
    "bart-untied": ("bart", BART | {"tie_word_embeddings": False, "activation_function": "relu"}),
    "mbart": ("mbart", BART),
    "plbart": ("plbart", BART),
    "mvp": ("mvp", BART),
    "blenderbot": ("blenderbot", BART | {"encoder_ffn_dim": 36}),
    "blenderbot-small": ("blenderbot-small", BART),
    "pegasus": ("pegasus", BART),
    "marian": ("marian", BART | {"scale_embedding": True, "activation_function": "silu"}),
    "marian-apart": ("marian", BART | {"share_encoder_decoder_embeddings": False}),
    "m2m_100": ("m2m_100", BART),
    "modernbert": ("modernbert", {
        "hidden_size": 32, "num_hidden_layers": 5, "num_attention_heads": 4, "intermediate_size": 44, "vocab_size": 40,
        "max_position_embeddings": 64, "local_attention": 7, "norm_eps": 0.01, "pad_token_id": 0,
        "architectures": ["ModernBertForMaskedLM"], "global_rope_theta": 300.0, "local_rope_theta": 30.0}),
    "modernbert-biases": ("modernbert", {
        "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 44, "vocab_size": 40,
        "max_position_embeddings": 64, "local_attention": 6, "norm_bias": True, "attention_bias": True,
        "mlp_bias": True, "classifier_bias": True, "decoder_bias": False, "tie_word_embeddings": False,
        "pad_token_id": 0, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
        "classifier_activation": "relu", "architectures": ["ModernBertForMaskedLM"]}),
    "albert": ("albert", BERT | {"architectures": ["AlbertForMaskedLM"], "embedding_size": 20}),
    "albert-wide": ("albert", BERT | {
        "architectures": ["AlbertForMaskedLM"], "embedding_size": 32, "hidden_act": "relu",
        "tie_word_embeddings": False}),
    "albert-pooler": ("albert", BERT | {"architectures": ["AlbertModel"], "embedding_size": 20}),
    "roformer": ("roformer", BERT | {"architectures": ["RoFormerForMaskedLM"], "embedding_size": 20}),
    "esm": ("esm", BERT | {
        "architectures": ["EsmForMaskedLM"], "pad_token_id": 1, "mask_token_id": 39, "token_dropout": True,
        "position_embedding_type": "rotary"}),
    "esm-learned": ("esm", BERT | {
        "architectures": ["EsmForMaskedLM"], "pad_token_id": 1, "mask_token_id": 39, "emb_layer_norm_before": True,
        "tie_word_embeddings": False}),
    "roformer-values": ("roformer", BERT | {
        "architectures": ["RoFormerForMaskedLM"], "rotary_value": True, "tie_word_embeddings": False}),
    "rembert": ("rembert", BERT | {
        "architectures": ["RemBertForMaskedLM"], "input_embedding_size": 20, "output_embedding_size": 28}),
    "big_bird": ("big_bird", BERT | {
        "architectures": ["BigBirdForMaskedLM"], "use_bias": False, "rescale_embeddings": True}),
    "longformer": ("longformer", BERT | {
        "architectures": ["LongformerForMaskedLM"], "attention_window": 6, "hidden_act": "relu"}),
    "ibert": ("ibert", BERT | {"architectures": ["IBertForMaskedLM"]}),
    "luke": ("luke", BERT | {
        "architectures": ["LukeForMaskedLM"], "entity_vocab_size": 9, "entity_emb_size": 12}),
    "deberta": ("deberta", BERT | {
        "architectures": ["DebertaForMaskedLM"], "relative_attention": True, "pos_att_type": "c2p|p2c",
        "position_biased_input": False, "max_relative_positions": 7}),
    "deberta-one-way": ("deberta", BERT | {
        "architectures": ["DebertaForMaskedLM"], "relative_attention": True, "pos_att_type": ["c2p"]}),
    "deberta-v2": ("deberta-v2", BERT | {"architectures": ["DebertaV2ForMaskedLM"]}),
    "deberta-v2-ranges": ("deberta-v2", BERT | {
        "architectures": ["DebertaV2ForMaskedLM"], "relative_attention": True, "pos_att_type": ["p2c", "c2p"],
        "position_biased_input": False, "position_buckets": 8, "max_relative_positions": 24, "conv_kernel_size": 3}),
    "deberta-v2-shared": ("deberta-v2", BERT | {
        "architectures": ["DebertaV2ForMaskedLM"], "relative_attention": True, "pos_att_type": "p2c|c2p",
        "position_biased_input": False, "position_buckets": 10, "norm_rel_ebd": "layer_norm", "share_att_key": True,
        "conv_kernel_size": 5, "conv_act": "gelu"}),
    "deberta-v2-one-way": ("deberta-v2", BERT | {
        "architectures": ["DebertaV2ForMaskedLM"], "relative_attention": True, "pos_att_type": ["p2c"],
        "max_relative_positions": 9}),
    "gte": ("gte", BERT | {"architectures": ["GteForMaskedLM"]}),
    "esmc": ("esmc", PADDED | {
        "architectures": ["EsmcForMaskedLM"], "num_key_value_heads": 4, "head_dim": 8, "num_hidden_layers": 4}),
    "xlm": ("xlm", {
        "architectures": ["XLMWithLMHeadModel"], "emb_dim": 32, "n_layers": 3, "n_heads": 4, "vocab_size": 40,
        "max_position_embeddings": 64, "layer_norm_eps": 0.01, "n_langs": 3}),
    "flaubert": ("flaubert", {
        "architectures": ["FlaubertWithLMHeadModel"], "emb_dim": 32, "n_layers": 3, "n_heads": 4, "vocab_size": 40,
        "max_position_embeddings": 64, "layer_norm_eps": 0.01, "gelu_activation": False}),
    "longt5": ("longt5", T5 | {"local_radius": 3, "feed_forward_proj": "gated-gelu", "num_decoder_layers": 2}),
    "led": ("led", {key: value for key, value in BART.items() if key != "max_position_embeddings"} | {
        "max_encoder_position_embeddings": 60, "max_decoder_position_embeddings": 40, "attention_window": 6}),
    "bigbird_pegasus": ("bigbird_pegasus", BART),
    "fsmt": ("fsmt", {key: value for key, value in BART.items() if key != "vocab_size"} | {
        "src_vocab_size": 40, "tgt_vocab_size": 44, "use_cache": False}),  # with a cache it hides no later token
    **{kind: (kind, {key: value for key, value in BART.items() if key != "d_model"} | {
        "architectures": [f"{name}ForTextToText"], "hidden_size": 32, "pad_token_id": 0})
       for kind, name in (("seamless_m4t", "SeamlessM4T"), ("seamless_m4t_v2", "SeamlessM4Tv2"))},
    "t5gemma": ("t5gemma", {
        "vocab_size": 40,
        **{stack: LLAMA | {
            "num_hidden_layers": layers, "head_dim": 12, "sliding_window": 4, "query_pre_attn_scalar": 7,
            "attn_logit_softcapping": 3.0, "final_logit_softcapping": 5.0, "layer_types": [
                ["sliding_attention", "full_attention"][layer % 2] for layer in range(layers)]}
           for stack, layers in (("encoder", 3), ("decoder", 2))}}),
    "xglm": ("xglm", {
        "d_model": 32, "num_layers": 3, "attention_heads": 4, "ffn_dim": 44, "vocab_size": 40,
        "max_position_embeddings": 64}),
    "mamba2": ("mamba2", MAMBA),
    "mamba2-one-group": ("mamba2", MAMBA | {
        "n_groups": 1, "conv_kernel": 4, "use_conv_bias": False, "use_bias": True, "tie_word_embeddings": True}),
    "mamba2-limited": ("mamba2", MAMBA | {
        "n_groups": 8, "expand": 3, "num_heads": 8, "head_dim": 12, "time_step_limit": [0.3, 1.2],
        "hidden_act": "gelu"}),
    "qwen3_next": ("qwen3_next", NEXT),
    "qwen3_next-dense": ("qwen3_next", NEXT | {
        "layer_types": ["full_attention", "linear_attention", "linear_attention", "full_attention"],
        "mlp_only_layers": [0, 2], "linear_num_key_heads": 3, "linear_num_value_heads": 3, "norm_topk_prob": False,
        "partial_rotary_factor": 0.5, "attention_bias": True, "rope_theta": 300.0}),
    "qwen3_5_text": ("qwen3_5_text", NEXT | {"attention_bias": True}),
    "qwen3_5_moe_text": ("qwen3_5_moe_text", NEXT | {"rope_theta": 300.0}),
    "arcee": ("arcee", LLAMA | {"attention_bias": True, "mlp_bias": True}),
    "jais2": ("jais2", LAYER_NORM | {"head_dim": 12}),
    "nanochat": ("nanochat", LLAMA | {"rope_theta": 300.0, "final_logit_softcapping": 5.0}),
    "vaultgemma": ("vaultgemma", LLAMA | {
        "head_dim": 12, "sliding_window": 6, "query_pre_attn_scalar": 5, "attn_logit_softcapping": 3.0,
        "final_logit_softcapping": 8.0}),
    "seed_oss": ("seed_oss", LLAMA | {"head_dim": 12, "attention_out_bias": True}),
    "helium": ("helium", PADDED | {"head_dim": 8, "attention_bias": True}),
    "internlm3": ("internlm3", PADDED | {"head_dim": 12, "qkv_bias": True, "bias": True}),
    "iquestcoder": ("iquestcoder", LLAMA | {"head_dim": 12, "rope_theta": 300.0}),
    "ministral3": ("ministral3", PADDED | {
        "head_dim": 12, "rope_parameters": YARN | {
            "rope_type": "yarn", "rope_theta": 100.0, "original_max_position_embeddings": 4, "beta_fast": 0.2,
            "beta_slow": 0.05,
            "llama_4_scaling_beta": 0.3, "mscale": 1.0, "mscale_all_dim": 1.0}}),
    "cwm": ("cwm", LLAMA | {"num_hidden_layers": 5, "head_dim": 12, "sliding_window": 6}),
    "hyperclovax": ("hyperclovax", LLAMA | {
        "attention_multiplier": 0.2, "embedding_multiplier": 3.0, "logits_scaling": 0.7, "residual_multiplier": 0.4}),
    "hyperclovax-plain": ("hyperclovax", LLAMA | {"use_post_norm": False}),
    "granite_swa": ("granite_swa", LLAMA | windows(False, True, True) | {
        "sliding_window": 6, "layer_rope_theta": [400.0, 30.0, 0.0], "attention_multiplier": 0.2}),
    "granitemoe_swa": ("granitemoe_swa", LOCAL | {
        "shared_intermediate_size": 25, "sliding_window": 6, "embedding_multiplier": 3.0, "logits_scaling": 4.0,
        "attention_multiplier": 0.2, "residual_multiplier": 0.4}),
    "granitemoeshared": ("granitemoeshared", LOCAL | {
        "shared_intermediate_size": 88, "attention_multiplier": 0.2, "residual_multiplier": 0.4}),
    "olmoe": ("olmoe", PADDED | {"num_experts": 8, "num_experts_per_tok": 3}),
    "flex_olmo": ("flex_olmo", PADDED | {"num_experts": 8, "num_experts_per_tok": 3, "norm_topk_prob": True}),
    "mellum": ("mellum", LLAMA | windows(True, False, True) | {
        "head_dim": 12, "sliding_window": 6, "num_local_experts": 6, "num_experts_per_tok": 2,
        "moe_intermediate_size": 20, "mlp_layer_types": ["dense", "sparse", "sparse"], "rope_parameters": {
            "full_attention": {"rope_type": "default", "rope_theta": 900.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 30.0}}}),
    "glm4_moe": ("glm4_moe", BALANCED | {"head_dim": 12, "use_qk_norm": True, "attention_bias": True}),
    "solar_open": ("solar_open", {
        key: value for key, value in BALANCED.items() if key != "first_k_dense_replace"} | {"head_dim": 12}),
    "dots1": ("dots1", BALANCED | {"sliding_window": 6, "max_window_layers": 1}),
    "exaone_moe": ("exaone_moe", PADDED | {
        "num_hidden_layers": 4, "head_dim": 12, "sliding_window": 6, "sliding_window_pattern": 2, "num_experts": 8,
        "num_experts_per_tok": 3, "moe_intermediate_size": 20, "num_shared_experts": 2, "n_group": 4, "topk_group": 2}),
    "hunyuan_v1_dense": ("hunyuan_v1_dense", PADDED | {"head_dim": 12, "rope_theta": 300.0}),
    "hunyuan_v1_dense-alpha": ("hunyuan_v1_dense", PADDED | {
        "head_dim": 12, "rope_scaling": {"rope_type": "dynamic", "alpha": 50.0, "factor": 1.0}}),
    "hunyuan_v1_moe": ("hunyuan_v1_moe", PADDED | {"head_dim": 12, "num_experts": 6, "moe_topk": 2}),
    "hy_v3": ("hy_v3", MIXTURE | {"head_dim": 12, "num_shared_experts": 2}),
    "afmoe": ("afmoe", MIXTURE | {
        "num_hidden_layers": 4, "head_dim": 12, "num_shared_experts": 2, "sliding_window": 6, "route_scale": 1.7,
        "global_attn_every_n_layers": 2, "mup_enabled": True}),
    "minimax_m2": ("minimax_m2", LOCAL | {"head_dim": 12, "rope_parameters": {
        "rope_type": "default", "rope_theta": 300.0, "partial_rotary_factor": 0.5}}),
    "ernie4_5_moe": ("ernie4_5_moe", LLAMA | {
        "num_hidden_layers": 4, "use_bias": True, "moe_num_experts": 6, "moe_k": 2, "moe_intermediate_size": 20,
        "moe_num_shared_experts": 2, "moe_layer_interval": 2}),
    "apertus": ("apertus", PADDED | STRETCHED | {"head_dim": 16, "rope_scaling": LLAMA3 | {"rope_type": "llama3"}}),
    "apertus1p5_text": ("apertus1p5_text", PADDED | STRETCHED | {
        "attention_bias": True, "rope_scaling": LLAMA3 | {"rope_type": "llama3"}}),
    "bitnet": ("bitnet", LLAMA | {"attention_bias": True}),
    "aria_text": ("aria_text", PADDED | {
        "moe_num_experts": 6, "moe_topk": 2, "moe_num_shared_experts": 3, "mlp_bias": True}),
    "flint": ("flint", MIXTURE | {
        "num_hidden_layers": 5, "head_dim": 12, "sliding_window": 6, "shared_expert_intermediate_size": 30}),
    "kolibri1": ("kolibri1", {key: value for key, value in MIXTURE.items() if key != "intermediate_size"} | {
        "num_hidden_layers": 4, "head_dim": 12, "sliding_window": 6, "shared_expert_intermediate_size": 40,
        **windows(True, True, False, True)}),
    "cohere2_moe": ("cohere2_moe", LAYER_NORM | {
        "num_hidden_layers": 5, "head_dim": 12, "sliding_window": 6, "num_experts": 6, "num_experts_per_tok": 2,
        "num_shared_experts": 2, "first_k_dense_replace": 1, "logit_scale": 0.3, "expert_selection_fn": "sigmoid"}),
    "cohere2_moe-sum": ("cohere2_moe", PADDED | {
        "num_hidden_layers": 4, "head_dim": 12, "sliding_window": 6, "num_experts": 6, "num_experts_per_tok": 2,
        "num_shared_experts": 1, "shared_expert_combination_strategy": "sum"}),
    "mistral4": ("mistral4", DEEPSEEK | {
        "architectures": ["Mistral4ForCausalLM"], "q_lora_rank": 28, "pad_token_id": 0, "n_group": 4, "topk_group": 2,
        "routed_scaling_factor": 1.7, "max_position_embeddings": 512, "rope_parameters": YARN | {
            "rope_type": "yarn", "rope_theta": 100.0, "original_max_position_embeddings": 4, "beta_fast": 0.2,
            "beta_slow": 0.05, "mscale": 1.0, "mscale_all_dim": 0.9, "llama_4_scaling_beta": 0.3}}),
    "axk1": ("axk1", {key: value for key, value in DEEPSEEK.items() if key != "first_k_dense_replace"} | {
        "q_lora_rank": 28, "n_group": 4, "topk_group": 2}),
    "codegen": ("codegen", GPT | {"rotary_dim": 6}),
    "glm4v_text": ("glm4v_text", LLAMA | {"rope_parameters": {
        "rope_type": "default", "rope_theta": 300.0, "partial_rotary_factor": 0.5, "mrope_section": [1, 0, 1]}}),
    "glm_ocr_text": ("glm_ocr_text", LLAMA | {"head_dim": 12, "rope_parameters": {
        "rope_type": "default", "rope_theta": 300.0, "mrope_section": [2, 2, 2]}}),
    "glm4v_moe_text": ("glm4v_moe_text", {
        key: value for key, value in BALANCED.items() if key != "pad_token_id"} | {
            "head_dim": 12, "rope_parameters": {"rope_type": "default", "rope_theta": 300.0,
                                                "partial_rotary_factor": 0.34, "mrope_section": [1, 1, 0]}}),
    "hunyuan_vl_text": ("hunyuan_vl_text", PADDED | {"head_dim": 12, "rope_parameters": {
        "rope_type": "dynamic", "rope_theta": 300.0, "alpha": 50.0, "factor": 1.0, "mrope_section": [2, 2, 1, 1]}}),
    "qwen2_5_omni_text": ("qwen2_5_omni_text", LLAMA | {
        "use_sliding_window": True, "sliding_window": 6, "max_window_layers": 1, "rope_parameters": {
            "rope_type": "default", "rope_theta": 300.0, "mrope_section": [2, 1, 1]}}),
    "qwen3_vl_moe_text": ("qwen3_vl_moe_text", MIXTURE | {"head_dim": 12, "mlp_only_layers": [1], "rope_parameters": {
        "rope_type": "default", "rope_theta": 300.0, "mrope_section": [2, 2, 2]}}),
    "qwen3_omni_moe_text": ("qwen3_omni_moe_text", MIXTURE | {"head_dim": 12, "rope_parameters": {
        "rope_type": "default", "rope_theta": 300.0, "mrope_section": [2, 2, 2]}}),
    "paddleocr_vl_text": ("paddleocr_vl_text", LLAMA | {"head_dim": 12, "use_bias": True, "rope_parameters": {
        "rope_type": "default", "rope_theta": 300.0, "mrope_section": [2, 2, 2]}}),
    "emu3_text_model": ("emu3_text_model", PADDED | {"rope_theta": 300.0}),
    "phi4_multimodal": ("phi4_multimodal", PADDED | {
        "vision_config": {"hidden_size": 32, "intermediate_size": 20, "num_hidden_layers": 2, "num_attention_heads": 2},
        "audio_config": {"hidden_size": 32, "intermediate_size": 20, "num_blocks": 1, "num_attention_heads": 2,
                         "ext_pw_out_channel": 32, "nemo_conv_channels": 8}}),
    "deepseek_v32": ("deepseek_v32", DEEPSEEK | STRETCHED | {
        "q_lora_rank": 28, "n_group": 4, "topk_group": 2, "max_position_embeddings": 64, "index_n_heads": 3,
        "index_head_dim": 8, "index_topk": 64, "rope_parameters": YARN | {
            "rope_type": "yarn", "rope_theta": 100.0, "mscale": 1.0, "mscale_all_dim": 0.9}}),
    "glm_moe_dsa": ("glm_moe_dsa", DEEPSEEK | {
        "q_lora_rank": 28, "index_n_heads": 3, "index_head_dim": 8, "index_topk": 64,
        "indexer_types": ["full", "full", "shared"]}),
    "deepseek_v32-chosen": ("deepseek_v32", DEEPSEEK | STRETCHED | {
        "q_lora_rank": 28, "n_group": 4, "topk_group": 2, "max_position_embeddings": 64, "index_n_heads": 8,
        "index_head_dim": 10, "index_topk": 5, "rope_parameters": YARN | {
            "rope_type": "yarn", "rope_theta": 100.0, "mscale": 1.0, "mscale_all_dim": 0.9}}),
    "glm_moe_dsa-chosen": ("glm_moe_dsa", DEEPSEEK | {
        "q_lora_rank": 28, "index_n_heads": 8, "index_head_dim": 10, "index_topk": 6, "num_hidden_layers": 4,
        "indexer_types": ["full", "shared", "full", "shared"]}),
    "granitemoehybrid": ("granitemoehybrid", HYBRID | {
        "shared_intermediate_size": 24, "num_local_experts": 6, "num_experts_per_tok": 2, "attention_multiplier": 0.2,
        "embedding_multiplier": 3.0, "logits_scaling": 4.0, "residual_multiplier": 0.4,
        "layer_types": ["linear_attention", "full_attention", "linear_attention", "linear_attention"]}),
    "granitemoehybrid-dense": ("granitemoehybrid", HYBRID | {
        "shared_intermediate_size": 44, "num_local_experts": 0, "position_embedding_type": "rope",
        "mamba_conv_bias": False, "mamba_proj_bias": True, "time_step_limit": [0.3, 1.2],
        "layer_types": ["full_attention", "linear_attention", "linear_attention", "full_attention"]}),
    "zamba2": ("zamba2", ZAMBA2 | {"num_mem_blocks": 2}),
    "zamba2-adapters": ("zamba2", ZAMBA2 | {
        "layers_block_type": ["hybrid", "linear_attention", "hybrid", "hybrid"],
        "num_key_value_heads": 4, "use_shared_attention_adapter": True, "use_mem_rope": True, "num_mem_blocks": 2,
        "adapter_rank": 4,
        "rope_parameters": {"rope_type": "default", "rope_theta": 100.0}, "add_bias_linear": True,
        "hidden_act": "silu"}),
    "zamba2-untied": ("zamba2", ZAMBA2 | {
        "num_hidden_layers": 3, "layers_block_type": ["linear_attention", "hybrid", "hybrid"], "num_mem_blocks": 2,
        "tie_word_embeddings": False}),
    "bamba": ("bamba", PADDED | HYBRID | {"attn_layer_indices": [1, 2], "mamba_n_groups": 1}),
    "nemotron_h": ("nemotron_h", NEMOTRON_H | {"hybrid_override_pattern": "M-*M-", "time_step_min": 0.4}),
    "nemotron_h-experts": ("nemotron_h", NEMOTRON_H | {
        "hybrid_override_pattern": "ME*EM", "time_step_min": 0.4, "mamba_hidden_act": "gelu", "use_bias": True, "n_routed_experts": 8,
        "num_experts_per_tok": 3, "moe_intermediate_size": 20, "moe_shared_expert_intermediate_size": 28, "n_group": 4,
        "topk_group": 2, "routed_scaling_factor": 1.7}),
    "falcon_h1": ("falcon_h1", PADDED | HYBRID | {
        "mamba_d_ssm": 64, "mamba_norm_before_gate": False, "attention_in_multiplier": 1.4,
        "attention_out_multiplier": 0.8, "key_multiplier": 0.6, "lm_head_multiplier": 0.3, "embedding_multiplier": 2.5,
        "mlp_multipliers": [0.7, 1.6], "ssm_in_multiplier": 1.3, "ssm_out_multiplier": 0.6,
        "ssm_multipliers": [0.5, 1.2, 0.8, 1.5, 0.7]}),
    "falcon_h1-normed": ("falcon_h1", PADDED | HYBRID | {
        "mamba_d_ssm": 64, "mamba_rms_norm": True, "projectors_bias": True, "attention_bias": True, "mlp_bias": True}),
    "falcon_h1-gated_first": ("falcon_h1", PADDED | HYBRID | {
        "mamba_d_ssm": 64, "mamba_rms_norm": True, "mamba_norm_before_gate": False, "mamba_proj_bias": True,
        "mlp_multipliers": [0.7, 1.6], "mlp_bias": True}),
    "lfm2": ("lfm2", LFM2 | {"full_attn_idxs": [1, 3]}),
    "lfm2-biases": ("lfm2", LFM2 | {
        "conv_bias": True, "conv_L_cache": 4, "rope_theta": 300.0, "tie_word_embeddings": False,
        "layer_types": ["conv", "full_attention", "conv", "conv"]}),
    "lfm2_moe": ("lfm2_moe", LFM2 | {
        "moe_intermediate_size": 20, "num_experts": 8, "num_experts_per_tok": 3, "num_dense_layers": 1,
        "routed_scaling_factor": 1.7, "layer_types": ["conv", "full_attention", "conv", "conv"]}),
    "mamba": ("mamba", MAMBA1),
    "mamba-biases": ("mamba", MAMBA1 | {
        "use_bias": True, "use_conv_bias": False, "tie_word_embeddings": False, "hidden_act": "gelu",
        "time_step_rank": 7}),
    "falcon_mamba": ("falcon_mamba", MAMBA1 | {"mixer_rms_eps": 0.1, "tie_word_embeddings": False}),
    "jamba": ("jamba", PADDED | {
        "num_hidden_layers": 4, "attn_layer_period": 3, "attn_layer_offset": 1, "num_experts": 6,
        "num_experts_per_tok": 2, "mamba_d_state": 5, "mamba_d_conv": 3, "mamba_dt_rank": 7}),
    "jamba-biases": ("jamba", PADDED | {
        "num_hidden_layers": 3, "attn_layer_period": 3, "attn_layer_offset": 2, "num_experts": 1, "mamba_d_state": 6,
        "mamba_proj_bias": True, "mamba_conv_bias": False}),
    "exaone": ("exaone", LLAMA | {"rope_theta": 300.0, "layer_norm_epsilon": 0.01}),
    "bart-decoder": ("bart", {
        "architectures": ["BartForCausalLM"], "d_model": 32, "decoder_layers": 3, "decoder_attention_heads": 4,
        "decoder_ffn_dim": 44, "encoder_layers": 3, "vocab_size": 40, "max_position_embeddings": 64,
        "is_encoder_decoder": False, "is_decoder": True}),
    "marian-decoder": ("marian", {
        "architectures": ["MarianForCausalLM"], "d_model": 32, "decoder_layers": 3, "decoder_attention_heads": 4,
        "decoder_ffn_dim": 44, "encoder_layers": 3, "vocab_size": 40, "decoder_vocab_size": 40, "pad_token_id": 0,
        "max_position_embeddings": 64, "is_encoder_decoder": False, "is_decoder": True, "scale_embedding": True}),
    "trocr": ("trocr", {
        "d_model": 32, "decoder_layers": 3, "decoder_attention_heads": 4, "decoder_ffn_dim": 44, "vocab_size": 40,
        "max_position_embeddings": 64, "scale_embedding": True}),
    "bert-generation": ("bert-generation", {
        "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 44,
        "vocab_size": 40, "max_position_embeddings": 64, "layer_norm_eps": 0.01, "is_decoder": True}),
    "modernbert-decoder": ("modernbert-decoder", {
        "hidden_size": 32, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 44, "vocab_size": 40,
        "max_position_embeddings": 64, "norm_eps": 0.01, "local_attention": 12, "pad_token_id": 0, "bos_token_id": 1,
        "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2}),
    "olmo_hybrid": ("olmo_hybrid", PADDED | {
        "num_hidden_layers": 4, "linear_key_head_dim": 10, "linear_value_head_dim": 14, "linear_num_key_heads": 2,
        "linear_num_value_heads": 6, "linear_conv_kernel_dim": 3}),
    "olmo_hybrid-turned": ("olmo_hybrid", PADDED | {
        "num_hidden_layers": 4, "linear_key_head_dim": 10, "linear_value_head_dim": 14, "linear_num_key_heads": 2,
        "linear_num_value_heads": 6, "linear_allow_neg_eigval": False, "attention_bias": True,
        "rope_parameters": {"rope_type": "default", "rope_theta": 300.0}}),
    "switch_transformers": ("switch_transformers", T5 | {
        "num_layers": 4, "num_decoder_layers": 3, "num_experts": 6, "num_sparse_encoder_layers": 2,
        "num_sparse_decoder_layers": 1, "router_bias": True, "expert_capacity": 512}),
    "nllb-moe": ("nllb-moe", BART | {
        "encoder_layers": 4, "decoder_layers": 2, "num_experts": 6, "encoder_sparse_step": 2, "decoder_sparse_step": 2,
        "moe_token_dropout": 0.3, "scale_embedding": True}),
    "phimoe": ("phimoe", LOCAL | {
        "head_dim": 8, "router_jitter_noise": 0.4, "attention_bias": True, "lm_head_bias": True, "sliding_window": 6}),
    "phimoe-longrope": ("phimoe", LOCAL | {
        "original_max_position_embeddings": 32, "sliding_window": None, "rope_scaling": {
            "type": "longrope", "short_factor": [1.3, 1.5, 2.0, 5.0], "long_factor": [1.1, 3.0, 7.0, 9.0],
            "short_mscale": 1.3, "long_mscale": 1.3, "original_max_position_embeddings": 32}}),
    "minimax": ("minimax", LOCAL | {
        "num_hidden_layers": 4, "head_dim": 12, "block_size": 8, "full_attn_alpha_factor": 1.4,
        "full_attn_beta_factor": 0.8, "linear_attn_alpha_factor": 1.2, "linear_attn_beta_factor": 0.7,
        "mlp_alpha_factor": 1.3, "mlp_beta_factor": 0.6,
        "layer_types": ["linear_attention", "linear_attention", "full_attention", "linear_attention"]}),
    "kimi_linear": ("kimi_linear", {
        key: value for key, value in DEEPSEEK.items() if key != "first_k_dense_replace"} | {
            "num_hidden_layers": 4, "pad_token_id": 0, "linear_head_dim": 10,
            "linear_num_heads": 6, "linear_conv_kernel_dim": 3, "num_experts": 8, "num_experts_per_token": 3,
            "num_shared_experts": 2, "num_expert_group": 4, "topk_group": 2, "routed_scaling_factor": 1.7,
            "layer_types": ["linear_attention", "linear_attention", "full_attention", "linear_attention"],
            "mlp_layer_types": ["dense", "sparse", "sparse", "sparse"]}),
    "recurrent_gemma": ("recurrent_gemma", LLAMA | {
        "intermediate_size": 88, "attention_window_size": 6, "lru_width": 40, "conv1d_width": 3}),
    "recurrent_gemma-biases": ("recurrent_gemma", PADDED | {
        "intermediate_size": 88, "attention_window_size": 6, "attention_bias": True, "logits_soft_cap": 2.0,
        "block_types": ["recurrent", "attention"], "tie_word_embeddings": False}),
    "diffllama": ("diffllama", LLAMA | {"num_attention_heads": 8, "num_key_value_heads": 4}),
    "diffllama-biases": ("diffllama", LLAMA | {"attention_bias": True, "head_dim": 12, "rope_theta": 300.0}),
    "rwkv": ("rwkv", {
        "hidden_size": 32, "num_hidden_layers": 3, "vocab_size": 40, "context_length": 64, "layer_norm_epsilon": 0.01}),
    "rwkv-wider": ("rwkv", {  # whose states transformers has no room for
        "hidden_size": 32, "num_hidden_layers": 3, "vocab_size": 40, "context_length": 64, "attention_hidden_size": 40,
        "intermediate_size": 44, "tie_word_embeddings": True, "use_cache": False}),
    "rwkv6": ("rwkv6", {
        "hidden_size": 32, "num_hidden_layers": 3, "vocab_size": 40, "context_length": 64, "head_size": 8,
        "head_size_divisor": 4, "intermediate_size": 44, "layer_norm_epsilon": 0.01}),
    "rwkv7": ("rwkv7", {
        "hidden_size": 32, "num_hidden_layers": 3, "vocab_size": 40, "max_position_embeddings": 64, "head_dim": 8,
        "decay_low_rank_dim": 6, "a_low_rank_dim": 5, "v_low_rank_dim": 3, "gate_low_rank_dim": 7,
        "intermediate_size": 44, "norm_eps": 0.01}),
    "rwkv7-plain": ("rwkv7", {
        "hidden_size": 32, "num_hidden_layers": 2, "vocab_size": 40, "max_position_embeddings": 64, "head_dim": 16,
        "norm_first": False, "tie_word_embeddings": True, "norm_bias": False}),
    "bloom-normed": ("bloom", {
        "hidden_size": 32, "n_layer": 3, "n_head": 4, "vocab_size": 40, "seq_length": 64, "layer_norm_epsilon": 0.01,
        "apply_residual_connection_post_layernorm": True}),
    "ctrl": ("ctrl", {
        "n_embd": 32, "n_layer": 3, "n_head": 4, "dff": 44, "vocab_size": 40, "n_positions": 64}),
    "moshi": ("moshi", {
        "architectures": ["MoshiForCausalLM"], "hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4,
        "num_key_value_heads": 2, "ffn_dim": 88, "vocab_size": 40, "max_position_embeddings": 64, "rms_norm_eps": 0.01,
        "sliding_window": 64}),
    "dbrx": ("dbrx", {
        "d_model": 32, "n_layers": 3, "n_heads": 4, "vocab_size": 40, "max_seq_len": 64,
        "attn_config": {"kv_n_heads": 2, "rope_theta": 10000.0, "clip_qkv": 0.6},
        "ffn_config": {"ffn_hidden_size": 32, "moe_num_experts": 6, "moe_top_k": 2}}),
    "afmoe-biases": ("afmoe", PADDED | {
        "num_hidden_layers": 4, "head_dim": 12, "attention_bias": True, "sliding_window": 6, "num_dense_layers": 1,
        "num_experts": 8, "num_experts_per_tok": 3, "num_shared_experts": 2, "moe_intermediate_size": 20,
        "global_attn_every_n_layers": 2, "mup_enabled": True}),
}
