// Types of models whose layers are state-space or recurrent ones, which Headcount does not draw.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/base/result.hpp"

namespace headcount {

// Why the configuration, of a type that is not known, is of no model whose layers all have attention: by its type, or
// by fields that only state-space layers have.
std::optional<Error> has_state_space(const nlohmann::json& config);

}  // namespace headcount
