// The families of models that Headcount knows, by the model_type of their config.json.
#include "core/families/families.hpp"

#include "core/families/unknown.hpp"

namespace headcount {

std::span<const Family* const> families() {
    // No std::array: clang deduces one of at most 256.
    static const Family* const all[]{
        &llama_family, &mistral_family, &qwen2_family, &qwen3_family, &gemma_family, &gemma2_family,
        &gemma3_text_family, &olmo_family, &olmo2_family, &olmo3_family, &cohere_family, &cohere2_family,
        &stablelm_family, &granite_family, &nemotron_family, &glm_family, &glm4_family, &phi3_family, &smollm3_family,
        &ministral_family, &exaone4_family, &ernie4_5_family, &exaone_family, &gpt2_family, &gptj_family,
        &gpt_neox_family, &opt_family, &bloom_family, &falcon_family, &mpt_family, &phi_family, &starcoder2_family,
        &gpt_bigcode_family, &llama4_family, &mixtral_family, &qwen2_moe_family, &qwen3_moe_family, &granitemoe_family,
        &deepseek_v2_family, &deepseek_v3_family, &kimi_k2_family, &gpt_oss_family, &mamba2_family, &qwen3_next_family,
        &bert_family, &t5_family, &mt5_family, &arcee_family, &jais2_family, &nanochat_family, &vaultgemma_family,
        &seed_oss_family, &helium_family, &internlm3_family, &iquestcoder_family, &ministral3_family, &cwm_family,
        &hyperclovax_family, &granite_swa_family, &granitemoe_swa_family, &granitemoeshared_family, &olmoe_family,
        &flex_olmo_family, &mellum_family, &glm4_moe_family, &solar_open_family, &dots1_family, &exaone_moe_family,
        &hunyuan_v1_dense_family, &hunyuan_v1_moe_family, &hy_v3_family, &afmoe_family, &minimax_m2_family,
        &phimoe_family, &ernie4_5_moe_family, &ernie_family, &megatron_bert_family, &electra_family, &distilbert_family,
        &mpnet_family, &roberta_family, &xlm_roberta_family, &camembert_family, &data2vec_text_family,
        &roberta_prelayernorm_family, &xlm_roberta_xl_family, &eurobert_family, &nomic_bert_family,
        &jina_embeddings_v3_family, &openai_gpt_family, &gpt_neo_family, &biogpt_family, &persimmon_family,
        &glm4_moe_lite_family, &minicpm3_family, &youtu_family, &qwen3_5_text_family, &qwen3_5_moe_text_family,
        // Decoders with parts that are counted alone, most of them.
        &ctrl_family, &dbrx_family, &diffllama_family, &doge_family, &moshi_family, &laguna_family, &minimax_family,
        &minimax_m3_vl_text_family, &jetmoe_family, &mimo_v2_flash_family, &zaya_family, &cpmant_family, &xlnet_family,
        &inkling_text_family, &axk2_family, &hy_v4_family, &deepseek_v4_family, &gemma3n_text_family,
        &gpt_neox_japanese_family, &bailing_hybrid_family, &sarvam_mla_family, &sarvam_moe_family,
        &apertus1p5_text_family, &beam_family, &lara_mini_family, &mllama_text_model_family, &dory_family,
        &hrm_text_family, &imagegpt_family, &t5gemma2_family, &encoder_decoder_family, &longcat_flash_family,
        &glm4v_text_family, &glm_ocr_text_family, &glm4v_moe_text_family, &hunyuan_vl_text_family,
        &granite_docling_text_family, &qwen2_5_omni_text_family, &qwen3_vl_moe_text_family, &qwen3_omni_moe_text_family,
        &paddleocr_vl_text_family, &emu3_text_model_family, &phi4_multimodal_family, &aria_text_family, &apertus_family,
        &bitnet_family, &codegen_family, &flint_family, &kolibri1_family, &cohere2_moe_family, &mistral4_family,
        &axk1_family, &deepseek_v32_family, &glm_moe_dsa_family, &gemma4_text_family, &gemma4_unified_text_family,
        // Encoders beside decoders, and encoders.
        &bart_family, &mbart_family, &plbart_family, &mvp_family, &blenderbot_family, &blenderbot_small_family,
        &pegasus_family, &marian_family, &m2m_100_family, &umt5_family, &led_family, &bigbird_pegasus_family,
        &pegasus_x_family, &nllb_moe_family, &seamless_m4t_family, &seamless_m4t_v2_family, &fsmt_family,
        &prophetnet_family, &longt5_family, &switch_transformers_family, &modernbert_family, &albert_family,
        &roformer_family, &esm_family, &gte_family, &esmc_family, &t5gemma_family, &big_bird_family, &longformer_family,
        &nystromformer_family, &yoso_family, &mra_family, &layoutlm_family, &tapas_family, &roc_bert_family,
        &luke_family, &xmod_family, &ibert_family, &convbert_family, &squeezebert_family, &fnet_family, &funnel_family,
        &perceiver_family, &pop2piano_family, &speech_to_text_family, &moonshine_family, &ultrabert_family,
        &neomme_family, &lasr_ctc_family, &parakeet_ctc_family, &deberta_family, &deberta_v2_family, &xlm_family,
        &flaubert_family, &rembert_family, &xglm_family, &trocr_family, &bert_generation_family, &git_family,
        &modernbert_decoder_family, &lfm3_family,
        // Encoders of images, and of sound.
        &vit_family, &deit_family, &ijepa_family, &vit_msn_family, &dinov2_family, &dinov2_with_registers_family,
        &beit_family, &data2vec_vision_family, &clip_family, &clip_vision_model_family, &metaclip_2_family,
        &siglip_family, &siglip_vision_model_family, &siglip2_family, &spectrogram_family, &whisper_family,
        &wav2vec2_family, &hubert_family, &unispeech_family, &unispeech_sat_family, &data2vec_audio_family,
        &wavlm_family, &sew_family, &sew_d_family, &wav2vec2_conformer_family, &wav2vec2_bert_family,
        // Hybrids and recurrences.
        &granitemoehybrid_family, &bamba_family, &nemotron_h_family, &falcon_h1_family, &lfm2_family, &lfm2_moe_family,
        &mamba_family, &falcon_mamba_family, &jamba_family, &olmo_hybrid_family, &zamba_family, &zamba2_family,
        &kimi_linear_family, &recurrent_gemma_family, &reformer_family, &rwkv_family, &rwkv6_family, &rwkv7_family,
        &xlstm_family};
    return all;
}

const Family* find_family(std::string_view type) {
    for (const Family* family : families())
        if (family->type == type) return family;
    return type == unknown_family().type ? &unknown_family() : nullptr;
}

}  // namespace headcount
