// Finds files of claims. What is in one is read in json.cpp.
#include "core/claims/claims.hpp"

#include <algorithm>
#include <map>

#include "core/base/json_file.hpp"
#include "core/base/utf8.hpp"
#include "core/files/assets.hpp"

namespace headcount {

std::string with_results(std::string text, std::string_view computed, std::string_view reached, std::string_view rest) {
    for (auto [word, value] : {std::pair<std::string_view, std::string_view>("{computed}", computed),
                               {"{reached}", reached},
                               {"{rest}", rest}})
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size()))
            text.replace(at, word.size(), value);
    return text;
}

Result<ClaimsFile> read_claims(const std::filesystem::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    Result<ClaimsFile> file = parse_claims(*text, path.string());
    if (!file) return file;
    file->id = path.stem().string();
    file->path = path;
    return file;
}

Result<std::vector<ClaimsFile>> load_claims(const std::filesystem::path& directory) {
    Result<std::vector<std::filesystem::path>> paths =
        json_files(directory, "set HEADCOUNT_ASSETS to the program's assets");
    if (!paths) return paths.error();
    std::sort(paths->begin(), paths->end(), [](const auto& a, const auto& b) { return a.stem() < b.stem(); });
    std::vector<ClaimsFile> files;
    std::map<std::string, std::string> taken;  // an id, and who has it
    for (const std::filesystem::path& path : *paths) {
        Result<ClaimsFile> file = read_claims(path);
        if (!file) return file.error();
        taken.emplace(file->id, path.filename().string());
        files.push_back(std::move(*file));
    }
    for (const ClaimsFile& file : files)
        for (const Claim& claim : file.claims)
            if (const auto [other, fresh] = taken.emplace(claim.id, file.path.filename().string()); !fresh)
                return Error{"the id " + quote(claim.id) + " is also in " + other->second, file.path.string(),
                             "change one"};
    return files;
}

Result<std::vector<ClaimsFile>> shipped_claims() {
    const Result<std::filesystem::path> assets = assets_directory();
    if (!assets) return assets.error();
    Result<std::vector<ClaimsFile>> files = load_claims(*assets / "claims");
    if (files && files->empty())
        return Error{"there are no claims", (*assets / "claims").string(), "install the program again"};
    return files;
}

}  // namespace headcount
