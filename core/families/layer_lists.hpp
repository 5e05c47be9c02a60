// Which layers have something, as configurations say it: every so many, or a list; and attention windows, which some
// layers have.
#pragma once

#include <functional>

#include "core/families/config_reader.hpp"

namespace headcount {

// Every how many layers something is: as many as a set of layers can spell out, at most.
std::int64_t read_step(ConfigReader& reader, ConfigReader::Names names, std::int64_t otherwise);

// The layers behind the first ones, of which the field tells the number. An error where that is more than can be told
// apart in a model of so many layers.
LayerSet read_all_but_first(ConfigReader& reader, ConfigReader::Names names, std::int64_t otherwise,
                            std::int64_t layers);

// Those of the layers 0 ... layers - 1 that have it; of no more layers than a set can spell out.
LayerSet layers_where(std::int64_t layers, const std::function<bool(std::int64_t)>& has);

// All but the last of each `step` layers: "1110".
LayerSet all_but_every(std::int64_t step);

// The layers that are in `set` and not in `but`.
LayerSet without(const LayerSet& set, const LayerSet& but, std::int64_t layers);

// After how many layers the set starts again, where it is the last of each so many; nothing of other sets.
std::optional<std::int64_t> step_of(const LayerSet& set, std::int64_t layers);

// For writing: the layers' indices, a 1 or 0 for each, a word for each. Of no more layers than a list is read back.
nlohmann::ordered_json listed(const LayerSet& set, std::int64_t layers);
nlohmann::ordered_json flagged(const LayerSet& set, std::int64_t layers);
nlohmann::ordered_json worded(const LayerSet& set, std::int64_t layers, std::string_view in, std::string_view out);

// What an absent field means, and which fields there are.
struct WindowFields {
    std::optional<std::int64_t> size{};  // of sliding_window; absent: none
    bool has_switch = false;             // there is a window only where use_sliding_window is true
    bool has_types = true;               // layer_types says which layers have it

    // Which layers have it where layer_types does not say: all but the last of each so many, all behind so many, or
    // all.
    std::optional<std::int64_t> pattern{};
    bool first_sees_all = false;           // of each so many the first has none, not the last
    bool has_pattern_field = false;        // sliding_window_pattern may say another number
    std::optional<std::int64_t> behind{};  // of max_window_layers
};

// Reads sliding_window, where null is no window, and layer_types. Without layer_types the layers are `rule`, where one
// is given, else what the fields say, which are asked only where there is a window.
void read_window(ConfigReader& reader, Architecture& arch, const WindowFields& fields,
                 const std::optional<LayerSet>& rule = {});
void write_window(nlohmann::ordered_json& config, const Architecture& arch, const WindowFields& fields);

// Writes a word for each layer, of no more layers than a list is read back.
void write_layer_types(nlohmann::ordered_json& config, const LayerSet& windowed, std::int64_t layers);

// So many of the last layers use keys and values of earlier ones: each of the last with its own that has a window, or
// none, as it has. Rejected where there is none. To be read behind the window.
void read_borrowing(ConfigReader& reader, Architecture& arch, std::int64_t borrowing);

}  // namespace headcount
