// How a configuration says that positions turn only a part of each head.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/arch/architecture.hpp"

namespace headcount {

// Adds the part as `field`, so that the same number of columns is read back (core/families/config_reader.hpp,
// rotary_dim). Where the model's own file says it inside rope_parameters, it goes there again: what stands there
// counts.
void write_rotary_part(nlohmann::ordered_json& config, const Architecture& arch, const std::string& field);

}  // namespace headcount
