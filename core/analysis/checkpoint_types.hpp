// Tensors of a file that have another number format than they should.
#pragma once

#include <cstddef>
#include <set>
#include <span>

#include "core/checkpoints/gguf_published.hpp"

namespace headcount {

// Indices of those whose type is not that of most of their kind, which are those that differ in layer and expert alone.
// A matrix that is the only one of its kind is compared with all matrices of the file that are not quantized. A file
// that mixes formats by kind has none, nor has a kind that is divided evenly.
std::set<std::size_t> of_odd_type(std::span<const PublishedTensor> tensors);

}  // namespace headcount
