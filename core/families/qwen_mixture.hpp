// What Qwen's mixtures share: spellings in config.json, and the module that says how much the shared experts count.
#pragma once

#include "core/families/config_reader.hpp"
#include "core/families/layout.hpp"

namespace headcount {

struct QwenMixtureDefaults {
    std::int64_t experts, experts_per_token, expert_dim;
};

// Experts in every `decoder_sparse_step`-th layer that is not among `mlp_only_layers`; at least so many.
Mixture read_qwen_mixture(ConfigReader& reader, std::int64_t layers, const QwenMixtureDefaults& defaults,
                          std::int64_t least = 1);
void write_qwen_mixture(nlohmann::ordered_json& config, const Architecture& arch);

// Experts that every token passes, gated; so wide together where the file does not say it.
void read_qwen_shared_experts(ConfigReader& reader, Mixture& mixture, std::int64_t otherwise);
void write_qwen_shared_experts(nlohmann::ordered_json& config, const Architecture& arch);

inline constexpr auto shared_gate_modules = std::to_array<Module>({
    {5, "shared_expert_gate", ModuleKind::linear, Part::shared_weight, {}},
});

}  // namespace headcount
