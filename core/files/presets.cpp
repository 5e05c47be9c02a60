// The models that ship with the program: one JSON file each in assets/presets.
#include "core/files/presets.hpp"

#include <algorithm>
#include <array>

#include "core/arch/validate.hpp"
#include "core/base/find.hpp"
#include "core/base/json_fields.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/families/unknown.hpp"
#include "core/files/assets.hpp"
#include "core/files/config.hpp"
#include "core/files/open.hpp"

namespace headcount {
namespace {

Result<Architecture> apply_set(Architecture arch, const nlohmann::json& set) {
    for (const auto& [key, value] : set.items()) {
        std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        Result<Architecture> changed = with_field(std::move(arch), key, text);
        if (!changed) return within("set", changed.error());
        arch = std::move(*changed);
    }
    if (std::vector<Problem> problems = validate(arch); !problems.empty()) return within("set", problems.front().error);
    return arch;
}

std::optional<Error> wrong_text(const nlohmann::json& json, std::string_view key) {
    auto found = json.find(key);
    if (found != json.end() && found->is_string() && !found->get_ref<const std::string&>().empty()) return std::nullopt;
    return Error{"there is no text " + quote(key), "", "give one in quotes"};
}

// By its configuration, or by the name of a model that ships with weights: then it is that's own.
Result<Architecture> read_model_of(const nlohmann::json& json) {
    if (json.contains("weights")) {
        if (std::optional<Error> error = wrong_text(json, "weights")) return *error;
        if (json.contains("config")) return Error{"there are both \"config\" and \"weights\"", "", "give one of them"};
        const std::string name = json["weights"].get<std::string>(), folder = or_shipped_model(name);
        if (folder == name)
            return Error{"no model " + quote(name) + " ships with weights", "weights",
                         "name a folder of assets/models"};
        const Result<nlohmann::json> config = read_json(std::filesystem::path(folder) / "config.json");
        return config ? read_config(*config, "config.json") : config.error();
    }
    auto config = json.find("config");
    if (config == json.end() || !config->is_object())
        return Error{"there is no \"config\"", "", "give a Hugging Face configuration"};
    return read_config(*config, "config");
}

Result<Preset> read_preset(const nlohmann::json& json, std::string id) {
    constexpr std::array<std::string_view, 11> keys{"name",  "family", "year",   "source",  "checked", "note",
                                                    "after", "also",   "config", "weights", "set"};
    if (std::optional<Error> error = json_fields::unknown_key(json, "", keys)) return *error;
    for (std::string_view key : {"name", "family", "source"})
        if (std::optional<Error> error = wrong_text(json, key)) return *error;
    Result<Architecture> arch = read_model_of(json);
    if (arch && json.contains("set")) {
        if (!json["set"].is_object()) return Error{"\"set\" is not an object", "", "give fields by name in { }"};
        arch = apply_set(std::move(*arch), json["set"]);
    }
    if (!arch) return arch.error();
    arch->name = json["name"].get<std::string>();
    // As it stays wherever it is saved: beside the configuration the preset says what that leaves open.
    if (!note_on_difference(*arch).empty()) arch->carried = arch->carried.with(std::string(compared_field), true);
    Preset preset{.id = std::move(id),
                  .group = json["family"].get<std::string>(),
                  .year = std::nullopt,
                  .source = json["source"].get<std::string>(),
                  .note = "",
                  .architecture = *arch,
                  .ships_weights = json.contains("weights")};
    if (json.contains("year") && json["year"].is_number_integer()) preset.year = json["year"].get<int>();
    if (json.contains("note") && json["note"].is_string()) preset.note = json["note"].get<std::string>();
    if (json.contains("after")) {
        if (std::optional<Error> error = wrong_text(json, "after")) return *error;
        preset.after = json["after"].get<std::string>();
    }
    if (const auto also = json.find("also"); also != json.end()) {
        const auto is_text = [](const nlohmann::json& name) { return name.is_string(); };
        if (!also->is_array() || !std::ranges::all_of(*also, is_text))
            return Error{"this is no list of names", "also", "give a list of names in quotes"};
        preset.also = also->get<std::vector<std::string>>();
    }
    return preset;
}

// Headings by letters, whatever their case; worked examples come last.
bool heading_order(std::string_view a, std::string_view b) {
    constexpr std::string_view last = "Worked examples";
    if ((a == last) != (b == last)) return b == last;
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return lower(x) < lower(y); });
}

