// This machine as a device: how fast its memory is read and its processor multiplies.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/arch/input.hpp"
#include "core/base/result.hpp"

namespace headcount {

inline constexpr std::string_view this_machine = "this-machine";  // the id

// Bytes of memory that there are in all, and that the system can give now without swapping; nothing where it does not
// say.
std::optional<std::int64_t> whole_memory();
std::optional<std::int64_t> available_memory();

// Bytes a second that so many threads read together from memory: the best of a few tries over 128 MiB. Nothing where
// there is no memory to try it with.
std::optional<double> best_read_speed(int threads);

// Measured by the program's own arithmetic, whose numbers all have 32 bits: what is stored in 16 is multiplied as fast.
// Takes about a quarter of a second. Errors: the system does not say how much memory there is, or has too little.
Result<Device> measure_machine(int threads);

}  // namespace headcount
