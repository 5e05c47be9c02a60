// The families of models that Headcount knows, by the model_type of their config.json.
#include "core/families/families.hpp"

#include <array>

#include "core/families/unknown.hpp"

namespace headcount {

std::span<const Family* const> families() {
    static const std::array all{
        &llama_family,
        &mistral_family,
        &qwen2_family,
        &qwen3_family,
        &gemma_family,
        &gemma2_family,
        &gemma3_text_family,
        &olmo_family,
        &olmo2_family,
        &olmo3_family,
        &cohere_family,
        &cohere2_family,
        &stablelm_family,
        &granite_family,
        &nemotron_family,
        &glm_family,
        &glm4_family,
        &phi3_family,
        &smollm3_family,
        &ministral_family,
        &exaone4_family,
        &ernie4_5_family,
        &gpt2_family,
        &gptj_family,
        &gpt_neox_family,
        &opt_family,
        &bloom_family,
        &falcon_family,
        &mpt_family,
        &phi_family,
        &starcoder2_family,
        &gpt_bigcode_family,
        &llama4_family,
        &mixtral_family,
        &qwen2_moe_family,
        &qwen3_moe_family,
        &granitemoe_family,
        &deepseek_v2_family,
        &deepseek_v3_family,
        &kimi_k2_family,
        &gpt_oss_family,
        &mamba2_family,
        &qwen3_next_family,
        &bert_family,
        &t5_family,
        &mt5_family,
        &arcee_family,
        &jais2_family,
        &nanochat_family,
        &vaultgemma_family,
        &seed_oss_family,
        &helium_family,
        &internlm3_family,
        &iquestcoder_family,
        &ministral3_family,
        &cwm_family,
        &hyperclovax_family,
        &granite_swa_family,
        &granitemoe_swa_family,
        &granitemoeshared_family,
        &olmoe_family,
        &flex_olmo_family,
        &mellum_family,
        &glm4_moe_family,
        &solar_open_family,
        &dots1_family,
        &exaone_moe_family,
        &hunyuan_v1_dense_family,
        &hunyuan_v1_moe_family,
        &hy_v3_family,
        &afmoe_family,
        &minimax_m2_family,
        &phimoe_family,
        &ernie4_5_moe_family,
    };
    return all;
}

const Family* find_family(std::string_view type) {
    for (const Family* family : families())
        if (family->type == type) return family;
    return type == unknown_family().type ? &unknown_family() : nullptr;
}

}  // namespace headcount
