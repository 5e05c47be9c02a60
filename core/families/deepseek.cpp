// DeepSeek V2 and V3, with latent attention, experts that every token passes and dense first layers; V3.2 and GLM-5,
// whose small heads choose which keys a token looks at (transformers, modeling_deepseek_v2.py, modeling_deepseek_v3.py,
// modeling_deepseek_v32.py, modeling_glm_moe_dsa.py).
#include "core/families/deepseek.hpp"

#include <algorithm>

#include "core/base/text.hpp"

namespace headcount {
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
constexpr LlamaType v2{.called = {"deepseek_v2", "DeepSeek V2", classes_of<"DeepseekV2">, v2_modules},
                       .usual = {.vocab = 102400},
                       .head_dim_field = {},
                       .mlp_bias_field = "mlp_bias",
                       .mixture = v2_experts,
                       .computing = {.pairs = RopePairs::neighbours,
                                     .routing = {.scores = RouterScores::softmax},
                                     .grouped = true,
                                     .routing_scale_field = "routed_scaling_factor",
                                     .yarn_scores = true,
                                     .rest = compute_v2},
                       .own = {read<first_sizes>, write}};

// DeepSeek V3.2 and GLM-5: small heads choose which keys a token looks at.
template <FixedText name>
constexpr auto indexed_modules_of(std::string_view mixture) {
    constexpr auto indexer = std::to_array<Module>({
        {4, "self_attn", ModuleKind::container, {}, classes_of<name>.attention},
        {5, "indexer", ModuleKind::container, {}, joined_name<name, "Indexer">},
        {6, "wq_b", ModuleKind::linear, Part::index_query, {}},
        {6, "wk", ModuleKind::linear, Part::index_key, {}},
        {6, "k_norm", ModuleKind::norm, Part::index_norm, "LayerNorm"},
        {6, "weights_proj", ModuleKind::linear, Part::index_weight, {}},
    });
    return decoder_modules(classes_of<name>, indexer, layer_modules<name>(mixture));
}

void read_indexer(ConfigReader& reader, Architecture& arch, std::int64_t heads) {
    if (!arch.layer.attention.latent->query_rank)
        reader.reject("q_lora_rank", "queries of this type come through a bottleneck", "give its width");
    Indexer indexer;
    indexer.heads = reader.number({"index_n_heads"}, heads);
    indexer.head_dim = reader.number({"index_head_dim"}, indexer.head_dim);
    indexer.chosen = reader.number({"index_topk"}, indexer.chosen);
    arch.layer.attention.indexer = indexer;
}

void write_indexer(nlohmann::ordered_json& config, const Architecture& arch) {
    write(config, arch);
    const std::optional<Indexer>& indexer = arch.layer.attention.indexer;
    if (!indexer) return;
    config["index_n_heads"] = indexer->heads;
    config["index_head_dim"] = indexer->head_dim;
    config["index_topk"] = indexer->chosen;
}

void read_v32(ConfigReader& reader, Architecture& arch) {
    read<first_sizes>(reader, arch);
    read_indexer(reader, arch, 64);
}

constexpr std::array v32_modules = indexed_modules_of<"DeepseekV32">("DeepseekV32MoE");
constexpr LlamaType v32 =
    changed(called(v3, "deepseek_v32", "DeepSeek V3.2", classes_of<"DeepseekV32">, v32_modules), [](LlamaType& other) {
        other.usual.context = 163840;
        other.mixture->has_types = true;
        other.computing.rest = [](ComputationReader&, Computation& computation) {
            computation.latent_norm_epsilon = 1e-6;
        };
        other.own = {read_v32, write_indexer};
    });

// Some layers of GLM-5 take the choice of the one before: those that a list calls shared, or all but every so many.
constexpr Latent glm_dsa_sizes{.query_rank = 2048, .nope_dim = 192, .value_dim = 256};

void read_glm_dsa(ConfigReader& reader, Architecture& arch) {
    read<glm_dsa_sizes>(reader, arch);
    read_indexer(reader, arch, 32);
    Indexer& indexer = *arch.layer.attention.indexer;
    const std::int64_t step = std::max<std::int64_t>(reader.number({"index_topk_freq"}, 1, 0), 1);
    const std::int64_t first = reader.number({"index_skip_topk_offset"}, 2, 0);
    const std::string letters = reader.text({"index_topk_pattern"}, "");
    if (auto listed = reader.layers_with({"indexer_types"}, "full", arch.layers, "shared"))
        indexer.layers = *listed;
    else if (!letters.empty() && static_cast<std::int64_t>(letters.size()) != arch.layers)
        reader.reject("index_topk_pattern", "there is not one letter for each layer", "give F or S for each");
    else if (!letters.empty())
        indexer.layers = layers_where(
            arch.layers, [&](std::int64_t layer) { return letters[static_cast<std::size_t>(layer)] == 'F'; });
    else if (step > 1)
        indexer.layers = layers_where(
            arch.layers, [&](std::int64_t layer) { return std::max<std::int64_t>(layer - first + 1, 0) % step == 0; });
}

void write_glm_dsa(nlohmann::ordered_json& config, const Architecture& arch) {
    write_indexer(config, arch);
    const std::optional<Indexer>& indexer = arch.layer.attention.indexer;
    if (indexer && arch.layers <= LayerSet::longest)
        config["indexer_types"] = worded(indexer->layers, arch.layers, "full", "shared");
}

constexpr std::array glm_dsa_modules = indexed_modules_of<"GlmMoeDsa">("GlmMoeDsaMoE");
constexpr LlamaType glm_dsa =
    changed(called(v32, "glm_moe_dsa", "GLM-5", classes_of<"GlmMoeDsa">, glm_dsa_modules), [](LlamaType& other) {
        other.usual = {.dim = 6144, .ffn_dim = 12288, .layers = 78, .heads = 64, .vocab = 154880, .context = 202752};
        other.norm.epsilon = 1e-5;
        other.computing.routing.groups = other.computing.routing.groups_used = 1;
        other.computing.index_heads.pairs = RopePairs::neighbours;
        other.own = {read_glm_dsa, write_glm_dsa};
    });

// Their layer_types has one word for all layers, and no matrix of theirs has the bias that mlp_bias speaks of.
constexpr std::string_view ignored = "layer_types mlp_bias";

template <const LlamaType& type>
constexpr Family indexed() {
    Family other = llama_like<type>();
    other.ignored = ignored;
    return other;
}

}  // namespace deepseek

constexpr Family deepseek_v2_family = llama_mixture<deepseek::v2>();
constexpr Family deepseek_v3_family = llama_mixture<deepseek::v3>();
constexpr Family deepseek_v32_family = known_to_peft(deepseek::indexed<deepseek::v32>(), {.experts_by_name = true});
constexpr Family glm_moe_dsa_family = known_to_peft(deepseek::indexed<deepseek::glm_dsa>(), {.experts_by_name = true});

}  // namespace headcount
