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

// Of the form of latent attention that has fewer operations, as PointMaker takes it.
Expr fewest_flops(const Architecture& arch, const Input& input) {
    const ModelGraph graph = expand(arch, input.cached > 0 ? Cache::filled : Cache::empty);
    Expr anew = flops_formula(graph);
    if (!arch.layer.attention.latent) return anew;
    Expr absorbed = flops_formula(graph, true);
    const Bindings values = bindings(arch, input);
    const Result<std::int64_t> one = evaluate(anew, values), other = evaluate(absorbed, values);
    return one && other && *other < *one ? absorbed : anew;
}

}  // namespace

std::optional<AmountFormula> amount_formula(const Architecture& arch, const Input& input, Metric metric) {
    if (metric == Metric::total) return AmountFormula{total_formula(expand(arch)), bindings(arch, input)};
    if (metric == Metric::memory) return memory_formula(arch, input);
    if (metric != Metric::flops) return std::nullopt;
    return AmountFormula{fewest_flops(arch, input), bindings(arch, input)};
}

}  // namespace headcount
