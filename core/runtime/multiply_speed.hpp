// How fast matrices are multiplied: what a training cannot go beyond, whose work is products.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/runtime/float_memory.hpp"
#include "core/runtime/kernels.hpp"
#include "core/runtime/pool.hpp"

namespace headcount {

// Floating-point operations a second of all the pool's threads together, each with matrices of its own that stay in its
// caches: the best of a few tries, which take about a twentieth of a second.
inline double multiply_speed(Pool& pool) {
    constexpr std::int64_t rows = 48, inner = 256, columns = 256, tries = 3;
    constexpr std::chrono::duration<double> least(0.015);
    constexpr std::size_t all = rows * inner + inner * columns + rows * columns + panel_columns;
    const std::int64_t threads = pool.threads();
    std::vector<std::vector<float>> memory(static_cast<std::size_t>(threads), std::vector<float>(all, 1.0F));
    std::vector<double> speeds(static_cast<std::size_t>(threads));
    const auto multiply = [&](std::int64_t part, int) {
        float* const left = memory[static_cast<std::size_t>(part)].data();
        const kernels::Product product{.left = left,
                                       .left_step = inner,
                                       .right = {left + rows * inner, columns, 0},
                                       .out = left + rows * inner + inner * columns,
                                       .out_step = columns,
                                       .rows = rows,
                                       .inner = inner,
                                       .columns = columns};
        const auto start = std::chrono::steady_clock::now();
        std::chrono::duration<double> took(0);
        double done = 0;
        for (; took < least; took = std::chrono::steady_clock::now() - start) {
            kernels::multiply(product);
            done += 2.0 * rows * inner * columns;
        }
        speeds[static_cast<std::size_t>(part)] = done / took.count();
    };
    double best = 0;
    for (std::int64_t i = 0; i < tries; ++i) {
        pool.run(threads, multiply);
        double sum = 0;
        for (const double each : speeds) sum += each;
        best = std::max(best, sum);
    }
    return best;
}

}  // namespace headcount
