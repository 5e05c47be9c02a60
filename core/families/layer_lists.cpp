// Which layers have something, as configurations say it; attention windows.
#include "core/families/layer_lists.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "core/base/text.hpp"

namespace headcount {
namespace {

template <class Add>
nlohmann::ordered_json list_of(std::int64_t layers, const Add& add) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::int64_t layer = 0; layer < std::min(layers, LayerSet::longest); ++layer) add(list, layer);
    return list;
}

LayerSet layers_of(ConfigReader& reader, const Architecture& arch, const WindowFields& fields) {
    if (fields.behind) return read_all_but_first(reader, {"max_window_layers"}, *fields.behind, arch.layers);
    if (!fields.pattern) return {};
    if (fields.first_sees_all)
        return layers_where(arch.layers, [&](std::int64_t layer) { return layer % *fields.pattern > 0; });
    return all_but_every(fields.has_pattern_field ? read_step(reader, {"sliding_window_pattern"}, *fields.pattern)
                                                  : *fields.pattern);
}

}  // namespace

std::int64_t read_step(ConfigReader& reader, ConfigReader::Names names, std::int64_t otherwise) {
    const std::int64_t step = reader.number(names, otherwise);
    if (step <= LayerSet::longest) return step;
    reader.reject(grouped(step) + " is too large", "give at most " + grouped(LayerSet::longest));
    return otherwise;
}

LayerSet read_all_but_first(ConfigReader& reader, ConfigReader::Names names, std::int64_t otherwise,
                            std::int64_t layers) {
    const std::int64_t first = reader.number(names, otherwise, 0);
    if (first > LayerSet::longest && layers > LayerSet::longest)
        reader.reject(grouped(first) + " layers are too many to be told apart",
                      "give at most " + grouped(LayerSet::longest));
    return LayerSet::all_but_first(first);
}

LayerSet layers_where(std::int64_t layers, const std::function<bool(std::int64_t)>& has) {
    const std::int64_t most = std::clamp<std::int64_t>(layers, 0, LayerSet::longest);
    auto flags = std::make_unique<bool[]>(static_cast<std::size_t>(most));
    for (std::int64_t layer = 0; layer < most; ++layer) flags[static_cast<std::size_t>(layer)] = has(layer);
    return LayerSet::of({flags.get(), static_cast<std::size_t>(most)});
}

LayerSet all_but_every(std::int64_t step) {
    return layers_where(step, [&](std::int64_t layer) { return layer != step - 1; });
}

LayerSet without(const LayerSet& set, const LayerSet& but, std::int64_t layers) {
    return layers_where(layers, [&](std::int64_t layer) { return set.contains(layer) && !but.contains(layer); });
}

std::optional<std::int64_t> step_of(const LayerSet& set, std::int64_t layers) {
    return set.same_in(LayerSet::every(set.cycle()), layers) ? std::optional(set.cycle()) : std::nullopt;
}

nlohmann::ordered_json listed(const LayerSet& set, std::int64_t layers) {
    return list_of(layers, [&](nlohmann::ordered_json& list, std::int64_t layer) {
        if (set.contains(layer)) list.push_back(static_cast<std::uint64_t>(layer));
    });
}

nlohmann::ordered_json flagged(const LayerSet& set, std::int64_t layers) {
    return list_of(
        layers, [&](nlohmann::ordered_json& list, std::int64_t layer) { list.push_back(set.contains(layer) ? 1 : 0); });
}

nlohmann::ordered_json worded(const LayerSet& set, std::int64_t layers, std::string_view in, std::string_view out) {
    return list_of(layers, [&](nlohmann::ordered_json& list, std::int64_t layer) {
        list.push_back(set.contains(layer) ? in : out);
    });
}

void read_window(ConfigReader& reader, Architecture& arch, const WindowFields& fields,
                 const std::optional<LayerSet>& rule) {
    const std::optional<std::int64_t> given = reader.optional_number({"sliding_window"});
    const std::optional<std::int64_t> size = reader.config().contains("sliding_window") ? given : fields.size;
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

void read_borrowing(ConfigReader& reader, Architecture& arch, std::int64_t borrowing) {
    const std::int64_t own = arch.layers - borrowing;
    if (borrowing == 0) return;
    arch.layer.attention.borrowing = layers_where(arch.layers, [&](std::int64_t each) { return each >= own; });
    const LayerSet windowed = arch.layer.attention.window ? arch.layer.attention.window->layers : LayerSet{};
    std::array<bool, 2> lent{};  // without a window, with one
    for (std::int64_t each = 0; each < arch.layers; ++each) {
        bool& of_its_kind = lent[windowed.contains(each) ? 1 : 0];
        of_its_kind = of_its_kind || each < own;
        if (!of_its_kind)
            return reader.reject("num_kv_shared_layers", "no earlier layer of the kind has keys and values to lend",
                                 "give a smaller number");
    }
}

}  // namespace headcount
