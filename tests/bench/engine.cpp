// How long the engine takes from an architecture to its graph, parameters and activations: for Llama 3.1 405B, and for
// variants with many more layers or heads, which must not cost more; and for the largest mixture.
#include <benchmark/benchmark.h>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/parameters.hpp"
#include "core/files/presets.hpp"

namespace headcount {
namespace {

void count_everything(benchmark::State& state, std::int64_t layers, std::int64_t heads) {
    const auto presets = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    const Preset* preset = presets ? find_preset(*presets, "llama-3.1-405b") : nullptr;
    if (!preset) {
        state.SkipWithError("the preset llama-3.1-405b cannot be read");
        return;
    }
    Architecture arch = preset->architecture;
    arch.layers = layers;
    arch.layer.attention.heads = heads;
    for ([[maybe_unused]] auto _ : state) {
        const ModelGraph graph = expand(arch);
        const Bindings values = bindings(arch, Input{});
        benchmark::DoNotOptimize(count_parameters(graph, values));
        benchmark::DoNotOptimize(activations(graph, values, {}));
    }
    state.SetLabel(std::to_string(layers) + " layers, " + std::to_string(heads) + " heads");
}

// The largest mixture that is published: Kimi K2, of 384 experts and 61 layers.
void expand_mixture(benchmark::State& state) {
    const auto presets = load_presets(std::filesystem::path(HEADCOUNT_ASSETS_DIR) / "presets");
    const Preset* preset = presets ? find_preset(*presets, "kimi-k2") : nullptr;
    if (!preset) {
        state.SkipWithError("the preset kimi-k2 cannot be read");
        return;
    }
    const Architecture& arch = preset->architecture;
    for ([[maybe_unused]] auto _ : state) {
        const ModelGraph graph = expand(arch);
        benchmark::DoNotOptimize(count_parameters(graph, bindings(arch, Input{})));
    }
}

void medians(benchmark::internal::Benchmark* each) {
    each->Unit(benchmark::kMicrosecond)->MinTime(0.1)->Repetitions(15)->ReportAggregatesOnly();
}

BENCHMARK_CAPTURE(count_everything, llama_405b, 126, 128)->Apply(medians);
BENCHMARK_CAPTURE(count_everything, thousand_layers, 1000, 128)->Apply(medians);
BENCHMARK_CAPTURE(count_everything, thousand_heads, 126, 1024)->Apply(medians);
BENCHMARK(expand_mixture)->Apply(medians);

}  // namespace
}  // namespace headcount
