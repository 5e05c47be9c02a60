// Mixtures of experts in Mixtral's spellings: num_local_experts, and experts of the width that intermediate_size tells.
#pragma once

#include "core/families/config_reader.hpp"

namespace headcount {

struct LocalExperts {
    std::int64_t experts = 8, experts_per_token = 2;
};

// Experts in every layer, each as wide as the dense feed-forward that was read before.
Mixture read_local_experts(ConfigReader& reader, const Architecture& arch, const LocalExperts& defaults = {},
                           ConfigReader::Names per_token = {"num_experts_per_tok"});
void write_local_experts(nlohmann::ordered_json& config, const Architecture& arch);

}  // namespace headcount
