// Those with DeepSeek V3's layout or its attention: Kimi K2, Sarvam, GLM-4.7-Flash, A.X K1, Mistral 4, Youtu, MiniCPM 3
// (transformers, modeling_deepseek_v3.py, modeling_glm4_moe_lite.py, modeling_axk1.py, modeling_mistral4.py,
// modeling_youtu.py, modeling_minicpm3.py).
#include <algorithm>
#include <cmath>

#include "core/families/deepseek.hpp"
#include "core/families/rope_fields.hpp"

namespace headcount {
namespace deepseek {

// Kimi K2: V3's layout and code under a type of its own (its published configuration names V3's classes).
constexpr LlamaType kimi_k2 = changed(v3, [](LlamaType& other) {
    other.called.type = "kimi_k2";
    other.called.name = "Kimi K2";
    other.own.write = [](nlohmann::ordered_json& config, const Architecture& arch) {
        write(config, arch);
        config["model_type"] = "deepseek_v3";  // which it is in all but name, and transformers knows no other
    };
});

// Sarvam: V3's layout and classes with sizes of its own, and queries without a bottleneck.
constexpr Latent sarvam_sizes{};
constexpr LlamaType sarvam = changed(v3, [](LlamaType& other) {
    other.called.type = "sarvam_mla";
    other.called.name = "Sarvam";
    other.usual.dim = 4096;
    other.usual.ffn_dim = 16384;
    other.usual.layers = 32;
    other.usual.heads = 64;
    other.usual.vocab = 262144;
    other.mixture->shared_field = {"n_shared_experts", "num_shared_experts"};
    other.mixture->dense_first = 1;
    other.mixture->experts = 128;
    other.computing.routing.groups = other.computing.routing.groups_used = 1;
    other.own.read = read<sarvam_sizes>;
});

// GLM-4.7-Flash: V3's layout with sizes of its own.
constexpr std::array glm_lite_modules = modules_of<"Glm4MoeLite">("Glm4MoeLiteMoE");
constexpr Latent glm_lite_sizes{.query_rank = 768, .nope_dim = 192, .value_dim = 256};
constexpr LlamaType glm_lite = changed(
    called(v3, "glm4_moe_lite", "GLM-4 MoE Lite", classes_of<"Glm4MoeLite">, glm_lite_modules), [](LlamaType& other) {
        other.usual = {.dim = 2048, .ffn_dim = 10240, .layers = 47, .heads = 20, .vocab = 154880, .context = 202752};
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
        other.own.read = read<glm_lite_sizes>;
    });

// A.X K1: V3's layout with one more norm behind experts.
constexpr auto mixture_norm_modules = std::to_array<Module>({
    {4, "post_mlp_layernorm", ModuleKind::norm, Part::feed_forward_output_norm, {}},
});
constexpr std::array axk1_modules =
    decoder_modules(classes_of<"AXK1">, mixture_norm_modules, layer_modules<"AXK1">("AXK1MoE"));

// Its rule of which layers have experts: all behind the first ones, and of those every so many.
void read_axk1(ConfigReader& reader, Architecture& arch) {
    read<first_sizes>(reader, arch);
    if (!arch.layer.attention.latent->query_rank)
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    const std::int64_t first = reader.number({"first_k_dense_replace"}, 1, 0);
    const std::int64_t step = read_step(reader, {"moe_layer_freq"}, 1);
    Mixture& mixture = *arch.layer.mixture;
    mixture.output_norm = true;
    if (said(reader.config(), "mlp_layer_types")) return;
    mixture.layers =
        step == 1 ? LayerSet::all_but_first(std::min(first, LayerSet::longest))
                  : layers_where(arch.layers, [&](std::int64_t layer) { return layer >= first && layer % step == 0; });
}

constexpr LlamaType axk1 =
    changed(called(v3, "axk1", "A.X K1", classes_of<"AXK1">, axk1_modules), [](LlamaType& other) {
        other.usual.heads = 64;
        other.usual.vocab = 163840;
        other.usual.context = 32768;
        other.mixture->dense_first_field = {};
        other.mixture->has_types = true;
        other.mixture->dense_first = 1;
        other.mixture->experts = 192;
        other.own.read = read_axk1;
    });

// Mistral 4: V3's layout with all experts in one tensor, softmax, and queries that grow with their position.
constexpr DecoderClasses mistral4_classes = classes_of<"Mistral4">;
constexpr std::array mistral4_modules =
    decoder_modules(mistral4_classes, latent_attention_modules(mistral4_classes.attention),
                    gated_modules(mistral4_classes.feed_forward), mixture_modules("mlp", "Mistral4MoE"),
                    router_modules("gate", "Mistral4TopkRouter"), linear_expert_modules("Mistral4Experts"),
                    shared_expert_modules("shared_experts", mistral4_classes.feed_forward, "act_fn"), norm_modules);
constexpr Latent mistral4_sizes{.query_rank = 1024, .kv_rank = 256, .nope_dim = 64};

void compute_mistral4(ComputationReader& reader, Computation& computation) {
    compute_pairs(reader, computation);
    computation.query_temperature = read_query_temperature(reader.arch().carried.object());
    if (reader.says_rope()) return;
    const double factor = 128, sharper = 0.1 * std::log(factor) + 1;  // the published models'
    computation.rope.scaling = RopeScaling::yarn;
    computation.rope.factor = factor;
    computation.rope.original_context = 8192;
    computation.score_scale *= sharper * sharper;
    computation.query_temperature = QueryTemperature{0.1, 8192, 0, true};
}

constexpr LlamaType mistral4 =
    changed(called(v3, "mistral4", "Mistral 4", mistral4_classes, mistral4_modules), [](LlamaType& other) {
        other.usual = {.dim = 4096, .ffn_dim = 12288, .layers = 36, .heads = 32, .vocab = 131072, .context = 1048576};
        other.mixture->dense_first = 0;
        other.mixture->experts = 128;
        other.mixture->experts_per_token = 4;
        other.mixture->correction_bias = false;
        other.computing.routing = {.scores = RouterScores::softmax, .normalized = true, .group_by_best_two = true};
        other.computing.rest = compute_mistral4;
        other.padding = 11;
        other.own.read = read<mistral4_sizes>;
    });

// Dense throughout, with V3's attention.
constexpr auto dense_modules(const DecoderClasses& classes) {
    return decoder_modules(classes, latent_attention_modules(classes.attention), gated_modules(classes.feed_forward),
                           norm_modules);
}

constexpr std::array youtu_modules = dense_modules(classes_of<"Youtu">);
constexpr LlamaType youtu{.called = {"youtu", "Youtu", classes_of<"Youtu">, youtu_modules},
                          .usual = {.dim = 2048, .ffn_dim = 6144, .heads = 16, .vocab = 128256, .context = 131072},
                          .tied = true,
                          .head_dim_field = {},
                          .computing = {.pairs = RopePairs::neighbours, .yarn_scores = true, .rest = compute_pairs},
                          .own = {read<first_sizes>, write}};

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
void read_minicpm(ConfigReader& reader, Architecture& arch) {
    read<minicpm_sizes>(reader, arch);
    if (said(reader.config(), "v_head_dim")) return;
    const std::int64_t heads = arch.layer.attention.heads;
    if (arch.dim % heads != 0)
        reader.reject("num_attention_heads", std::to_string(heads) + " heads do not divide hidden_size evenly",
                      "give v_head_dim");
    arch.layer.attention.latent->value_dim = arch.dim / heads;
}

constexpr std::array minicpm_modules = dense_modules(minicpm_classes);
constexpr LlamaType minicpm{
    .called = {"minicpm3", "MiniCPM 3", minicpm_classes, minicpm_modules},
    .usual = {.dim = 2560, .ffn_dim = 6400, .layers = 62, .heads = 40, .vocab = 73448, .context = 32768},
    .tied = true,
    .head_dim_field = {},
    .mlp_bias_field = "mlp_bias",
    .norm = {.epsilon = 1e-5},
    .computing = {.rest = compute_minicpm},
    .own = {read_minicpm, write}};

}  // namespace deepseek

constexpr Family kimi_k2_family = llama_mixture<deepseek::kimi_k2>();
constexpr Family sarvam_mla_family = llama_mixture<deepseek::sarvam>();
constexpr Family glm4_moe_lite_family = llama_mixture<deepseek::glm_lite>();
constexpr Family axk1_family = llama_like<deepseek::axk1>();
constexpr Family mistral4_family = llama_like<deepseek::mistral4>();
constexpr Family minicpm3_family = known_to_recipes(llama_like<deepseek::minicpm>(), {.latent_whole = true});
constexpr Family youtu_family = llama_like<deepseek::youtu>();

}  // namespace headcount
