// What the command line and the window call ARCH: a preset's id or a path, opened as an architecture.
#include "core/files/open.hpp"

#include "core/arch/validate.hpp"
#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/files/architecture_json.hpp"
#include "core/files/config.hpp"

namespace headcount {
namespace {

Error unknown(std::string_view text, std::span<const Preset> presets) {
    const std::string listed = "\"headcount presets\" lists what there is";
    if (text.empty()) return {"there is no preset and no file without a name", "ARCH", listed};
    std::vector<std::string_view> ids;
    for (const Preset& preset : presets) ids.push_back(preset.id);
    std::string nearest = did_you_mean(nearest_names(text, ids));
    return {"there is no preset and no file of this name", std::string(text), nearest.empty() ? listed : nearest};
}

// A name for what has none of its own: the directory of a config.json, else the file.
std::string name_for(const std::filesystem::path& path) {
    std::filesystem::path whole = std::filesystem::absolute(path).lexically_normal();
    return whole.filename() == "config.json" ? whole.parent_path().filename().string() : whole.stem().string();
}

}  // namespace

Result<Opened> open_architecture(std::string_view text, std::span<const Preset> presets) {
    if (const Preset* preset = find_preset(presets, text)) return Opened{preset->architecture, preset};
    std::filesystem::path path(text);
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return unknown(text, presets);
    if (std::filesystem::is_directory(path, ignored)) path /= "config.json";
    Result<nlohmann::json> json = read_json(path);
    if (!json) return json.error();
    if (!json->contains("architecture")) {
        Result<Architecture> arch = read_config(*json, path.string());
        if (!arch) return arch.error();
        arch->name = name_for(path);
        return Opened{std::move(*arch), nullptr};
    }
    const nlohmann::json& saved = (*json)["architecture"];
    if (!saved.is_object()) return Error{"\"architecture\" is not an object", path.string(), "save the document again"};
    Result<Architecture> arch = architecture_from_json(saved);
    if (!arch) return within(path.string() + ", architecture", arch.error());
    if (std::vector<Problem> problems = validate(*arch); !problems.empty())
        return within(path.string(), problems.front().error);
    return Opened{std::move(*arch), nullptr};
}

}  // namespace headcount
