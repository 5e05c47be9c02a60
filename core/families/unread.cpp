// What a model's file says that Headcount did not read: what is left when all that changes no shape is taken away.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/arch/family.hpp"
#include "core/base/find.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/families/unknown.hpp"

namespace headcount {
namespace {

// From the configurations of transformers (each field tried both ways on a small model), what it writes into
// files besides, and what published files say to their own code.
constexpr std::string_view harmless =
    "_attn_implementation _attn_implementation_autoset _commit_hash _experts_implementation _flash_attn_2_enabled "
    "_from_model_config _name_or_path _num_labels _sliding_window_pattern activation activation_function alibi "
    "alibi_bias_max apply_residual_connection_post_layernorm attention_multiplier attention_softmax_in_fp32 "
    "attn_impl attn_implementation attn_scale attn_soft_cap attn_temperature_tuning attn_uses_sequence_id author "
    "auto_map aux_loss_alpha bad_words_ids begin_suppress_tokens bf16 bias_dropout_fusion cache_implementation "
    "chunk_size_feed_forward classifier_pooling clip_qkv custom_pipelines dim_model_base diversity_penalty "
    "do_blenderbot_90_layernorm do_sample dropout_rate dtype early_stopping embedding_fraction "
    "embedding_initializer_range embedding_multiplier encoder_no_repeat_ngram_size enable_moe_fp32_combine ep_size "
    "exponential_decay_length_penalty finetuning_task floor_scale for_llm_compressor force_bos_token_to_be_generated "
    "fp16 fp32 full_attn_mod gradient_checkpointing head_dim hidden_act hidden_activation id2label init_config "
    "init_device init_method init_std initial_context_length initializer_cutoff_factor initializer_factor "
    "initializer_range input_jitter_noise interpolate_factor is_composition is_decoder label2id layer_norm_eps "
    "layer_norm_epsilon layer_rope_theta layerdrop length_penalty logit_scale logits_scaling logits_to_keep "
    "masked_softmax_fusion max_length max_position_embeddings max_seq_len max_sequence_length max_window_layers "
    "min_length model_max_length moe_norm_min moe_router_dtype mup_enabled n_ctx n_group n_positions "
    "neftune_noise_alpha no_repeat_ngram_size no_rope_layer_interval no_rope_layers norm_eps norm_epsilon "
    "norm_topk_prob num_beam_groups num_beams num_image_tokens num_key_value_heads num_labels num_return_sequences "
    "num_steps offset_alibi original_max_position_embeddings output_attentions output_hidden_states output_past "
    "output_projection output_router_logits output_scores partial_rotary_factor prefix prefix_lm pretraining_tp "
    "problem_type qk_head_dim quantization quantization_config query_pre_attn_scalar relative_attention_max_distance "
    "remove_invalid_values reorder_and_upcast_attn repetition_penalty residual_multiplier return_dict "
    "return_dict_in_generate rms_norm_eps rope_interleave rope_interleaved rope_local_base_freq rope_parameters "
    "rope_pct rope_scaling rope_theta rope_type rotary rotary_base rotary_dim rotary_emb_base rotary_pct "
    "rotary_percentage rotary_scaling_factor route_scale routed_scaling_factor router_dtype router_jitter_noise "
    "router_scaling_factor safe_serialization save_step scale_attention_softmax_in_fp32 "
    "scale_attn_by_inverse_layer_idx scale_attn_weights scale_decoder_outputs scale_depth scale_emb scoring_func "
    "seq_aux seq_length skip_bias_add skip_bias_add_qkv sliding_window sliding_window_pattern slow_but_exact "
    "softmax_in_fp32 softmax_scale summary_activation summary_proj_to_labels summary_type summary_use_proj "
    "suppress_tokens swiglu_alpha swiglu_limit task_specific_params temperature tf_legacy_loss tie_encoder_decoder "
    "tokenizer_class tokenizer_name top_k top_p topk_group topk_method torch_dtype torchscript typical_p "
    "unsloth_fixed use_bfloat16 use_bidirectional_attention use_cache use_cache_quantization use_dynamic_ntk "
    "use_flash_attention use_flash_attn use_logn_attn use_scaled_rope use_sliding_window verbose z_loss_weight";

constexpr std::array endings =
    std::to_array<std::string_view>({"_token_id", "_token_ids", "_token_index", "dropout", "_dropout_prob", "_pdrop",
                                     "_softcapping", "_loss_coef", "_version"});

// Harmless where a type does not read them; a list in the place of the number may be one number for each layer.
constexpr std::array numbers = std::to_array<std::string_view>({"head_dim", "num_key_value_heads", "sliding_window"});

// Values that say no more than an absent field does.
constexpr std::array usual =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"attention_mode", "\"longformer\""},
                                                                  {"attn_type", "\"multihead_attention\""},
                                                                  {"expansion_ratio", "4"},
                                                                  {"layernorm_variant", "\"prelayernorm\""},
                                                                  {"learned_pos_emb", "true"},
                                                                  {"mlp_type", "\"default\""},
                                                                  {"moe_layer_freq", "1"},
                                                                  {"no_bias", "true"},
                                                                  {"norm_type", "\"low_precision_layernorm\""},
                                                                  {"normalization_function", "\"rmsnorm\""},
                                                                  {"num_nextn_predict_layers", "0"}});

