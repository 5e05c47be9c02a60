// The one file in which all open windows keep what they hold: each a document and a view of its own, all of them the
// same answers and lists of files. The first window's stands at the top, those of the others below `windows`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/state/shared.hpp"
#include "app/state/storage.hpp"
#include "core/base/write_file.hpp"

namespace headcount {

// One of several windows that may be open at once.
struct Seat {
    std::filesystem::path file;
    int number = 1;
    std::optional<FileLock> lock =
        {};  // nobody else sits there while it is held; nothing where a file system has no locks
};

// The seat where the document was changed last, else the first that is free.
Seat take_seat(const std::filesystem::path& file);

// A free seat for a document that must leave its own, of which the file `there` has nothing.
Seat take_empty_seat(const std::filesystem::path& file, const nlohmann::json& there);

// What of the file is this window's alone; nothing where it has left nothing.
std::optional<nlohmann::json> part_of(const nlohmann::json& there, int window);

// Which other windows somebody sits in now; none where a file system has no locks.
std::vector<int> open_beside(const std::filesystem::path& file, const nlohmann::json& there, int window);

// As if the window were the only one. One that has left nothing begins with what the first has; none goes to where one
// of those that are open was left.
nlohmann::json seen_by(const nlohmann::json& there, int window, std::span<const int> open);

// Where a window goes that nothing is known of; nothing: where the system puts it.
std::optional<WindowPlace> first_place(int window);

// By which a file is known that was begun anew, by a window that could not read the former one or by an earlier
// Headcount: what such a file lacks was not taken out of it. Nothing where it does not say.
std::optional<std::int64_t> begun_in(const nlohmann::json& there);

// Whatever the file does not say is as in `otherwise`.
Shared shared_in(const nlohmann::json& there, const Shared& otherwise);

// The file with the shared parts of `saved`, and with the window's own where it is that which `changed`.
nlohmann::ordered_json with_part(const nlohmann::json& there, const Saved& saved, int window, bool changed);

}  // namespace headcount
