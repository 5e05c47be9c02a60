// Writes files, whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.hpp"

namespace headcount {

// Writes the file whole or not at all: beside it first, then put in its place. Returns the path.
Result<std::filesystem::path> write_text(const std::filesystem::path& path, std::string_view text);

}  // namespace headcount
