// DeepSeek V2 and V3, with latent attention, experts that every token passes and dense first layers, and those with the
// same attention: Kimi K2, GLM-4.7-Flash, Youtu, MiniCPM 3 (transformers, modeling_deepseek_v2.py,
// modeling_deepseek_v3.py, modeling_glm4_moe_lite.py, modeling_youtu.py, modeling_minicpm3.py).
#include <cmath>

#include "core/families/config_reader.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"

namespace headcount {

Latent read_latent(ConfigReader& reader, const nlohmann::json& config, const Latent& otherwise) {
    Latent latent;
    latent.query_rank = reader.optional_number({"q_lora_rank"});
    if (!config.contains("q_lora_rank")) latent.query_rank = otherwise.query_rank;
    latent.kv_rank = reader.number({"kv_lora_rank"}, otherwise.kv_rank);
    latent.rope_dim = reader.number({"qk_rope_head_dim"}, otherwise.rope_dim);
    latent.nope_dim = reader.number({"qk_nope_head_dim"}, otherwise.nope_dim);
    latent.value_dim = reader.number({"v_head_dim"}, otherwise.value_dim);
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

constexpr Latent first_sizes{.query_rank = 1536};

// With the sizes that an absent field means.
template <const Latent& sizes>
void read(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    Attention& attention = arch.layer.attention;
    attention.kv_heads.reset();  // the file says it, and latent attention has one key and value a head
    attention.latent = read_latent(reader, config, sizes);
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

void compute_pairs(ComputationReader& reader, Computation& computation) {
    computation.latent_norm_epsilon = 1e-6;
    if (!reader.flag("rope_interleave", true)) computation.rope.pairs = RopePairs::halves;
}

void compute_v3(ComputationReader& reader, Computation& computation) {
    compute_pairs(reader, computation);
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
                       .read_rest = read<first_sizes>,
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
                       .read_rest = read<first_sizes>,
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

// GLM-4.7-Flash: V3's layout with sizes of its own.
constexpr std::array glm_lite_modules = modules_of<"Glm4MoeLite">("Glm4MoeLiteMoE");
constexpr Latent glm_lite_sizes{.query_rank = 768, .nope_dim = 192, .value_dim = 256};
constexpr LlamaType glm_lite = [] {
    LlamaType other = v3;
    other.type = "glm4_moe_lite";
    other.name = "GLM-4 MoE Lite";
    other.classes = classes_of<"Glm4MoeLite">;
    other.modules = glm_lite_modules;
    other.dim = 2048;
    other.ffn_dim = 10240;
    other.layers = 47;
    other.heads = 20;
    other.vocab = 154880;
    other.context = 202752;
    other.norm.epsilon = 1e-5;
    other.mixture = v2_experts;
    other.mixture->dense_first_field = {};
    other.mixture->has_types = true;
    other.mixture->dense_first = 1;
    other.mixture->experts_per_token = 4;
    other.mixture->width = 1536;
    other.mixture->shared = 1;
    other.mixture->correction_bias = true;
    other.computing.routing.scaling = 1.8;
    other.computing.routing.groups = other.computing.routing.groups_used = 1;
    other.read_rest = read<glm_lite_sizes>;
    return other;
}();

// Dense throughout, with V3's attention.
constexpr auto dense_modules(const DecoderClasses& classes) {
    return decoder_modules(classes, latent_attention_modules(classes.attention), gated_modules(classes.feed_forward),
                           norm_modules);
}

constexpr std::array youtu_modules = dense_modules(classes_of<"Youtu">);
constexpr LlamaType youtu{.type = "youtu",
                          .name = "Youtu",
                          .classes = classes_of<"Youtu">,
                          .modules = youtu_modules,
                          .dim = 2048,
                          .ffn_dim = 6144,
                          .heads = 16,
                          .vocab = 128256,
                          .context = 131072,
                          .tied = true,
                          .head_dim_field = {},
                          .computing = {.pairs = RopePairs::neighbours, .yarn_scores = true, .rest = compute_pairs},
                          .read_rest = read<first_sizes>,
                          .write_rest = write};

// MiniCPM 3: what is embedded, added and scored is scaled, as the widths that it was tuned on say.
void compute_minicpm(ComputationReader& reader, Computation& computation) {
    computation.latent_norm_epsilon = 1e-6;
    const auto dim = static_cast<double>(reader.arch().dim), layers = static_cast<double>(reader.arch().layers);
    computation.embedding_scale = reader.positive("scale_emb", 12);
    computation.residual_scale = reader.cap("scale_depth", 1.4).value_or(std::sqrt(layers)) / std::sqrt(layers);
    computation.logit_scale = reader.cap("dim_model_base", 256).value_or(dim) / dim;
}

constexpr DecoderClasses minicpm_classes = classes_of<"MiniCPM3">;
constexpr Latent minicpm_sizes{.query_rank = 768, .kv_rank = 256, .rope_dim = 32, .nope_dim = 64};

// Values are as wide as the width's share of a head where the file does not say it.
void read_minicpm(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    read<minicpm_sizes>(reader, config, arch);
    if (said(config, "v_head_dim")) return;
    const std::int64_t heads = arch.layer.attention.heads;
    if (arch.dim % heads != 0)
        reader.reject("num_attention_heads", std::to_string(heads) + " heads do not divide hidden_size evenly",
                      "give v_head_dim");
    arch.layer.attention.latent->value_dim = arch.dim / heads;
}

constexpr std::array minicpm_modules = dense_modules(minicpm_classes);
constexpr LlamaType minicpm{.type = "minicpm3",
                            .name = "MiniCPM 3",
                            .classes = minicpm_classes,
                            .modules = minicpm_modules,
                            .dim = 2560,
                            .ffn_dim = 6400,
                            .layers = 62,
                            .heads = 40,
                            .vocab = 73448,
                            .context = 32768,
                            .tied = true,
                            .head_dim_field = {},
                            .mlp_bias_field = "mlp_bias",
                            .norm = {.epsilon = 1e-5},
                            .computing = {.rest = compute_minicpm},
                            .read_rest = read_minicpm,
                            .write_rest = write};

}  // namespace deepseek

constexpr Family deepseek_v2_family = llama_like<deepseek_v2_family, deepseek::v2>();
constexpr Family deepseek_v3_family = llama_like<deepseek_v3_family, deepseek::v3>();
constexpr Family kimi_k2_family = llama_like<kimi_k2_family, deepseek::kimi_k2>();
constexpr Family glm4_moe_lite_family = llama_like<glm4_moe_lite_family, deepseek::glm_lite>();
constexpr Family minicpm3_family = llama_like<minicpm3_family, deepseek::minicpm>();
constexpr Family youtu_family = llama_like<youtu_family, deepseek::youtu>();

}  // namespace headcount
