// Goes through the numbers of both as they lie in memory, restored where they lie in blocks.
#include "core/runtime/weight_error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/text.hpp"

namespace headcount {
namespace {

// The graphs need not be the same: what is known of a file may be less.
std::optional<TensorIndex> find_tensor(const ModelGraph& graph, std::string_view id) {
    const auto found = std::ranges::find(graph.tensors, id, &Tensor::id);
    if (found == graph.tensors.end()) return std::nullopt;
    return static_cast<TensorIndex>(found - graph.tensors.begin());
}

// What is no number is worse than any.
double worse(double a, double b) {
    return std::isnan(a) || b <= a ? a : b;
}

// Of as many rows as it gets to see before it is stopped.
WeightError error_of(const MatrixView& ours, const MatrixView& theirs, const Watch& watch) {
    WeightError error;
    for (std::int64_t row = 0; row < ours.rows && !watch.stopped(); ++row)
        for (std::int64_t column = 0; column < ours.columns; ++column) {
            const double original = theirs.at(row, column), own = ours.at(row, column), apart = own - original;
            error.difference += apart * apart;
            error.original += original * original;
            error.own += own * own;
            error.worst = worse(error.worst, std::abs(apart));
        }
    return error;
}

}  // namespace

std::optional<double> WeightError::share() const {
    if (original == 0) return std::nullopt;
    return std::sqrt(difference / original);
}

// By the difference, since a cosine near 1 says little of a small angle: |a - b|² = (|a| - |b|)² + 4·|a|·|b|·sin²(θ/2).
std::optional<double> WeightError::angle() const {
    if (original == 0 || own == 0) return std::nullopt;
    const double a = std::sqrt(original), b = std::sqrt(own);
    const double squared = (difference - (a - b) * (a - b)) / (4 * a * b);
    return 2 * std::asin(std::sqrt(std::clamp(squared, 0.0, 1.0))) * 180 / std::numbers::pi;
}

void WeightError::add(const WeightError& other) {
    difference += other.difference;
    original += other.original;
    own += other.own;
    worst = worse(worst, other.worst);
}

Result<std::optional<WeightError>> weight_error(const Model& model, const Model& original, const StoredTensor& tensor,
                                                const ModelGraph& graph, const TensorPlace& place, const Watch& watch) {
    std::optional<WeightError> all;
    const std::int64_t layer = place.layer.value_or(0);
    for (const TensorIndex part : tensor.parts) {
        const std::string_view id = graph.tensors[part].id;
        const std::optional<TensorIndex> ours = find_tensor(model.graph, id), theirs = find_tensor(original.graph, id);
        const std::int64_t copies = ours ? model.weights.copies(*ours) : 0;
        if (copies == 0) continue;
        const bool one = place.within && copies > 1;
        for (std::int64_t copy = one ? *place.within : 0; copy < (one ? *place.within + 1 : copies); ++copy) {
            const MatrixView here = model.weights.view(*ours, layer, copy);
            const MatrixView there = theirs ? original.weights.view(*theirs, layer, copy) : MatrixView();
            if (!here) continue;
            if (!there || here.rows != there.rows || here.columns != there.columns)
                return Error{"the original has no such tensor of this shape", name_at(tensor.name, place),
                             "name weights of the same architecture"};
            if (!all) all.emplace();
            all->add(error_of(here, there, watch));
            if (watch.stopped()) return stopped_error();
        }
    }
    return all;
}

Result<WeightErrors> weight_errors(const CountedModel& counted, const Model& model, const Model& original,
                                   const Watch& watch) {
    WeightErrors errors;
    std::optional<Error> failure;
    for_each_tensor(counted.architecture, counted.graph, counted.parameters, std::nullopt,
                    [&](const ParameterRow& row, const TensorPlace& place) {
                        const StoredTensor& tensor = counted.graph.stored[row.stored];
                        if (watch.stopped()) failure = stopped_error();
                        if (failure) return false;
                        const auto error = weight_error(model, original, tensor, counted.graph, place, watch);
                        if (!error) failure = error.error();
                        if (!error || !*error) return !failure;
                        errors.all.add(**error);
                        errors.tensors.push_back({name_at(tensor.name, place), row.stored, place, **error});
                        return true;
                    });
    if (failure) return *failure;
    return errors;
}

}  // namespace headcount
