// What Qwen's mixtures share: which of their layers have experts, and how those are spelled.
#pragma once

#include "core/families/layer_lists.hpp"

namespace headcount {

struct QwenMixtureDefaults {
    std::int64_t experts, experts_per_token, expert_dim;
};

// Experts in every `decoder_sparse_step`-th layer that is not among `mlp_only_layers`.
Mixture read_qwen_mixture(ConfigReader& reader, std::int64_t layers, const QwenMixtureDefaults& defaults);
void write_qwen_mixture(nlohmann::ordered_json& config, const Architecture& arch);

// use_sliding_window and sliding_window; `layers` are those that slide where nothing else is said.
void read_qwen_window(ConfigReader& reader, Architecture& arch, const LayerSet& layers);
void write_qwen_window(nlohmann::ordered_json& config, const Architecture& arch);

}  // namespace headcount
