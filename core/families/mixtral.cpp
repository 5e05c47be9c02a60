// Mixtral: Mistral's layout with experts in every layer (Jiang et al. 2024; transformers, modeling_mixtral.py).
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/mixture_layout.hpp"
#include "core/families/windows.hpp"

namespace headcount {
namespace {

constexpr std::array<Module, 6> experts{{
    {5, "experts", ModuleKind::container, {}, "MixtralExperts"},
    {6, "{e}", ModuleKind::expert, {}, "MixtralBlockSparseTop2MLP"},
    {7, "w1", ModuleKind::linear, Part::expert_gate, {}},
    {7, "w2", ModuleKind::linear, Part::expert_down, {}},
    {7, "w3", ModuleKind::linear, Part::expert_up, {}},
    {6, "act_fn", ModuleKind::activation, {}, {}},
}};

constexpr std::array modules =
    join(model_modules("MixtralForCausalLM", "MixtralModel", "MixtralDecoderLayer"),
         attention_modules("MixtralAttention"), mixture_modules("block_sparse_moe", "MixtralSparseMoeBlock"),
         router_modules("gate", "MixtralTopKRouter"), experts, norm_modules, output_modules("MixtralRotaryEmbedding"));

constexpr LlamaType type{.class_name = "MixtralForCausalLM",
                         .ffn_dim = 14336,
                         .kv_heads = 8,
                         .context = 131072,
                         .qkv_bias_field = {},
                         .norm = {.epsilon = 1e-5}};
constexpr WindowFields window{.has_types = false};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, mixtral_family(), type);
    Mixture mixture;
    mixture.experts = reader.number({"num_local_experts", "num_experts"}, 8);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, 2);
    mixture.expert_dim = std::get<std::int64_t>(arch.layer.feed_forward.width);
    arch.layer.mixture = mixture;
    read_window(reader, config, arch, window, every_layer);
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_window(config, arch, window);
    if (!arch.layer.mixture) return config;
    config["intermediate_size"] = arch.layer.mixture->expert_dim;
    config["num_local_experts"] = arch.layer.mixture->experts;
    config["num_experts_per_tok"] = arch.layer.mixture->experts_per_token;
    return config;
}

constexpr Family family{"mixtral", "Mixtral", "MixtralRMSNorm", "model", modules, read, write};

}  // namespace

const Family& mixtral_family() {
    return family;
}

}  // namespace headcount
