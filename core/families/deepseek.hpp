// What DeepSeek V3 shares with those that are laid out like it: latent attention, experts that every token passes, and
// dense first layers.
#pragma once

#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount::deepseek {

template <FixedText name>
constexpr auto layer_modules(std::string_view mixture) {
    constexpr DecoderClasses classes = classes_of<name>;
    return join(latent_attention_modules(classes.attention), gated_modules(classes.feed_forward),
                mixture_modules("mlp", mixture), expert_modules(joined_name<name, "Experts">, classes.feed_forward),
                router_modules("gate", joined_name<name, "TopkRouter">), correction_modules,
                shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
}

template <FixedText name>
constexpr auto modules_of(std::string_view mixture) {
    return decoder_modules(classes_of<name>, layer_modules<name>(mixture));
}

inline constexpr MixtureType v2_experts{.experts_field = {"n_routed_experts", "num_local_experts", "num_experts"},
                                        .shared_field = {"n_shared_experts"},
                                        .dense_first_field = {"first_k_dense_replace"},
                                        .experts = 64,
                                        .experts_per_token = 6,
                                        .width = 1407,
                                        .shared = 2,
                                        .expert_bias = false};

inline constexpr Latent first_sizes{.query_rank = 1536};

// With the sizes that an absent field means.
template <const Latent& sizes>
void read(ConfigReader& reader, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();  // the file says it, and latent attention has one key and value a head
    attention.latent = read_latent(reader, sizes);
}

void write(nlohmann::ordered_json& config, const Architecture& arch);

// Columns that are turned in pairs, neighbours unless the file says otherwise; and what V3 computes besides.
void compute_pairs(ComputationReader& reader, Computation& computation);
void compute_v3(ComputationReader& reader, Computation& computation);

// V3: a bias balances the load of the experts.
inline constexpr MixtureType v3_experts = changed(v2_experts, [](MixtureType& other) {
    other.experts = 256;
    other.experts_per_token = 8;
    other.width = 2048;
    other.shared = 1;
    other.dense_first = 3;
    other.correction_bias = true;
});
inline constexpr std::array v3_modules = modules_of<"DeepseekV3">("DeepseekV3MoE");
inline constexpr LlamaType v3{
    .called = {"deepseek_v3", "DeepSeek V3", classes_of<"DeepseekV3">, v3_modules},
    .usual = {.dim = 7168, .ffn_dim = 18432, .layers = 61, .heads = 128, .vocab = 129280, .context = 4096},
    .head_dim_field = {},
    .mixture = v3_experts,
    .computing = {.pairs = RopePairs::neighbours,
                  .routing = {.scores = RouterScores::sigmoid,
                              .normalized = true,
                              .scaling = 2.5,
                              .groups = 8,
                              .groups_used = 4,
                              .group_by_best_two = true},
                  .normalizes = true,
                  .grouped = true,
                  .routing_scale_field = "routed_scaling_factor",
                  .yarn_scores = true,
                  .rest = compute_v3},
    .own = {read<first_sizes>, write}};

// Of a type that turns and chooses as V3 does, and has something else that is not computed here.
constexpr ComputationType refused_like_v3(std::string_view refused) {
    ComputationType computing = v3.computing;
    computing.refused = refused;
    computing.rest = nullptr;
    return computing;
}

}  // namespace headcount::deepseek
