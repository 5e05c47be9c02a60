// What every format's readers say and bound alike: of files that were not written as they should have been.
#pragma once

#include <cstddef>

namespace headcount {

// What to do about a file that breaks its format's rules.
inline constexpr const char* check_writer = "check who wrote the file";
// Files in use have a handful of entries beside their tensors. Each takes many times the memory that it takes in the
// file.
inline constexpr std::size_t most_metadata = 10'000;

}  // namespace headcount
