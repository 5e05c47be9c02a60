// The worksheets that ship with the program, and any file that is one.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/files/presets.hpp"
#include "core/worksheet/worksheet.hpp"

namespace headcount {

// Reads and checks a worksheet: it is worked out once, so that an unknown id or symbol is found now.
Result<Worksheet> read_worksheet(const std::filesystem::path& path, std::span<const Preset> presets);

// Every *.json of a folder, in the order of their names ("1-one-head").
Result<std::vector<Worksheet>> load_worksheets(const std::filesystem::path& directory, std::span<const Preset> presets);
Result<std::vector<Worksheet>> shipped_worksheets(std::span<const Preset> presets);

// Whether a file means to be one: JSON with questions. It may still be wrong in some way.
bool is_worksheet_file(const std::filesystem::path& path);

// `text` is the id of one that ships, or a path.
Result<std::filesystem::path> find_worksheet(std::string_view text);
Result<Worksheet> open_worksheet(std::string_view text, std::span<const Preset> presets);

}  // namespace headcount
