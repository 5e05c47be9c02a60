// The search for the program's data.
#include "core/files/assets.hpp"

#include <cstdlib>
#include <system_error>
#include <vector>

namespace headcount {

namespace {

namespace fs = std::filesystem;

// Empty where the system does not tell.
fs::path own_program() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : program;
}

}  // namespace

Result<fs::path> assets_directory() {
    std::vector<fs::path> places;
    std::string fix = "install Headcount with cmake --install, or set HEADCOUNT_ASSETS to the directory";
    const char* named = std::getenv("HEADCOUNT_ASSETS");
    if (named && *named) {
        places.emplace_back(named);
        fix = "set HEADCOUNT_ASSETS to the directory that holds presets/, or unset it";
    } else {
        if (const fs::path program = own_program(); !program.empty())
            places.push_back(program.parent_path().parent_path() / "share" / "headcount");
        places.emplace_back(HEADCOUNT_SOURCE_ASSETS);
    }

    std::string looked_at;
    for (const fs::path& place : places) {
        std::error_code error;
        if (fs::is_directory(place, error)) return place;
        looked_at += (looked_at.empty() ? "" : " or ") + place.string();
    }
    return Error{"Headcount's data is not there", looked_at, fix};
}

std::filesystem::path own_file(std::string_view name) {
    // Read once at the start, before there are threads.
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    if (data && *data) return std::filesystem::path(data) / "headcount" / name;
    if (home && *home) return std::filesystem::path(home) / ".local" / "share" / "headcount" / name;
    return {};
}

std::string or_shipped_model(std::string text) {
    std::error_code ignored;
    const bool name = !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == text.npos;
    if (!name || fs::exists(text, ignored)) return text;
    const Result<fs::path> assets = assets_directory();
    if (!assets) return text;
    const fs::path folder = *assets / "models" / text;
    return fs::is_directory(folder, ignored) ? folder.string() : text;
}

bool names_shipped(std::string_view said, std::string_view id) {
    if (said == id) return true;
    const bool number = !said.empty() && said.find_first_not_of("0123456789") == std::string_view::npos;
    return number && id.size() > said.size() && id.starts_with(said) && id[said.size()] == '-';
}

}  // namespace headcount
