// Formulas of parameters, memory and operations of a whole model.
#include "core/analysis/amount_formula.hpp"

#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"

namespace headcount {
namespace {

// What is there at the moment when the most is: weights, the cache and activations.
std::optional<AmountFormula> memory_formula(const Architecture& arch, const Input& input, const PassOptions& pass) {
    const Bindings numbers = bindings(arch, all_at_once(input));
    const MemoryOptions options{.weights = input.precision, .cache = pass.cache_for(input)};
    const Result<Memory> held = memory(arch, expand(arch), numbers, options);
    if (!held) return std::nullopt;
    return AmountFormula{held->weights.formula + held->cache.formula + held->activations.formula, numbers};
}

// In the form of latent attention that the pass takes.
std::optional<AmountFormula> flops_of(const Architecture& arch, const Input& input, const PassOptions& options) {
    const Result<Pass> pass = pass_of(arch, input, Phase::prefill, options);
    if (!pass) return std::nullopt;
    return AmountFormula{flops_formula(pass->graph, {.pairs = options.pairs, .absorbed = pass->work.absorbed}),
                         pass->bindings};
}

}  // namespace

std::optional<AmountFormula> amount_formula(const Architecture& arch, const Input& input, Metric metric,
                                            const PassOptions& pass) {
    if (metric == Metric::total) return AmountFormula{total_formula(expand(arch)), bindings(arch, input)};
    if (metric == Metric::memory) return memory_formula(arch, input, pass);
    if (metric == Metric::flops) return flops_of(arch, input, pass);
    return std::nullopt;
}

}  // namespace headcount
