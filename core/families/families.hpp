// The families of models that Headcount knows, by the model_type of their config.json.
#pragma once

#include <span>
#include <string_view>

#include "core/arch/family.hpp"

namespace headcount {

std::span<const Family* const> families();

// Nothing for a type that is not known.
const Family* find_family(std::string_view type);

const Family& llama_family();
const Family& mistral_family();
const Family& gpt2_family();
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
