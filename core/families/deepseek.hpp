// Latent attention in DeepSeek's spellings: q_lora_rank, kv_lora_rank, ...
#pragma once

#include "core/families/config_reader.hpp"

namespace headcount {

// Where the file does not say how wide the bottleneck before the queries is, it is `query_rank` wide; null says that
// there is none.
Latent read_latent(ConfigReader& reader, const nlohmann::json& config, std::optional<std::int64_t> query_rank);
void write_latent(nlohmann::ordered_json& config, const Latent& latent);

}  // namespace headcount
