// Finds files of tours. What is in one is read in json.cpp.
#include <algorithm>
#include <cstdlib>

#include "core/base/json_file.hpp"
#include "core/files/assets.hpp"
#include "core/tours/tour.hpp"

namespace headcount {

namespace fs = std::filesystem;

Result<Tour> read_tour(const fs::path& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return parse_tour(*text, path.stem().string(), path.string());
}

void add_tour(std::vector<Tour>& tours, Tour tour) {
    const auto same = std::find_if(tours.begin(), tours.end(), [&](const Tour& each) { return each.id == tour.id; });
    if (same != tours.end())
        *same = std::move(tour);
    else
        tours.push_back(std::move(tour));
}

FoundTours find_tours(const fs::path& directory) {
    FoundTours found;
    std::error_code failure;
    if (!fs::exists(directory, failure) && !failure) return found;
    const Result<std::vector<fs::path>> files = json_files(directory);
    if (!files) {
        found.failures.push_back(files.error());
        return found;
    }
    for (const fs::path& file : *files) {
        Result<Tour> tour = read_tour(file);
        if (tour)
            found.tours.push_back(std::move(*tour));
        else
            found.failures.push_back(tour.error());
    }
    return found;
}

Result<std::vector<Tour>> shipped_tours() {
    const Result<fs::path> assets = assets_directory();
    if (!assets) return assets.error();
    FoundTours found = find_tours(*assets / "tours");
    if (!found.failures.empty()) return found.failures.front();
    return std::move(found.tours);
}

fs::path own_tours_directory() {
    // Read once at the start, before there are threads.
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    if (data && *data) return fs::path(data) / "headcount" / "tours";
    if (home && *home) return fs::path(home) / ".local" / "share" / "headcount" / "tours";
    return {};
}

FoundTours all_tours() {
    FoundTours all;
    if (Result<std::vector<Tour>> shipped = shipped_tours())
        all.tours = std::move(*shipped);
    else
        all.failures.push_back(shipped.error());
    const fs::path directory = own_tours_directory();
    if (directory.empty()) return all;
    FoundTours own = find_tours(directory);
    for (Tour& tour : own.tours) add_tour(all.tours, std::move(tour));
    all.failures.insert(all.failures.end(), own.failures.begin(), own.failures.end());
    return all;
}

}  // namespace headcount
