// Types of models that have an encoder, which Headcount does not show.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/base/result.hpp"

namespace headcount {

// Why the configuration is of no decoder-only model, where it says so: by its type, or by is_encoder_decoder.
std::optional<Error> has_encoder(const nlohmann::json& config);

}  // namespace headcount
