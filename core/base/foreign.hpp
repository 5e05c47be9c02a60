// Knows by their first bytes files that stand in the place of those that Headcount reads.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.hpp"

namespace headcount {

// To be asked once a file has turned out not to be what it should be: some of these beginnings are short, and could be
// a number there. What the first bytes say, if they say something: PyTorch's pickles, old ggml files, NumPy's, HDF5, a
// web page or a Git LFS pointer that was saved in the place of the file.
std::optional<Error> foreign_format(std::span<const std::byte> bytes, const std::string& name);

}  // namespace headcount
