// Pictures into PNG files.
#pragma once

#include <filesystem>

#include "app/gl/pixels.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Writes the picture and returns where. The alpha channel is written as it is. A picture that was there before is
// replaced only by a whole one.
// Errors name the file and the system's reason (no such folder, no permission, disk full).
Result<std::filesystem::path> write_png(const std::filesystem::path& file, const Pixels& pixels);

}  // namespace headcount
