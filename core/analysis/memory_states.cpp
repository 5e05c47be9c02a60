// What training holds of each parameter besides the weight: the gradient, a copy in another format, and the
// optimizer's states.
#include <algorithm>
#include <array>

#include "core/analysis/memory.hpp"
#include "core/analysis/memory_passing.hpp"
#include "core/analysis/parameters.hpp"

namespace headcount {
namespace {

constexpr std::array<std::string_view, 5> optimizers{"adam", "adam8", "sgd", "muon", "adafactor"};
constexpr std::array<std::string_view, 4> mixes{"zero", "megatron", "pytorch", "pure"};
constexpr std::int64_t state_block = 256;  // numbers of an 8-bit state that share a 32-bit scale

// The weights of all layers' matrices: what Muon turns into orthogonal steps.
Expr layer_matrices(const std::vector<TrainedTensor>& trained) {
    std::vector<Expr> terms;
    for (const TrainedTensor& each : trained)
        if (each.of_layer) terms.push_back(each.copies * element_count(each.shape));
    return sum_of(terms);
}

// A row's and a column's numbers in a matrix's place; of a vector each has its own.
Expr factored_moments(const std::vector<TrainedTensor>& trained) {
    std::vector<Expr> terms;
    for (const TrainedTensor& each : trained) {
        const std::span<const Expr> sides = each.shape.dimensions();
        if (sides.size() < 2) {
            terms.push_back(each.copies * element_count(each.shape));
            continue;
        }
        Expr before = 1;
        for (const Expr& side : sides.first(sides.size() - 2)) before = before * side;
        terms.push_back(each.copies * before * (sides[sides.size() - 2] + sides.back()));
    }
    return sum_of(terms);
}

std::int64_t bytes_of_one(Precision precision) { return info(precision).bits / 8; }

// The copy and the states of so many parameters, which are those of the tensors.
Expr states_of(const Expr& count, const std::vector<TrainedTensor>& trained, Optimizer optimizer,
               const KeptFormats& kept) {
    const std::int64_t copy = kept.copy ? bytes_of_one(*kept.copy) : 0, moment = bytes_of_one(kept.moments);
    switch (optimizer) {
        case Optimizer::adam: return Expr(copy + 2 * moment) * count;
        case Optimizer::adam8: return Expr(copy + 2) * count + Expr(8) * (ceil_to(count, state_block) / state_block);
        case Optimizer::sgd: return Expr(copy + moment) * count;
        case Optimizer::muon: return Expr(copy + 2 * moment) * count - Expr(moment) * layer_matrices(trained);
        case Optimizer::adafactor: {
            const Expr moments = Expr(moment) * factored_moments(trained);
            return copy > 0 ? Expr(copy) * count + moments : moments;
        }
    }
    return 0;
}

}  // namespace

Result<std::int64_t> muon_bytes(const ModelGraph& graph, const Bindings& values) {
    constexpr std::int64_t read_behind = 16;  // floats that a product may read behind the last
    std::int64_t most = 0;
    for (const Tensor& each : graph.tensors) {
        if (each.role != Role::parameter || each.shape.rank() < 2 || !graph.layer_of(each.block)) continue;
        const Result<std::int64_t> rows = evaluate(each.shape[0], values);
        const Result<std::int64_t> columns = evaluate(each.shape[1], values);
        if (!rows) return rows.error();
        if (!columns) return columns.error();
        const Expr shorter = std::min(*rows, *columns);
        const Result<std::int64_t> floats =
            evaluate(Expr(2) * Expr(*rows) * Expr(*columns) + Expr(2) * shorter * shorter + read_behind, values);
        if (!floats) return floats.error();
        most = std::max(most, *floats);
    }
    return most * std::int64_t{sizeof(float)};
}

std::span<const std::string_view> optimizer_words() { return optimizers; }
std::span<const std::string_view> mixed_words() { return mixes; }

KeptFormats kept_formats(const Training& training, Precision weights) {
    constexpr Precision whole = Precision::fp32;
    const bool small = info(weights).bits < 32;
    const std::optional<Precision> copy = small ? std::optional(whole) : std::nullopt;
    switch (training.mixed) {
        case Mixed::zero: return {.weights = weights, .gradients = weights, .copy = copy, .moments = whole};
        case Mixed::megatron: return {.weights = weights, .gradients = whole, .copy = copy, .moments = whole};
        case Mixed::pytorch:
            return {.weights = whole,
                    .gradients = whole,
                    .copy = small ? std::optional(weights) : std::nullopt,
                    .moments = whole};
        case Mixed::pure: return {.weights = weights, .gradients = weights, .copy = {}, .moments = weights};
    }
    return {};
}

void MemoryFormulas::build_states(const ModelGraph& graph, const Training& training) {
    const std::optional<Adapters>& adapters = options_.adapters;
    const std::vector<TrainedTensor> trained = trained_tensors(graph, adapters);
    const Expr count = adapters ? adapter_parameters(graph, *adapters) : total_formula(graph);
    const KeptFormats kept =
        adapters
            ? KeptFormats{.weights = adapter_format, .gradients = adapter_format, .copy = {}, .moments = adapter_format}
            : kept_formats(training, options_.weights.rest);
    gradients_ = bytes_formula(count, kept.gradients);
    optimizer_ = states_of(count, trained, training.optimizer, kept);
    for (Apart& part : apart_) {
        std::vector<TrainedTensor> here;
        std::vector<Expr> terms;
        for (const TrainedTensor& each : trained)
            if (apart(graph, graph.stored[each.stored]) == &part) {
                here.push_back(each);
                terms.push_back(each.copies * element_count(each.shape));
            }
        const Expr numbers = sum_of(terms);
        part.gradients = bytes_formula(numbers, kept.gradients);
        part.optimizer = states_of(numbers, here, training.optimizer, kept);
    }
}

}  // namespace headcount
