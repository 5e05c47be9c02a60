// How fast a row is multiplied by a matrix that is kept as it is stored, of several types, and in turn by one in
// float32: numbers a second, its time over the other's, and its bytes a second over those that memory is read with.
// Neither fits in the caches.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "core/runtime/kernels.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/read_speed.hpp"

namespace headcount {
namespace {

constexpr std::int64_t inputs = 2048, outputs = 32'000, numbers = inputs * outputs, rounds = 15;

double seconds(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> all) {
    std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2);
    return all[all.size() / 2];
}

void blocks(benchmark::State& state, const char* type) {
    const BlockForm& form = *block_form(type);
    const std::int64_t panel = inputs / form.numbers * form.bytes * panel_columns,
                       bytes = outputs / panel_columns * panel;
    Result<FloatMemory> stored = FloatMemory::take(bytes / 4), floats = FloatMemory::take(numbers);
    if (!stored || !floats) return state.SkipWithError("there is no memory for it");
    auto* const blocks = reinterpret_cast<std::byte*>(stored->data());
    std::fill_n(blocks, bytes, std::byte{0x2c});  // scales of a sixteenth
    std::fill_n(floats->data(), numbers, 0.1F);
    std::vector<float> left(inputs, 0.5F), out(outputs + panel_columns);
    for ([[maybe_unused]] auto _ : state) {
        for (const int threads : {1, 2}) {
            Pool pool(threads);
            const auto multiply = [&](const kernels::Right& right) {
                pool.split(outputs, 4 * panel_columns, [&](std::int64_t begin, std::int64_t end) {
                    kernels::Product product{.left = left.data(), .left_step = inputs, .right = right};
                    const std::int64_t from = begin / panel_columns * right.panel_step;
                    if (right.form)
                        product.right.blocks += from;
                    else
                        product.right.data += from;
                    product.out = out.data() + begin;
                    product.out_step = outputs, product.rows = 1, product.inner = inputs, product.columns = end - begin;
                    kernels::multiply(product);
                });
            };
            std::vector<double> kept, restored, ratios, read;
            for (std::int64_t i = 0; i < rounds; ++i) {
                kept.push_back(seconds([&] { multiply({.panel_step = panel, .form = &form, .blocks = blocks}); }));
                restored.push_back(seconds([&] {
                    multiply({.data = floats->data(), .row_step = panel_columns, .panel_step = inputs * panel_columns});
                }));
                ratios.push_back(kept.back() / restored.back());
                read.push_back(read_speed(pool, *floats));
            }
            const std::string of = "_" + std::to_string(threads);
            state.counters["numbers" + of] = static_cast<double>(numbers) / median(kept);
            state.counters["over_float32" + of] = median(ratios);
            state.counters["of_reading" + of] = static_cast<double>(bytes) / median(kept) / median(read);
        }
    }
    state.SetLabel(std::to_string(inputs) + " to " + std::to_string(outputs) + ", " + type);
}

[[maybe_unused]] const bool registered = [] {
    for (const char* type : {"Q4_K", "Q6_K", "Q8_0", "F16", "BF16"})
        benchmark::RegisterBenchmark(("blocks_" + std::string(type)).c_str(), blocks, type)->Iterations(1);
    return true;
}();

}  // namespace
}  // namespace headcount
