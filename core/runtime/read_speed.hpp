// How fast memory is read: what a run cannot go beyond whose weights come from there.
#pragma once

#include <chrono>
#include <vector>

#include "core/runtime/float_memory.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {

// Bytes a second, of all the pool's threads together in one pass over a memory that has been written. Of the memory
// itself where it is larger than the processor's caches.
inline double read_speed(Pool& pool, const FloatMemory& memory) {
    const std::int64_t threads = pool.threads();
    std::vector<float> sums(static_cast<std::size_t>(threads));
    const auto start = std::chrono::steady_clock::now();
    pool.run(threads, [&](std::int64_t part, int) {
        const std::int64_t from = memory.size() * part / threads, to = memory.size() * (part + 1) / threads;
        sums[static_cast<std::size_t>(part)] = kernels::sum(memory.data() + from, to - from);
    });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return static_cast<double>(memory.size()) * sizeof(float) / took.count();
}

}  // namespace headcount
