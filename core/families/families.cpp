// The families of models that Headcount knows, by the model_type of their config.json.
#include "core/families/families.hpp"

#include <array>

namespace headcount {

std::span<const Family* const> families() {
    static const std::array all{
        &llama_family(), &mistral_family(), &gpt2_family(), &gptj_family(), &gpt_neox_family(),   &opt_family(),
        &bloom_family(), &falcon_family(),  &mpt_family(),  &phi_family(),  &starcoder2_family(), &gpt_bigcode_family(),
    };
    return all;
}

const Family* find_family(std::string_view type) {
    for (const Family* family : families())
        if (family->type == type) return family;
    return nullptr;
}

}  // namespace headcount
