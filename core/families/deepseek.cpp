// DeepSeek V2 and V3 and Kimi K2: latent attention, experts that every token passes, and dense first layers
// (transformers, modeling_deepseek_v2.py and modeling_deepseek_v3.py).
#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

Latent read_latent(ConfigReader& reader, const nlohmann::json& config, std::optional<std::int64_t> query_rank) {
    Latent latent;
    latent.query_rank = reader.optional_number({"q_lora_rank"});
    if (!config.contains("q_lora_rank")) latent.query_rank = query_rank;
    latent.kv_rank = reader.number({"kv_lora_rank"}, 512);
    latent.rope_dim = reader.number({"qk_rope_head_dim"}, 64);
    latent.nope_dim = reader.number({"qk_nope_head_dim"}, 128);
    latent.value_dim = reader.number({"v_head_dim"}, 128);
    return latent;
}

void write_latent(nlohmann::ordered_json& config, const Latent& latent) {
    config["q_lora_rank"] = latent.query_rank ? nlohmann::ordered_json(*latent.query_rank) : nullptr;
    config["kv_lora_rank"] = latent.kv_rank;
    config["qk_rope_head_dim"] = latent.rope_dim;
    config["qk_nope_head_dim"] = latent.nope_dim;
    config["v_head_dim"] = latent.value_dim;
}

namespace deepseek {

template <FixedText name>
constexpr auto modules_of(std::string_view mixture) {
    constexpr DecoderClasses classes = classes_of<name>;
    return decoder_modules(classes, latent_attention_modules(classes.attention), gated_modules(classes.feed_forward),
                           mixture_modules("mlp", mixture),
                           expert_modules(joined_name<name, "Experts">, classes.feed_forward),
                           router_modules("gate", joined_name<name, "TopkRouter">), correction_modules,
                           shared_expert_modules("shared_experts", classes.feed_forward, "act_fn"), norm_modules);
}

constexpr MixtureType v2_experts{.experts_field = {"n_routed_experts", "num_local_experts", "num_experts"},
                                 .shared_field = {"n_shared_experts"},
                                 .dense_first_field = {"first_k_dense_replace"},
                                 .experts = 64,
                                 .experts_per_token = 6,
                                 .width = 1407,
                                 .shared = 2,
                                 .expert_bias = false};

void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();  // the file says it, and latent attention has one key and value a head
    attention.latent = read_latent(reader, config, 1536);
}

void write(nlohmann::ordered_json& config, const Architecture& arch) {
    if (arch.layer.attention.latent) write_latent(config, *arch.layer.attention.latent);
}

// Both versions turn neighbouring columns, and sharpen the scores of a stretched context.
void compute_v2(ComputationReader& reader, Computation& computation) {
    computation.latent_norm_epsilon = 1e-6;
    const std::string method = reader.text("topk_method", "greedy");
    if (method == "greedy")
        computation.routing.groups = computation.routing.groups_used = 1;
    else if (method != "group_limited_greedy")
        reader.reject("topk_method", "a way to choose experts that is not known here",
                      "use greedy or group_limited_greedy");
}

void compute_v3(ComputationReader& reader, Computation& computation) {
    computation.latent_norm_epsilon = 1e-6;
    if (!reader.flag("rope_interleave", true)) computation.rope.pairs = RopePairs::halves;
    // transformers computes so whatever these fields say.
    if (reader.text("scoring_func", "sigmoid") != "sigmoid")
        reader.reject("scoring_func", "a function of the router's scores that is not computed here", "use sigmoid");
    if (reader.text("topk_method", "noaux_tc") != "noaux_tc")
        reader.reject("topk_method", "a way to choose experts that is not computed here", "use noaux_tc");
}

// transformers has no default of num_experts_per_tok: 6 is what both published models have.
constexpr std::array v2_modules = modules_of<"DeepseekV2">("DeepseekV2Moe");
constexpr LlamaType v2{.type = "deepseek_v2",
                       .name = "DeepSeek V2",
                       .classes = classes_of<"DeepseekV2">,
                       .modules = v2_modules,
                       .vocab = 102400,
                       .head_dim_field = {},
                       .mlp_bias_field = "mlp_bias",
                       .mixture = v2_experts,
                       .computing = {.pairs = RopePairs::neighbours,
                                     .routing = {.scores = RouterScores::softmax},
                                     .grouped = true,
                                     .routing_scale_field = "routed_scaling_factor",
                                     .yarn_scores = true,
                                     .rest = compute_v2},
                       .read_rest = read,
                       .write_rest = write};

// V3: a bias balances the load of the experts.
constexpr MixtureType v3_experts = [] {
    MixtureType other = v2_experts;
    other.experts = 256;
    other.experts_per_token = 8;
    other.width = 2048;
    other.shared = 1;
    other.dense_first = 3;
    other.correction_bias = true;
    return other;
}();
constexpr std::array v3_modules = modules_of<"DeepseekV3">("DeepseekV3MoE");
constexpr LlamaType v3{.type = "deepseek_v3",
                       .name = "DeepSeek V3",
                       .classes = classes_of<"DeepseekV3">,
                       .modules = v3_modules,
                       .dim = 7168,
                       .ffn_dim = 18432,
                       .layers = 61,
                       .heads = 128,
                       .vocab = 129280,
                       .context = 4096,
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
                       .read_rest = read,
                       .write_rest = write};

// Kimi K2: V3's layout and code under a type of its own (its published configuration names V3's classes).
constexpr LlamaType kimi_k2 = [] {
    LlamaType other = v3;
    other.type = "kimi_k2";
    other.name = "Kimi K2";
    other.write_rest = [](nlohmann::ordered_json& config, const Architecture& arch) {
        write(config, arch);
        config["model_type"] = "deepseek_v3";  // which it is in all but name, and transformers knows no other
    };
    return other;
}();

}  // namespace deepseek

constexpr Family deepseek_v2_family = llama_like<deepseek_v2_family, deepseek::v2>();
constexpr Family deepseek_v3_family = llama_like<deepseek_v3_family, deepseek::v3>();
constexpr Family kimi_k2_family = llama_like<kimi_k2_family, deepseek::kimi_k2>();

}  // namespace headcount
