// What a model would say if it stopped early: the final norm and the output head, applied to the residual stream behind
// any layer (nostalgebraist 2020, "the logit lens"). And how long the stream is there. For a few rows, on one
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/runtime/model.hpp"

namespace headcount {

// One number for each of the vocabulary, from a row of (tokens, dim). Behind the last layer these are the logits. Fails
// where the model does something else than norm and multiply there.
Result<std::vector<float>> logits_of(const Model& model, const MatrixView& stream, std::int64_t row);

// The Euclidean length of a row: √(x₀² + x₁² + ...).
double length_of(const MatrixView& stream, std::int64_t row);

}  // namespace headcount
