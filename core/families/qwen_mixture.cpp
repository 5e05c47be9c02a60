// What Qwen's mixtures share (transformers, configuration_qwen2_moe.py and configuration_qwen3_moe.py).
#include "core/families/qwen_mixture.hpp"

#include "core/base/text.hpp"

namespace headcount {

Mixture read_qwen_mixture(ConfigReader& reader, std::int64_t layers, const QwenMixtureDefaults& defaults) {
    Mixture mixture;
    mixture.experts = reader.number({"num_experts", "num_local_experts"}, defaults.experts);
    mixture.experts_per_token = reader.number({"num_experts_per_tok"}, defaults.experts_per_token);
    mixture.expert_dim = reader.number({"moe_intermediate_size"}, defaults.expert_dim);
    mixture.layers = LayerSet::every(read_step(reader, {"decoder_sparse_step"}, 1));
    const std::optional<LayerSet> dense = reader.layers_listed({"mlp_only_layers"}, layers);
    if (!dense || dense->count(layers) == 0) return mixture;
    mixture.layers = without(mixture.layers, *dense, layers);
    if (layers > LayerSet::longest)
        reader.reject("mlp_only_layers", "the layers of " + grouped(layers) + " cannot be told apart one by one",
                      "list them of at most " + grouped(LayerSet::longest) + " layers");
    return mixture;
}

void write_qwen_mixture(nlohmann::ordered_json& config, const Architecture& arch) {
    if (!arch.layer.mixture) return;
    const Mixture& mixture = *arch.layer.mixture;
    config["num_experts"] = mixture.experts;
    config["num_experts_per_tok"] = mixture.experts_per_token;
    config["moe_intermediate_size"] = mixture.expert_dim;
    const std::optional<std::int64_t> step = step_of(mixture.layers, arch.layers);
    config["decoder_sparse_step"] = step.value_or(1);
    // The layers that have no experts one by one, where no rhythm says which.
    if (!step) config["mlp_only_layers"] = listed(without({}, mixture.layers, arch.layers), arch.layers);
}

void read_qwen_window(ConfigReader& reader, Architecture& arch, const LayerSet& layers) {
    const std::int64_t size = reader.number({"sliding_window"}, 4096, 0);
    if (reader.flag({"use_sliding_window"}, false) && size > 0 && layers.count(arch.layers) > 0)
        arch.layer.attention.window = AttentionWindow{size, false, layers};
}

void write_qwen_window(nlohmann::ordered_json& config, const Architecture& arch) {
    const std::optional<AttentionWindow>& window = arch.layer.attention.window;
    config["use_sliding_window"] = window.has_value();
    config["sliding_window"] = window ? nlohmann::ordered_json(window->size) : nullptr;
}

}  // namespace headcount
