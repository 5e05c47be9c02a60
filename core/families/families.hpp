// The families of models that Headcount knows, by the model_type of their config.json.
#pragma once

#include <span>
#include <string_view>

#include "core/arch/family.hpp"

namespace headcount {

// Those that are verified against published models.
std::span<const Family* const> families();

// One of them, or "unknown", as which saved documents know what is not verified; nothing for other types.
const Family* find_family(std::string_view type);

const Family& llama_family();
const Family& mistral_family();
const Family& gpt2_family();

// Like LLaMA.
const Family& qwen2_family();
const Family& qwen3_family();
const Family& gemma_family();
const Family& gemma2_family();
const Family& gemma3_text_family();
const Family& olmo_family();
const Family& olmo2_family();
const Family& olmo3_family();
const Family& cohere_family();
const Family& cohere2_family();
const Family& stablelm_family();
const Family& granite_family();
const Family& nemotron_family();
const Family& glm_family();
const Family& glm4_family();
const Family& phi3_family();
const Family& smollm3_family();
const Family& ministral_family();
const Family& exaone4_family();
const Family& ernie4_5_family();

// Mixtures of experts, and GPT-2's relatives.
const Family& llama4_family();
const Family& mixtral_family();
const Family& qwen2_moe_family();
const Family& qwen3_moe_family();
const Family& granitemoe_family();
const Family& deepseek_v2_family();
const Family& deepseek_v3_family();
const Family& kimi_k2_family();
const Family& gpt_oss_family();
const Family& gptj_family();
const Family& gpt_neox_family();
const Family& opt_family();
const Family& bloom_family();
const Family& falcon_family();
const Family& mpt_family();
const Family& phi_family();
const Family& starcoder2_family();
const Family& gpt_bigcode_family();

}  // namespace headcount
