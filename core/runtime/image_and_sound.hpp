// What a model reads that is no text, from a file: an image's patches, and the moments of sound, row by row.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "core/arch/architecture.hpp"

namespace headcount {

// An image (channels, height, width) as (patches, channels · patch · patch): the patches row by row of the image, of
// each its first channel's pixels row by row, then the next one's. As long as the model reads.
std::vector<float> rows_of_image(const Architecture& arch, std::span<const float> pixels);
// Sound (channels, moments) as (moments, channels).
std::vector<float> rows_of_sound(const Architecture& arch, std::span<const float> heard);

// The file holds one tensor, (channels, height, width), or that behind a side of 1. What comes back has the rows
// above. Errors: no such file, several tensors, another shape than the model reads.
Result<std::vector<float>> read_image(const Architecture& arch, const std::filesystem::path& path);

// The same of (channels, moments).
Result<std::vector<float>> read_sound(const Architecture& arch, const std::filesystem::path& path);

}  // namespace headcount
