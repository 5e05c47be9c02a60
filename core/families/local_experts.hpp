// Mixtures of experts in Mixtral's spellings: num_local_experts, and experts of the width that intermediate_size tells.
#pragma once

#include "core/families/llama_like.hpp"

namespace headcount {

struct LocalExperts {
    std::int64_t experts = 8, experts_per_token = 2;
};

// Experts in every layer, each as wide as the dense feed-forward that was read before.
Mixture read_local_experts(ConfigReader& reader, const Architecture& arch, const LocalExperts& defaults = {},
                           ConfigReader::Names per_token = {"num_experts_per_tok"});
void write_local_experts(nlohmann::ordered_json& config, const Architecture& arch);

// Reading and writing of a family that has nothing beside its type and these experts.
template <const Family& (*family)(), const LlamaType& type>
Result<Architecture> read_mixtral_like(const nlohmann::json& config) {
    ConfigReader reader(config);
    Architecture arch = read_llama_like(reader, config, family(), type);
    arch.layer.mixture = read_local_experts(reader, arch);
    return reader.finish(std::move(arch));
}
template <const LlamaType& type>
nlohmann::ordered_json write_mixtral_like(const Architecture& arch) {
    nlohmann::ordered_json config = write_llama_like(arch, type);
    write_local_experts(config, arch);
    return config;
}

}  // namespace headcount
