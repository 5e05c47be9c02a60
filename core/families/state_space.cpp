// Types of models whose layers are state-space or recurrent ones: drawn as attention, what is counted would be wrong.
#include "core/families/state_space.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace headcount {
namespace {

constexpr std::array types =
    std::to_array<std::string_view>({"bamba", "falcon_h1", "falcon_mamba", "jamba", "mamba", "mamba2", "nemotron_h",
                                     "recurrent_gemma", "rwkv", "zamba", "zamba2"});

// Granite 4.0's small models have the fields of its large ones, and attention in every layer.
bool all_attention(const nlohmann::json& config) {
    const auto kinds = config.find("layer_types");
    if (kinds == config.end() || !kinds->is_array() || kinds->empty()) return false;
    return std::all_of(kinds->begin(), kinds->end(), [](const nlohmann::json& kind) {
        return kind == "attention" || kind == "full_attention" || kind == "sliding_attention";
    });
}

// The first field of state-space layers; empty where there is none.
std::string telling_field(const nlohmann::json& config) {
    const auto says = [&](std::string_view key) {
        const auto found = config.find(key);
        return found != config.end() && !found->is_null();
    };
    for (const auto& [key, value] : config.items())
        if (!value.is_null() && (key.starts_with("mamba_") || key.starts_with("ssm_"))) return key;
    return says("state_size") && says("conv_kernel") ? "state_size" : "";
}

}  // namespace

std::optional<Error> has_state_space(const nlohmann::json& config) {
    const auto type = config.find("model_type");
    const bool typed = type != config.end() && type->is_string();
    const bool by_type =
        typed && std::any_of(types.begin(), types.end(), [&](std::string_view each) { return *type == each; });
    const std::string field = by_type || all_attention(config) ? "" : telling_field(config);
    if (!by_type && field.empty()) return std::nullopt;
    std::string what = "its layers are state-space ones, which Headcount does not draw";
    if (by_type) what = "a model of type " + type->dump() + ": " + what;
    return Error{std::move(what), by_type ? "model_type" : field, "open a model whose layers all have attention"};
}

}  // namespace headcount
