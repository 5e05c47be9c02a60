// A picture as plain bytes: what was drawn, and how it becomes a PNG file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

struct Pixels {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;  // (height, width, 4), the top row first

    bool operator==(const Pixels&) const = default;
};

// What is behind what was drawn: something, so that every pixel is opaque, or nothing.
enum class Backing { solid, none };

// Writes the picture and returns where. The alpha channel is written as it is. A picture that was there before is
// replaced only by a whole one.
// Errors name the file and the system's reason (no such folder, no permission, disk full).
Result<std::filesystem::path> write_png(const std::filesystem::path& file, const Pixels& pixels);

}  // namespace headcount
