// What DeepSeek's families share: latent attention, experts that every token passes, and dense first layers.
#pragma once

#include "core/families/computing.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/mixture_layout.hpp"

namespace headcount {

// What an absent field means, besides what LLaMA has too.
struct DeepseekType {
    LlamaType decoder;
    std::int64_t first_dense, experts, experts_per_token, expert_dim, shared_experts;
    std::int64_t query_rank = 1536;
    bool correction_bias = false;  // a number an expert that balances the load
};

struct DeepseekClasses {
    std::string_view causal_lm, model, layer, attention, feed_forward, mixture, router, experts, rotary;
};

constexpr auto deepseek_modules(const DeepseekClasses& classes) {
    return join(model_modules(classes.causal_lm, classes.model, classes.layer),
                latent_attention_modules(classes.attention), gated_modules(classes.feed_forward),
                mixture_modules("mlp", classes.mixture), expert_modules(classes.experts, classes.feed_forward),
                router_modules("gate", classes.router), correction_modules,
                shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules,
                output_modules(classes.rotary));
}

constexpr auto deepseek_v3_modules = deepseek_modules(
    {"DeepseekV3ForCausalLM", "DeepseekV3Model", "DeepseekV3DecoderLayer", "DeepseekV3Attention", "DeepseekV3MLP",
     "DeepseekV3MoE", "DeepseekV3TopkRouter", "DeepseekV3Experts", "DeepseekV3RotaryEmbedding"});

inline constexpr DeepseekType deepseek_v3_type{.decoder = {.class_name = "DeepseekV3ForCausalLM",
                                                           .dim = 7168,
                                                           .ffn_dim = 18432,
                                                           .layers = 61,
                                                           .heads = 128,
                                                           .vocab = 129280,
                                                           .context = 4096,
                                                           .head_dim_field = {}},
                                               .first_dense = 3,
                                               .experts = 256,
                                               .experts_per_token = 8,
                                               .expert_dim = 2048,
                                               .shared_experts = 1,
                                               .correction_bias = true};

// Where the file does not say how wide the bottleneck before the queries is, it is `query_rank` wide; null says that
// there is none.
Latent read_latent(ConfigReader& reader, const nlohmann::json& config, std::optional<std::int64_t> query_rank);
void write_latent(nlohmann::ordered_json& config, const Latent& latent);

// Both turn neighbouring columns, and sharpen the scores of a stretched context.
constexpr ComputationType deepseek_computation(RouterScores scores) {
    return {.pairs = RopePairs::neighbours, .routing = {.scores = scores}, .yarn_scores = true};
}

// n_group and topk_group: groups of experts, and how many of them may give any.
struct DeepseekGroups {
    std::int64_t all = 1, used = 1;
};
DeepseekGroups read_groups(ComputationReader& reader, std::int64_t all, std::int64_t used);

// What V3 and Kimi K2 compute.
Result<Computation> compute_deepseek_v3(const Architecture& arch);

Result<Architecture> read_deepseek(const nlohmann::json& config, const Family& family, const DeepseekType& type);
nlohmann::ordered_json write_deepseek(const Architecture& arch, const DeepseekType& type);

}  // namespace headcount