bool says_nothing(std::string_view name, std::string_view value) {
    if (value == "null" || value == "[]" || value == "{}" || value == "\"\"") return true;
    return value == "false" && !name.starts_with("no_");
}

bool changes_no_shape(std::string_view name, std::string_view value) {
    auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    auto is_usual = [&](const auto& field) { return field.first == name && field.second == value; };
    return is_word_of(harmless, name) || std::ranges::any_of(endings, ends) || std::ranges::any_of(usual, is_usual);
}

// A guess at biases is all that such a word can be about.
bool denies_a_bias(const Architecture& arch, std::string_view name, const nlohmann::json& value) {
    const Layer& layer = arch.layer;
    const bool guessed =
        !arch.family->verified && (layer.attention.qkv_bias || layer.attention.output_bias || layer.feed_forward.bias);
    return guessed && value == false && name.find("bias") != std::string_view::npos;
}

// An object says no more than its fields do.
bool is_unread(const Architecture& arch, std::string_view name, const nlohmann::json& value) {
    if (name == "model_type" || name == "architectures" || is_own_word(name)) return false;
    if (is_word_of(arch.family->ignored, name) || is_word_of(arch.family->numbers, name)) return false;
    if (denies_a_bias(arch, name, value)) return true;
    const bool holds = value.is_structured() && !value.empty();
    const std::string text = holds ? "" : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (holds && contains(numbers, name)) return true;
    if (says_nothing(name, text) || changes_no_shape(name, text)) return false;
    if (!value.is_object()) return true;
    const auto& fields = value.get_ref<const nlohmann::json::object_t&>();
    return std::ranges::any_of(fields, [&](const auto& field) { return is_unread(arch, field.first, field.second); });
}

}  // namespace

std::vector<std::string> impossible_fields(const Architecture& arch) {
    std::vector<std::string> impossible;
    for (const std::string_view name : numbers)
        if (const std::string* const text = arch.carried.find(name)) {
            const nlohmann::json value = parsed_again(*text);
            if (value.is_number() && value.get<double>() < 1)
                impossible.push_back(std::string(name) + " is " + value.dump());
        }
    return impossible;
}

std::vector<std::string> unread_fields(const Architecture& arch) {
    std::vector<std::string> unread;
    for (const auto& [name, value] : arch.carried.fields())
        if (is_unread(arch, name, parsed_again(value))) unread.push_back(name);
    return unread;
}

}  // namespace headcount
