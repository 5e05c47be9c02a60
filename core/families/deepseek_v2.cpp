// DeepSeek V2: latent attention and a mixture of small experts (transformers, modeling_deepseek_v2.py).
#include "core/families/computing.hpp"
#include "core/families/deepseek.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace deepseek_v2 {

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

Result<Computation> computation(const Architecture& arch) {
    ComputationReader reader(arch);
    Computation computation = reader.read(deepseek_computation(RouterScores::softmax));
    computation.latent_norm_epsilon = 1e-6;
    computation.routing.scaling = reader.positive("routed_scaling_factor", 1);
    const std::string method = reader.text("topk_method", "greedy");
    const DeepseekGroups groups = read_groups(reader, 1, 1);
    if (method == "group_limited_greedy") {
        computation.routing.groups = groups.all;
        computation.routing.groups_used = groups.used;
    } else if (method != "greedy") {
        reader.reject("topk_method", "a way to choose experts that is not known here",
                      "use greedy or group_limited_greedy");
    }
    return reader.finish(std::move(computation));
}

constexpr Family family{"deepseek_v2", "DeepSeek V2", "DeepseekV2RMSNorm", "model", modules, read, write, computation};

}  // namespace deepseek_v2

const Family& deepseek_v2_family() {
    return deepseek_v2::family;
}

}  // namespace headcount
