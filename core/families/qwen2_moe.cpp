// Qwen 1.5's and 2's mixtures: biases of queries, keys and values, and experts that every token passes, gated
// (transformers, modeling_qwen2_moe.py).
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/families/computing.hpp"
#include "core/families/families.hpp"
#include "core/families/llama_like.hpp"
#include "core/families/mixture_layout.hpp"
#include "core/families/qwen_mixture.hpp"

namespace headcount {
namespace qwen2_moe {

constexpr std::array<Module, 1> shared_gate{{
    {5, "shared_expert_gate", ModuleKind::linear, Part::shared_weight, {}},
}};

constexpr std::array modules = join(
    model_modules("Qwen2MoeForCausalLM", "Qwen2MoeModel", "Qwen2MoeDecoderLayer"),
    attention_modules("Qwen2MoeAttention"), gated_modules("Qwen2MoeMLP"),
    mixture_modules("mlp", "Qwen2MoeSparseMoeBlock"), router_modules("gate", "Qwen2MoeTopKRouter"),
    expert_modules("Qwen2MoeExperts", "Qwen2MoeMLP"), shared_expert_modules("shared_expert", "Qwen2MoeMLP", "act_fn"),
    shared_gate, norm_modules, output_modules("Qwen2MoeRotaryEmbedding"));

// Of the first `max_window_layers` every other one slides.
LayerSet sliding_layers(ConfigReader& reader, std::int64_t layers) {
    const LayerSet behind = read_all_but_first(reader, {"max_window_layers"}, 28, layers);
    std::optional<LayerSet> given = reader.layers_with({"layer_types"}, "sliding_attention", layers, "full_attention");
    if (given) return *given;
    return without(all_but_every(2), behind, layers);
}

constexpr LlamaType type{.class_name = "Qwen2MoeForCausalLM",
                         .dim = 2048,
                         .ffn_dim = 5632,
                         .layers = 24,
                         .heads = 16,
                         .kv_heads = 16,
                         .vocab = 151936,
                         .context = 32768,
                         .qkv_bias = true,
                         .qkv_bias_field = "qkv_bias",
                         .qkv_bias_is_output_bias = false};

Result<Architecture> read(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, qwen2_moe_family(), type);
    read_qwen_window(reader, arch, sliding_layers(reader, arch.layers));
    Mixture mixture = read_qwen_mixture(reader, arch.layers, {60, 4, 1408});
    const std::int64_t shared = reader.number({"shared_expert_intermediate_size"}, 5632);
    mixture.shared_experts = shared / mixture.expert_dim;
    mixture.shared_gate = true;
    if (shared % mixture.expert_dim != 0)
        reader.reject(
            "shared_expert_intermediate_size",
            std::to_string(shared) + " is not a whole number of experts of " + std::to_string(mixture.expert_dim),
            "give a multiple of moe_intermediate_size");
    arch.layer.mixture = mixture;
    return reader.finish(std::move(arch));
}

nlohmann::ordered_json write(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_qwen_window(config, arch);
    if (const std::optional<AttentionWindow>& window = arch.layer.attention.window)
        config["layer_types"] = worded(window->layers, arch.layers, "sliding_attention", "full_attention");
    write_qwen_mixture(config, arch);
    if (const std::optional<Mixture>& mixture = arch.layer.mixture)
        config["shared_expert_intermediate_size"] =
            checked_multiply(mixture->shared_experts, mixture->expert_dim).value_or(0);
    return config;
}

constexpr ComputationType computing{.routing = {.scores = RouterScores::softmax}, .normalizes = true};

constexpr Family family{"qwen2_moe", "Qwen 2 MoE", "Qwen2MoeRMSNorm", "model", modules,
                        read,        write,        compute<computing>};

}  // namespace qwen2_moe

const Family& qwen2_moe_family() {
    return qwen2_moe::family;
}

}  // namespace headcount
