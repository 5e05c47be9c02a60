// The family for a model_type that is not known: LLaMA's skeleton with the file's sizes, marked as not verified.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/arch/family.hpp"

namespace headcount {

// Its type is "unknown"; the file's own type and classes are among what the architecture carries, so that an export
// says them again.
const Family& unknown_family();

// Whether the sizes that no skeleton is without are there in some spelling: width, layers, heads, vocabulary.
bool looks_like_decoder(const nlohmann::json& config);

// What such a file leaves open and is taken for granted: "a tied output head", "rotary positions", ...
std::vector<std::string> assumptions(const nlohmann::json& config);

// Those of these sizes that the file of a known type leaves to the type: "a width of 4,096", "32 layers".
std::vector<std::string> unsaid_sizes(const nlohmann::json& config, const Architecture& arch);

// The field that names an activation function that is not known here, and that is taken for SiLU; empty where there is
// none.
std::string unknown_activation(const nlohmann::json& config);

// "LLaMA"; of an unknown type "not verified: TYPE".
std::string family_label(const Architecture& arch);

}  // namespace headcount
