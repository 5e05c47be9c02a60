// How a configuration says which columns positions turn, and by which angles (transformers, modeling_rope_utils.py).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/arch/architecture.hpp"
#include "core/arch/computation.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Where rope_theta and the scaling stand: at the top with "rope_scaling", or both in "rope_parameters", which may hold
// one object for each kind of layer ("full_attention", "sliding_attention").
struct RopeFields {
    const nlohmann::json& config;
    const Architecture& arch;
    std::string_view layer_kind{};               // the object inside rope_parameters, where there are several
    std::string_view base_field = "rope_theta";  // at the top
    double base_otherwise = 10000;
    bool scaled = true;  // whether "rope_scaling" speaks of these layers
};

Result<Rope> read_rope(const RopeFields& fields);

// What DeepSeek multiplies the scores by where the context was stretched, from mscale_all_dim (modeling_deepseek_v3.py,
// yarn_apply_mscale).
std::optional<double> read_score_sharpening(const nlohmann::json& config);

// How queries grow with their position, as Mistral's files say it among the rotary positions.
std::optional<QueryTemperature> read_query_temperature(const nlohmann::json& config);

// Adds the part as `field`, so that the same number of columns is read back (core/families/config_reader.hpp,
// rotary_dim). Where the model's own file says it inside rope_parameters, it goes there again: what stands there
// counts.
void write_rotary_part(nlohmann::ordered_json& config, const Architecture& arch, const std::string& field);

}  // namespace headcount
