// How fast memory is read: what a run cannot go beyond whose weights come from there.
#pragma once

#include "core/runtime/float_memory.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {

// Bytes a second, of all the pool's threads together in one pass over a memory that has been written. Of the memory
// itself where it is larger than the processor's caches.
double read_speed(Pool& pool, const FloatMemory& memory);

}  // namespace headcount
