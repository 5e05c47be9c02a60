// How long what-if questions take: a comparison of the two largest presets, from their architectures on; a sweep of
// 10,000 architectures; the value that comes nearest to a total; and what fits into every device.
#include <benchmark/benchmark.h>

#include "core/analysis/difference.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/solve.hpp"
#include "core/analysis/sweep.hpp"
#include "core/files/devices.hpp"
#include "core/files/presets.hpp"

namespace headcount {
namespace {

const Architecture* find(const Result<std::vector<Preset>>& presets, const char* id, benchmark::State& state) {
    const Preset* preset = presets ? find_preset(*presets, id) : nullptr;
    if (!preset) state.SkipWithError("a preset cannot be read");
    return preset ? &preset->architecture : nullptr;
}

Result<std::vector<Preset>> read_presets() {
    return load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
}

void compare_largest(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture *first = find(presets, "deepseek-v3", state), *second = find(presets, "kimi-k2", state);
    if (!first || !second) return;
    for ([[maybe_unused]] auto _ : state) {
        const ModelGraph a = expand(*first), b = expand(*second);
        const Bindings in_a = bindings(*first, Input{}), in_b = bindings(*second, Input{});
        const Result<Parameters> of_a = count_parameters(a, in_a), of_b = count_parameters(b, in_b);
        benchmark::DoNotOptimize(difference({*first, a, in_a, *of_a}, {*second, b, in_b, *of_b}));
    }
}

void sweep_10000(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    if (!arch) return;
    const ValueRange ranges[] = {{Field::layers, 1, 100}, {Field::ffn_dim, 1024, 1024 + 99 * 512, 512}};
    for ([[maybe_unused]] auto _ : state) {
        const Result<Sweep> found = sweep(*arch, ranges, Input{});
        if (!found || found->points.size() != 10'000) state.SkipWithError("not all points are there");
    }
}

void solve_width(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    if (!arch) return;
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(solve(*arch, {Field::dim, 300'000'000'000}));
}

void solve_layers(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "kimi-k2", state);
    if (!arch) return;
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(solve(*arch, {Field::layers, 500'000'000'000}));
}

void fit_devices(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    const auto devices = load_devices(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "hardware.json");
    if (!arch || !devices) return;
    const ModelGraph graph = expand(*arch);
    for ([[maybe_unused]] auto _ : state) {
        const MemoryFormulas formulas(*arch, graph, MemoryOptions{.weights = Precision::int4});
        for (const Device& device : *devices) benchmark::DoNotOptimize(formulas.room(device, bindings(*arch, Input{})));
    }
}

void medians(benchmark::internal::Benchmark* each) {
    each->Unit(benchmark::kMicrosecond)->MinTime(0.1)->Repetitions(9)->ReportAggregatesOnly();
}

BENCHMARK(compare_largest)->Apply(medians);
BENCHMARK(sweep_10000)->Apply(medians);
BENCHMARK(solve_width)->Apply(medians);
BENCHMARK(solve_layers)->Apply(medians);
BENCHMARK(fit_devices)->Apply(medians);

}  // namespace
}  // namespace headcount
