// How long what-if questions take: a comparison of the two largest presets, from their architectures on; a sweep of
// 10,000 architectures; the values that come nearest to a total or stay within a budget; what one step of every number
// adds; another size of a shape; and what fits into every device.
#include <benchmark/benchmark.h>

#include "core/analysis/difference.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/same_shape.hpp"
#include "core/analysis/sensitivity.hpp"
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
        const Result<CountedModel> a = count_model(*first, Input{}), b = count_model(*second, Input{});
        benchmark::DoNotOptimize(difference(*a, *b));
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

// Its layers share weights, which each uses in a way of its own.
void sweep_10000_of_a_hybrid(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "zamba2-7b", state);
    if (!arch) return;
    const ValueRange ranges[] = {{Field::dim, 128, 10'000 * 128, 128}};
    for ([[maybe_unused]] auto _ : state) {
        const Result<Sweep> found = sweep(*arch, ranges, Input{}, wants_for_all({}));
        if (!found || found->points.size() != 10'000) state.SkipWithError("not all points are there");
    }
}

void solve_width(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    if (!arch) return;
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(solve(*arch, {{{Field::dim}}, Metric::total, 300'000'000'000}));
}

void solve_layers(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "kimi-k2", state);
    if (!arch) return;
    for ([[maybe_unused]] auto _ : state)
        benchmark::DoNotOptimize(solve(*arch, {{{Field::layers}}, Metric::total, 500'000'000'000}));
}

void solve_two_widths(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    if (!arch) return;
    const Wish wish{{{Field::dim, 128}, {Field::ffn_dim, 256}}, Metric::total, 300'000'000'000};
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(solve(*arch, wish));
}

// Layers that are not alike: each number of them has formulas of its own.
void solve_two_of_a_mixture(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "kimi-k2", state);
    if (!arch) return;
    const Wish wish{{{Field::layers}, {Field::dim, 128}}, Metric::total, 500'000'000'000};
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(solve(*arch, wish));
}

void solve_two_for_memory(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    if (!arch) return;
    const Wish wish{
        {{Field::layers}, {Field::dim, 128}}, Metric::memory, std::int64_t{80} << 30, Input{.tokens = 8192}};
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(solve(*arch, wish));
}

void sensitivity_of_a_mixture(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "deepseek-v3", state);
    if (!arch) return;
    const PointWants wants{true, {.device = Device{.bandwidth = 3e12, .flops_16 = 1e15}}};
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(sensitivity(*arch, Input{}, wants));
}

void same_shape_of_a_family(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    if (!arch) return;
    const std::vector<Architecture> siblings{*arch, *find(presets, "llama-3-8b", state)};
    for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(same_shape(*arch, siblings, 100'000'000'000));
}

void fit_devices(benchmark::State& state) {
    const auto presets = read_presets();
    const Architecture* arch = find(presets, "llama-3.1-405b", state);
    const auto devices = load_devices(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "hardware.json");
    if (!arch || !devices) return;
    const ModelGraph graph = expand(*arch);
    for ([[maybe_unused]] auto _ : state) {
        const MemoryFormulas formulas(*arch, graph, MemoryOptions{.weights = Precision::int4});
        benchmark::DoNotOptimize(formulas.rooms(*devices, bindings(*arch, Input{})));
    }
}

void medians(benchmark::internal::Benchmark* each) {
    each->Unit(benchmark::kMicrosecond)->MinTime(0.1)->Repetitions(9)->ReportAggregatesOnly();
}

BENCHMARK(compare_largest)->Apply(medians);
BENCHMARK(sweep_10000)->Apply(medians);
BENCHMARK(sweep_10000_of_a_hybrid)->Apply(medians);
BENCHMARK(solve_width)->Apply(medians);
BENCHMARK(solve_layers)->Apply(medians);
BENCHMARK(solve_two_widths)->Apply(medians);
BENCHMARK(solve_two_of_a_mixture)->Apply(medians);
BENCHMARK(solve_two_for_memory)->Apply(medians);
BENCHMARK(sensitivity_of_a_mixture)->Apply(medians);
BENCHMARK(same_shape_of_a_family)->Apply(medians);
BENCHMARK(fit_devices)->Apply(medians);

}  // namespace
}  // namespace headcount
