// DeepSeek V3.2 and GLM-5: DeepSeek V3's layers, where small heads choose which keys a token looks at (transformers,
// modeling_deepseek_v32.py, modeling_glm_moe_dsa.py).
#include <algorithm>

#include "core/families/deepseek.hpp"
#include "core/families/families.hpp"

namespace headcount {
namespace deepseek {

template <FixedText name>
constexpr auto indexed_modules_of(std::string_view mixture) {
    constexpr std::array<Module, 6> indexer{{
        {4, "self_attn", ModuleKind::container, {}, classes_of<name>.attention},
        {5, "indexer", ModuleKind::container, {}, joined_name<name, "Indexer">},
        {6, "wq_b", ModuleKind::linear, Part::index_query, {}},
        {6, "wk", ModuleKind::linear, Part::index_key, {}},
        {6, "k_norm", ModuleKind::norm, Part::index_norm, "LayerNorm"},
        {6, "weights_proj", ModuleKind::linear, Part::index_weight, {}},
    }};
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

void read_v32(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    read<first_sizes>(reader, config, arch);
    read_indexer(reader, arch, 64);
}

constexpr std::array v32_modules = indexed_modules_of<"DeepseekV32">("DeepseekV32MoE");
constexpr LlamaType v32 = [] {
    LlamaType other = v3;
    other.type = "deepseek_v32";
    other.name = "DeepSeek V3.2";
    other.classes = classes_of<"DeepseekV32">;
    other.modules = v32_modules;
    other.context = 163840;
    other.mixture->has_types = true;
    other.computing.rest = [](ComputationReader&, Computation& computation) { computation.latent_norm_epsilon = 1e-6; };
    other.read_rest = read_v32;
    other.write_rest = write_indexer;
    return other;
}();

// Some layers of GLM-5 take the choice of the one before: those that a list calls shared, or all but every so many.
constexpr Latent glm_dsa_sizes{.query_rank = 2048, .nope_dim = 192, .value_dim = 256};

void read_glm_dsa(ConfigReader& reader, const nlohmann::json& config, Architecture& arch) {
    read<glm_dsa_sizes>(reader, config, arch);
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
constexpr LlamaType glm_dsa = [] {
    LlamaType other = v32;
    other.type = "glm_moe_dsa";
    other.name = "GLM-5";
    other.classes = classes_of<"GlmMoeDsa">;
    other.modules = glm_dsa_modules;
    other.dim = 6144;
    other.ffn_dim = 12288;
    other.layers = 78;
    other.heads = 64;
    other.vocab = 154880;
    other.context = 202752;
    other.norm.epsilon = 1e-5;
    other.computing.routing.groups = other.computing.routing.groups_used = 1;
    other.read_rest = read_glm_dsa;
    other.write_rest = write_glm_dsa;
    return other;
}();

// Their layer_types has one word for all layers.
constexpr std::array ignored = std::to_array<std::string_view>({"layer_types"});

template <const Family& family, const LlamaType& type>
constexpr Family indexed() {
    Family other = llama_like<family, type>();
    other.ignored = ignored;
    return other;
}

}  // namespace deepseek

constexpr Family deepseek_v32_family = deepseek::indexed<deepseek_v32_family, deepseek::v32>();
constexpr Family glm_moe_dsa_family = deepseek::indexed<glm_moe_dsa_family, deepseek::glm_dsa>();

}  // namespace headcount
