// The tours that ship with the program, and those that a teacher puts beside them.
#pragma once

#include <filesystem>
#include <vector>

#include "core/tours/tour.hpp"

namespace headcount {

Result<Tour> read_tour(const std::filesystem::path& path);

// Whether the file is meant as a tour, right or wrong.
bool is_tour_file(const std::filesystem::path& path);

// Behind the others, or in place of the one with its id.
void add_tour(std::vector<Tour>& tours, Tour tour);

// Every *.json of a folder, in the order of their names. What is wrong in one does not keep the others away.
struct FoundTours {
    std::vector<Tour> tours;
    std::vector<Error> failures;
};
FoundTours find_tours(const std::filesystem::path& directory);

Result<std::vector<Tour>> shipped_tours();

// Where a teacher's own tours lie: $XDG_DATA_HOME/headcount/tours, else ~/.local/share/headcount/tours; empty where
// there is no home.
std::filesystem::path own_tours_directory();

// What ships, and behind it one's own. A tour of the same file name takes the shipped one's place.
FoundTours all_tours();

}  // namespace headcount
