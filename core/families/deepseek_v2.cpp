// DeepSeek V2: latent attention and a mixture of small experts (transformers, modeling_deepseek_v2.py).
#include "core/families/computing.hpp"
#include "core/families/deepseek.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace {

constexpr std::array modules = deepseek_modules(
    {"DeepseekV2ForCausalLM", "DeepseekV2Model", "DeepseekV2DecoderLayer", "DeepseekV2Attention", "DeepseekV2MLP",
     "DeepseekV2Moe", "DeepseekV2TopkRouter", "DeepseekV2Experts", "DeepseekV2RotaryEmbedding"});

// transformers has no default of num_experts_per_tok: 6 is what both published models have.
constexpr DeepseekType type{.decoder = {.class_name = "DeepseekV2ForCausalLM",
                                        .vocab = 102400,
                                        .head_dim_field = {},
                                        .mlp_bias_field = "mlp_bias"},
                            .first_dense = 0,
                            .experts = 64,
                            .experts_per_token = 6,
                            .expert_dim = 1407,
                            .shared_experts = 2};

Result<Architecture> read(const nlohmann::json& config) {
    return read_deepseek(config, deepseek_v2_family(), type);
}

nlohmann::ordered_json write(const Architecture& arch) {
    return write_deepseek(arch, type);
}

constexpr ComputationType computing = llama_computation;

constexpr Family family{"deepseek_v2", "DeepSeek V2", "DeepseekV2RMSNorm", "model", modules,
                        read,          write,         compute<computing>};

}  // namespace

const Family& deepseek_v2_family() {
    return family;
}

}  // namespace headcount
