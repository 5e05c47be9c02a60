// Attention windows in configurations: how wide, and in which layers.
#pragma once

#include <functional>

#include "core/families/config_reader.hpp"

namespace headcount {

// What an absent field means, and which fields there are.
struct WindowFields {
    std::optional<std::int64_t> size{};  // of sliding_window; absent: none
    bool has_switch = false;             // there is a window only where use_sliding_window is true
    bool has_types = true;               // layer_types says which layers have it
};

// Reads sliding_window, where null is no window, and layer_types. Without layer_types the layers are what `otherwise`
// says, which is asked only where there is a window.
void read_window(ConfigReader& reader, const nlohmann::json& config, Architecture& arch, const WindowFields& fields,
                 const std::function<LayerSet()>& otherwise);
void write_window(nlohmann::ordered_json& config, const Architecture& arch, const WindowFields& fields);

// Every layer; for models whose layers do not differ.
inline LayerSet every_layer() {
    return {};
}

// All but the last of each sliding_window_pattern layers.
std::function<LayerSet()> by_pattern(ConfigReader& reader, std::int64_t otherwise);

}  // namespace headcount
