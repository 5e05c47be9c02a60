// Attention windows in configurations: how wide, and in which layers.
#include "core/families/windows.hpp"

#include "core/families/layer_lists.hpp"

namespace headcount {
namespace {

LayerSet layers_of(ConfigReader& reader, const Architecture& arch, const WindowFields& fields) {
    if (fields.behind) return read_all_but_first(reader, {"max_window_layers"}, *fields.behind, arch.layers);
    if (!fields.pattern) return {};
    return all_but_every(fields.has_pattern_field ? read_step(reader, {"sliding_window_pattern"}, *fields.pattern)
                                                  : *fields.pattern);
}

}  // namespace

void read_window(ConfigReader& reader, const nlohmann::json& config, Architecture& arch, const WindowFields& fields,
                 const std::optional<LayerSet>& rule) {
    const std::optional<std::int64_t> given = reader.optional_number({"sliding_window"});
    const std::optional<std::int64_t> size = config.contains("sliding_window") ? given : fields.size;
    const bool on = !fields.has_switch || reader.flag({"use_sliding_window"}, false);
    std::optional<LayerSet> layers;
    if (fields.has_types)
        layers = reader.layers_with({"layer_types"}, "sliding_attention", arch.layers, "full_attention");
    if (!on || !size) return;
    if (!layers) layers = rule ? *rule : layers_of(reader, arch, fields);
    arch.layer.attention.window = AttentionWindow{.size = *size, .layers = std::move(*layers)};
}

void write_window(nlohmann::ordered_json& config, const Architecture& arch, const WindowFields& fields) {
    const std::optional<AttentionWindow>& window = arch.layer.attention.window;
    if (fields.has_switch) config["use_sliding_window"] = window.has_value();
    config["sliding_window"] = window ? nlohmann::ordered_json(window->size) : nlohmann::ordered_json();
    if (fields.has_types) write_layer_types(config, window ? window->layers : LayerSet::none(), arch.layers);
}

void write_layer_types(nlohmann::ordered_json& config, const LayerSet& windowed, std::int64_t layers) {
    // A list longer than is read back: the type's own pattern must do, and where it is another, that is said then.
    if (layers <= LayerSet::longest)
        config["layer_types"] = worded(windowed, layers, "sliding_attention", "full_attention");
}

}  // namespace headcount
