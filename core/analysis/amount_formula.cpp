// Formulas of parameters, memory and operations of a whole model.
#include "core/analysis/amount_formula.hpp"

#include "core/analysis/arithmetic.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/parameters.hpp"

namespace headcount {
namespace {

// What is there at the moment when the most is: weights, the cache and activations.
std::optional<AmountFormula> memory_formula(const Architecture& arch, const Input& input) {
    const Bindings numbers = bindings(arch, all_at_once(input));
    const MemoryOptions options{.weights = input.precision, .cache = default_cache(input.precision)};
    const Result<Memory> held = memory(arch, expand(arch), numbers, options);
    if (!held) return std::nullopt;
    return AmountFormula{held->weights.formula + held->cache.formula + held->activations.formula, numbers};
}

}  // namespace

std::optional<AmountFormula> amount_formula(const Architecture& arch, const Input& input, Metric metric) {
    if (metric == Metric::total) return AmountFormula{total_formula(expand(arch)), bindings(arch, input)};
    if (metric == Metric::memory) return memory_formula(arch, input);
    if (metric != Metric::flops) return std::nullopt;
    const ModelGraph graph = expand(arch, input.cached > 0 ? Cache::filled : Cache::empty);
    return AmountFormula{flops_formula(graph), bindings(arch, input)};
}

}  // namespace headcount
