// The rows of a model's embedding, a row a token: which lie near each other, and which no text has ever trained.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/runtime/model.hpp"

namespace headcount {

// The embedding that the model looks its tokens up in, (vocab, dim); without data where it looks none up.
MatrixView token_table(const Model& model);

// One row of a matrix as it is, (columns).
void copy_row(const MatrixView& matrix, std::int64_t row, std::span<float> into);

struct NearRow {
    std::int64_t row = 0;
    double cosine = 0;  // from -1 to 1
};

// The rows that point most nearly where this one does, the nearest first, itself left out, of the first `rows` of the
// matrix. A row of zeros has no direction, and cosine 0 with all.
std::vector<NearRow> nearest_rows(const MatrixView& matrix, std::int64_t row, std::int64_t rows, std::size_t count,
                                  const Watch& watch = {});

// How far each row lies from those of tokens that no text can have. What was never in a text gets the same step as
// these in every step of a training, so that it stays as near to them as they stay to each other, whether the table is
// the output head, too, or not (Land & Bartolo 2024, "Fishing for Magikarp", arXiv:2405.05417, which takes such tokens
// as the measure).
struct TrainedRows {
    std::vector<float> distances;  // Euclidean, of each row from the mean of the references
    double limit = 0;              // below it a row counts as never trained: half as far again as the furthest of them
    std::int64_t references = 0;   // how many there are

    bool untrained(std::int64_t row) const { return static_cast<double>(distances[std::size_t(row)]) <= limit; }
    std::int64_t count_untrained() const;
};

inline constexpr std::size_t least_references = 4;

// Nothing where there are fewer than `least_references`, or work was stopped: there is no measure then.
std::optional<TrainedRows> trained_rows(const MatrixView& matrix, std::span<const std::int32_t> references,
                                        const Watch& watch = {});

}  // namespace headcount
