// DeepSeek V2 and V3, with latent attention, experts that every token passes and dense first layers, and those with the
// same layers: Kimi K2, GLM-4.7-Flash, A.X K1 (transformers, modeling_deepseek_v2.py, modeling_deepseek_v3.py,
// modeling_glm4_moe_lite.py, modeling_axk1.py).
#include "core/families/deepseek.hpp"

#include <algorithm>

#include "core/families/families.hpp"

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

// A.X K1: V3's layout with one more norm behind experts.
constexpr std::array<Module, 1> mixture_norm_modules{{
    {4, "post_mlp_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
}};
constexpr std::array axk1_modules =
    decoder_modules(classes_of<"AXK1">, mixture_norm_modules, layer_modules<"AXK1">("AXK1MoE"));

// Its rule of which layers have experts: all behind the first ones, and of those every so many.
void read_axk1(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    read<first_sizes>(reader, config, arch);
    if (!arch.layer.attention.latent->query_rank)
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    const std::int64_t first = reader.number({"first_k_dense_replace"}, 1, 0);
    const std::int64_t step = read_step(reader, {"moe_layer_freq"}, 1);
    Mixture& mixture = *arch.layer.mixture;
    mixture.output_norm = true;
    if (said(config, "mlp_layer_types")) return;
    mixture.layers =
        step == 1 ? LayerSet::all_but_first(std::min(first, LayerSet::longest))
                  : layers_where(arch.layers, [&](std::int64_t layer) { return layer >= first && layer % step == 0; });
}

constexpr LlamaType axk1 = [] {
    LlamaType other = v3;
    other.type = "axk1";
    other.name = "A.X K1";
    other.classes = classes_of<"AXK1">;
    other.modules = axk1_modules;
    other.heads = 64;
    other.vocab = 163840;
    other.context = 32768;
    other.mixture->dense_first_field = {};
    other.mixture->has_types = true;
    other.mixture->dense_first = 1;
    other.mixture->experts = 192;
    other.read_rest = read_axk1;
    return other;
}();

}  // namespace deepseek

constexpr Family deepseek_v2_family = llama_like<deepseek_v2_family, deepseek::v2>();
constexpr Family deepseek_v3_family = llama_like<deepseek_v3_family, deepseek::v3>();
constexpr Family kimi_k2_family = llama_like<kimi_k2_family, deepseek::kimi_k2>();
constexpr Family glm4_moe_lite_family = llama_like<glm4_moe_lite_family, deepseek::glm_lite>();
constexpr Family axk1_family = llama_like<axk1_family, deepseek::axk1>();

}  // namespace headcount
