// One timed pass over a memory, each thread over its part.
#include "core/runtime/read_speed.hpp"

#include <chrono>
#include <vector>

#include "core/runtime/kernels.hpp"

namespace headcount {

double read_speed(Pool& pool, const FloatMemory& memory) {
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
