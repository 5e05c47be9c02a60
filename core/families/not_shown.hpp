// Types of models that Headcount does not show: those with an encoder, and those without attention.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/base/result.hpp"

namespace headcount {

// Why the configuration is of no decoder-only model, where it says so: by its type, or by is_encoder_decoder.
std::optional<Error> has_encoder(const nlohmann::json& config);

// Why the configuration, of a type that is not known, is of no model whose layers all have attention: by its type, or
// by fields that only state-space layers have.
std::optional<Error> has_state_space(const nlohmann::json& config);

}  // namespace headcount
