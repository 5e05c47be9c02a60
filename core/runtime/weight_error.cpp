// Goes through the numbers of both as they lie in memory, restored where they lie in blocks.
#include "core/runtime/weight_error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headcount {
namespace {

// The graphs need not be the same: what is known of a file may be less.
std::optional<TensorIndex> find_tensor(const ModelGraph& graph, std::string_view id) {
    const auto found = std::ranges::find(graph.tensors, id, &Tensor::id);
    if (found == graph.tensors.end()) return std::nullopt;
    return static_cast<TensorIndex>(found - graph.tensors.begin());
}

// What is no number is worse than any.
double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

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

// A part of a stored tensor, or one head's, on both sides; the original may have none.
struct Piece {
    MatrixView ours, theirs;
};
std::vector<Piece> pieces_of(const Model& model, const Model& original, const StoredTensor& tensor,
                             const ModelGraph& graph, const TensorPlace& place) {
    std::vector<Piece> pieces;
    const std::int64_t layer = place.layer.value_or(0);
    for (const TensorIndex part : tensor.parts) {
        const std::string_view id = graph.tensors[part].id;
        const std::optional<TensorIndex> ours = find_tensor(model.graph, id), theirs = find_tensor(original.graph, id);
        const std::int64_t copies = ours ? model.weights.copies(*ours) : 0;
        if (copies == 0) continue;
        const bool one = place.within && copies > 1;
        for (std::int64_t copy = one ? *place.within : 0; copy < (one ? *place.within + 1 : copies); ++copy)
            if (const MatrixView here = model.weights.view(*ours, layer, copy))
                pieces.push_back({here, theirs ? original.weights.view(*theirs, layer, copy) : MatrixView()});
    }
    return pieces;
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
    for (const auto& [here, there] : pieces_of(model, original, tensor, graph, place)) {
        if (!there || here.rows != there.rows || here.columns != there.columns)
            return Error{"the original has no such tensor of this shape", name_at(tensor.name, place),
                         "name weights of the same architecture"};
        if (!all) all.emplace();
        all->add(error_of(here, there, watch));
        if (watch.stopped()) return stopped_error();
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

std::optional<Ranks> difference_ranks(const Model& model, const Model& original, const CountedModel& counted,
                                      const TensorError& tensor, const Watch& watch) {
    const StoredTensor& stored = counted.graph.stored[tensor.stored];
    const std::vector<Piece> pieces = pieces_of(model, original, stored, counted.graph, tensor.place);
    if (pieces.empty() || stored.shape.rank() != 2) return std::nullopt;
    const MatrixView& first = pieces.front().ours;
    std::int64_t rows = 0, columns = 0;
    for (const Piece& each : pieces) {
        rows += each.ours.rows;
        columns += each.ours.columns;
    }
    const auto count = static_cast<std::int64_t>(pieces.size());
    // Beside each other where they read the same rows, else one below the other.
    const Result<std::int64_t> read = evaluate(stored.shape[1], counted.bindings);
    const bool beside = count == 1 || (read && *read == first.rows);
    const bool alike = std::ranges::all_of(pieces, [&](const Piece& each) {
        return beside ? each.ours.rows == first.rows : each.ours.columns == first.columns;
    });
    if (!alike || rows == 0 || columns == 0) return std::nullopt;
    const RowsOf all{.rows = beside ? first.rows : rows,
                     .columns = beside ? columns : first.columns,
                     .read = [&](std::int64_t row, std::span<float> into) {
                         std::size_t place = 0;
                         std::int64_t before = 0;
                         for (const Piece& each : pieces) {
                             const std::int64_t own = beside ? row : row - before;
                             before += each.ours.rows;
                             if (own < 0 || own >= each.ours.rows) continue;
                             for (std::int64_t column = 0; column < each.ours.columns; ++column)
                                 into[place++] = each.ours.at(own, column) - each.theirs.at(own, column);
                         }
                     }};
    return ranks_of(all, watch);
}

}  // namespace headcount
