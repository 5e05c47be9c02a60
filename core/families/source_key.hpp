// Which key of a configuration a field of an architecture was read from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/arch/fields.hpp"

namespace headcount {

// "num_key_value_heads" for the key/value heads, in whatever spelling the file has: found by trying, as the family
// reads the file again with one number changed after the other. Empty where no key says the field: it is the type's
// default.
std::string source_key(const Family& family, const nlohmann::json& config, Field field);

}  // namespace headcount
