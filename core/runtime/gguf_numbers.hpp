// GGUF's numbers in the order of the published checkpoint: cut, joined and transposed as llama.cpp's converters did
// not.
#pragma once

#include <functional>
#include <vector>

#include "core/checkpoints/gguf_names.hpp"
#include "core/checkpoints/gguf_published.hpp"

namespace headcount {

// All numbers of one tensor of the file, from its index.
using ReadWhole = std::function<Result<std::vector<float>>(std::size_t index)>;

// The numbers of one of the tensors that a published one stands for (`copy`: the expert or head), row by row.
Result<std::vector<float>> published_numbers(const Checkpoint& gguf, const PublishedTensor& tensor, std::int64_t copy,
                                             const ReadWhole& read);

// Whether llama.cpp's converter for this architecture stores queries and keys so that neighbouring columns are turned
// together, where the published weights turn the halves (LlamaModel.permute in convert_hf_to_gguf.py).
bool permutes_queries(const Checkpoint& gguf);

}  // namespace headcount
