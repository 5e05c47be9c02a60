// Mixtures of experts in Mixtral's spellings (transformers, configuration_mixtral.py).
#include "core/families/local_experts.hpp"

namespace headcount {

Mixture read_local_experts(ConfigReader& reader, const Architecture& arch, const LocalExperts& defaults,
                           ConfigReader::Names per_token) {
    Mixture mixture;
    mixture.experts = reader.number({"num_local_experts", "num_experts"}, defaults.experts);
    mixture.experts_per_token = reader.number(per_token, defaults.experts_per_token);
    mixture.expert_dim = std::get<std::int64_t>(arch.layer.feed_forward.width);
    return mixture;
}

void write_local_experts(nlohmann::ordered_json& config, const Architecture& arch) {
    if (!arch.layer.mixture) return;
    config["intermediate_size"] = arch.layer.mixture->expert_dim;
    config["num_local_experts"] = arch.layer.mixture->experts;
    config["num_experts_per_tok"] = arch.layer.mixture->experts_per_token;
}

}  // namespace headcount
