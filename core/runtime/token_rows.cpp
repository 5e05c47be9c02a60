// Goes over a table row by row, each copied once.
#include "core/runtime/token_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/ops.hpp"

namespace headcount {
namespace {

constexpr double beyond_references = 1.5;  // they are few: others of their kind lie a little further out
constexpr std::int64_t between_looks = 1024;

std::vector<float> row_of(const MatrixView& matrix, std::int64_t row) {
    std::vector<float> numbers(static_cast<std::size_t>(matrix.columns));
    copy_row(matrix, row, numbers);
    return numbers;
}

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

}  // namespace

MatrixView token_table(const Model& model) {
    const ModelGraph& graph = model.graph;
    for (const Node& node : graph.nodes)
        if (node.op == Op::embed && graph.tensors[node.output].part == Part::token_embedding &&
            !graph.of_source(node.output))
            return model.weights.view(node.parameters.front());
    return {};
}

void copy_row(const MatrixView& matrix, std::int64_t row, std::span<float> into) {
    if (matrix.form && matrix.row_panel != 0) {
        const std::byte* block = matrix.blocks_of(row);
        for (std::size_t i = 0; i < into.size(); i += static_cast<std::size_t>(matrix.form->numbers)) {
            matrix.form->restore(block, panel_columns, &into[i]);
            block += matrix.form->bytes * panel_columns;
        }
        return;
    }
    if (matrix.data && matrix.column_panel == 0) {
        const float* from = matrix.data + matrix.offset(row, 0);
        for (float& number : into) {
            number = *from;
            from += matrix.column_step;
        }
        return;
    }
    for (std::size_t i = 0; i < into.size(); ++i) into[i] = matrix.at(row, static_cast<std::int64_t>(i));
}

std::vector<NearRow> nearest_rows(const MatrixView& matrix, std::int64_t row, std::int64_t rows, std::size_t count,
                                  const Watch& watch) {
    const std::vector<float> own = row_of(matrix, row);
    const double length = std::sqrt(dot(own, own));
    std::vector<NearRow> all;
    std::vector<float> other(own.size());
    for (std::int64_t i = 0; i < std::min(rows, matrix.rows); ++i) {
        if (i % between_looks == 0 && watch.stopped()) return {};
        if (i == row) continue;
        copy_row(matrix, i, other);
        const double both = length * std::sqrt(dot(other, other));
        all.push_back({i, both > 0 ? dot(own, other) / both : 0});
    }
    const std::size_t kept = std::min(count, all.size());
    std::partial_sort(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
        [](const NearRow& a, const NearRow& b) { return a.cosine != b.cosine ? a.cosine > b.cosine : a.row < b.row; });
    all.resize(kept);
    return all;
}

std::int64_t TrainedRows::count_untrained() const {
    return std::ranges::count_if(distances, [&](float each) { return static_cast<double>(each) <= limit; });
}

std::optional<TrainedRows> trained_rows(const MatrixView& matrix, std::span<const std::int32_t> references,
                                        const Watch& watch) {
    if (!matrix || references.size() < least_references) return std::nullopt;
    std::vector<double> mean(static_cast<std::size_t>(matrix.columns));
    std::vector<float> row(mean.size());
    for (const std::int32_t id : references) {
        copy_row(matrix, id, row);
        for (std::size_t i = 0; i < row.size(); ++i)
            mean[i] += static_cast<double>(row[i]) / static_cast<double>(references.size());
    }
    TrainedRows found{.references = std::ssize(references)};
    found.distances.reserve(static_cast<std::size_t>(matrix.rows));
    for (std::int64_t each = 0; each < matrix.rows; ++each) {
        if (each % between_looks == 0 && watch.stopped()) return std::nullopt;
        copy_row(matrix, each, row);
        double square = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const double way = static_cast<double>(row[i]) - mean[i];
            square += way * way;
        }
        found.distances.push_back(static_cast<float>(std::sqrt(square)));
    }
    for (const std::int32_t id : references)
        found.limit = std::max(found.limit,
                               beyond_references * static_cast<double>(found.distances[static_cast<std::size_t>(id)]));
    return found;
}

}  // namespace headcount
