// The worksheets that ship with the program, and any file that is one.
#include <algorithm>

#include "core/base/json_file.hpp"
#include "core/base/text.hpp"
#include "core/files/assets.hpp"
#include "core/worksheet/sheet.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {
namespace {

namespace fs = std::filesystem;

Result<fs::path> shipped_folder() {
    const Result<fs::path> assets = assets_directory();
    if (!assets) return assets.error();
    return *assets / "worksheets";
}

Result<Worksheet> parse_file(const fs::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return parse_worksheet(*text, path.stem().string(), path.string());
}

}  // namespace

Result<Worksheet> read_worksheet(const fs::path& path, std::span<const Preset> presets) {
    Result<Worksheet> worksheet = parse_file(path);
    if (!worksheet) return worksheet;
    const Result<Sheet> sheet = make_sheet(*worksheet, presets);
    if (!sheet) return within(path.string(), sheet.error());
    return worksheet;
}

Result<std::vector<Worksheet>> load_worksheets(const fs::path& directory) {
    const Result<std::vector<fs::path>> files = json_files(directory);
    if (!files) return files.error();
    std::vector<Worksheet> worksheets;
    for (const fs::path& file : *files) {
        Result<Worksheet> worksheet = parse_file(file);
        if (!worksheet) return worksheet.error();
        worksheets.push_back(std::move(*worksheet));
    }
    return worksheets;
}

Result<std::vector<Worksheet>> shipped_worksheets() {
    const Result<fs::path> folder = shipped_folder();
    if (!folder) return folder.error();
    return load_worksheets(*folder);
}

Result<fs::path> find_worksheet(std::string_view text) {
    const Result<fs::path> folder = shipped_folder();
    if (!folder) return folder.error();
    std::error_code ignored;
    const bool plain = !text.empty() && text.find('/') == std::string_view::npos;
    const fs::path shipped = *folder / (std::string(text) + ".json");
    if (plain && fs::exists(shipped, ignored)) return shipped;
    if (!text.empty() && fs::exists(fs::path(text), ignored)) return fs::path(text);
    if (std::optional<Error> nowhere = leads_nowhere(fs::path(text))) return *std::move(nowhere);
    std::vector<std::string> ids;
    if (const Result<std::vector<fs::path>> files = json_files(*folder))
        for (const fs::path& file : *files) ids.push_back(file.stem().string());
    const auto named = std::ranges::find_if(ids, [&](const std::string& id) { return names_shipped(text, id); });
    if (named != ids.end()) return *folder / (*named + ".json");
    const std::vector<std::string_view> known(ids.begin(), ids.end());
    return Error{"there is no worksheet and no file of this name", std::string(text),
                 did_you_mean(text, known, "\"headcount worksheet list\" lists what there is")};
}

Result<Worksheet> open_worksheet(std::string_view text, std::span<const Preset> presets) {
    const Result<fs::path> path = find_worksheet(text);
    return path ? read_worksheet(*path, presets) : path.error();
}

}  // namespace headcount
