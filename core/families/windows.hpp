// Attention windows in configurations: how wide, and in which layers.
#pragma once

#include "core/families/config_reader.hpp"

namespace headcount {

// What an absent field means, and which fields there are.
struct WindowFields {
    std::optional<std::int64_t> size{};  // of sliding_window; absent: none
    bool has_switch = false;             // there is a window only where use_sliding_window is true
    bool has_types = true;               // layer_types says which layers have it

    // Which layers have it where layer_types does not say: all but the last of each so many, all behind so many, or
    // all.
    std::optional<std::int64_t> pattern{};
    bool has_pattern_field = false;        // sliding_window_pattern may say another number
    std::optional<std::int64_t> behind{};  // of max_window_layers
};

// Reads sliding_window, where null is no window, and layer_types. Without layer_types the layers are `rule`, where one
// is given, else what the fields say, which are asked only where there is a window.
void read_window(ConfigReader& reader, const nlohmann::json& config, Architecture& arch, const WindowFields& fields,
                 const std::optional<LayerSet>& rule = {});
void write_window(nlohmann::ordered_json& config, const Architecture& arch, const WindowFields& fields);

// Writes a word for each layer, of no more layers than a list is read back.
void write_layer_types(nlohmann::ordered_json& config, const LayerSet& windowed, std::int64_t layers);

}  // namespace headcount