// A measure of size that needs no counting: the large matrices, good enough to sort a menu.
double rough_size(const Architecture& arch) {
    const Bindings values = bindings(arch, Input{});
    const auto number = [&](Symbol symbol) { return static_cast<double>(values[symbol].value_or(0)); };
    const double width = number(Symbol::dim), layers = number(Symbol::layers);
    const double matrices = arch.layer.feed_forward.gated ? 3 : 2;
    const double mixtures =
        arch.layer.mixture ? static_cast<double>(arch.layer.mixture->layers.count(arch.layers)) : 0.0;
    const double attention =
        2 * number(Symbol::heads) * number(Symbol::head_dim) + 2 * number(Symbol::kv_heads) * number(Symbol::head_dim);
    const double dense = matrices * number(Symbol::ffn_dim) * (layers - mixtures);
    const double experts = matrices * number(Symbol::expert_dim) * number(Symbol::experts) * mixtures;
    return width * (number(Symbol::vocab) + layers * attention + dense + experts);
}

Result<Preset> preset_in(const std::filesystem::path& file) {
    Result<nlohmann::json> json = read_json(file);
    if (!json) return json.error();
    Result<Preset> preset = read_preset(*json, file.stem().string());
    if (!preset) return within(file.string(), preset.error());
    preset->file = file;
    return preset;
}

struct DamagedPreset {
    std::string id;
    Error error;
};

struct FoundPresets {
    std::vector<Preset> presets;
    std::vector<DamagedPreset> damaged;
};

Result<FoundPresets> find_presets(const std::filesystem::path& directory) {
    const Result<std::vector<std::filesystem::path>> files =
        json_files(directory, "set HEADCOUNT_ASSETS to the program's assets");
    if (!files) return files.error();
    FoundPresets found;
    for (const std::filesystem::path& file : *files) {
        Result<Preset> preset = preset_in(file);
        if (preset)
            found.presets.push_back(std::move(*preset));
        else
            found.damaged.push_back({file.stem().string(), preset.error()});
    }
    std::ranges::sort(found.presets, [](const Preset& a, const Preset& b) {
        if (a.group != b.group) return heading_order(a.group, b.group);
        double size_a = rough_size(a.architecture), size_b = rough_size(b.architecture);
        return size_a != size_b ? size_a < size_b : a.id < b.id;
    });
    return found;
}

Result<FoundPresets> find_shipped_presets() {
    Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    Result<FoundPresets> found = find_presets(*assets / "presets");
    if (found && found->presets.empty())
        return found->damaged.empty()
                   ? Error{"there are no presets", (*assets / "presets").string(), "install the program again"}
                   : found->damaged.front().error;
    return found;
}

}  // namespace

Result<std::vector<Preset>> load_presets(const std::filesystem::path& directory) {
    Result<FoundPresets> found = find_presets(directory);
    if (!found) return found.error();
    if (!found->damaged.empty()) return found->damaged.front().error;
    return std::move(found->presets);
}

Result<std::vector<Preset>> shipped_presets(std::vector<std::string>* left_out) {
    Result<FoundPresets> found = find_shipped_presets();
    if (!found) return found.error();
    for (const DamagedPreset& each : found->damaged)
        if (left_out)
            left_out->push_back("The preset " + quote(each.id) + " is left out: " + sentence(each.error) + ".");
    return std::move(found->presets);
}

Result<std::vector<Preset>> presets_to_open(std::string_view text) {
    const Result<std::filesystem::path> assets = assets_directory();
    std::error_code ignored;
    if (assets && !text.empty() && text.find('/') == std::string_view::npos) {
        const std::filesystem::path file = *assets / "presets" / (std::string(text) + ".json");
        if (std::filesystem::is_regular_file(file, ignored))
            if (Result<Preset> preset = preset_in(file)) return std::vector{std::move(*preset)};
    }
    if (std::filesystem::exists(text, ignored)) return std::vector<Preset>{};
    return shipped_presets();
}

std::optional<Error> damaged_preset(std::string_view id) {
    const Result<FoundPresets> found = find_shipped_presets();
    if (!found) return std::nullopt;
    for (const DamagedPreset& each : found->damaged)
        if (each.id == id) return each.error;
    return std::nullopt;
}

const Preset* find_preset(std::span<const Preset> presets, std::string_view id) {
    return find_in(presets, id, &Preset::id);
}

Result<const Preset*> preset_named(std::span<const Preset> presets, std::string_view id, std::string_view where) {
    if (const Preset* preset = find_preset(presets, id)) return preset;
    std::vector<std::string_view> ids;
    for (const Preset& each : presets) ids.push_back(each.id);
    return Error{"there is no preset " + quote(id), std::string(where),
                 did_you_mean(id, ids, "\"headcount presets\" lists them")};
}

}  // namespace headcount
