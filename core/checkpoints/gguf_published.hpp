// A GGUF file's tensors as the published checkpoint has them: named, cut and laid out so that the two can be compared.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

struct PublishedTensor {
    std::string name;                 // {e} stands for every expert, {h} for every head
    std::vector<std::int64_t> shape;  // of one of them, outermost first
    std::int64_t count = 1;           // how many tensors of the published checkpoint these are
    StorageType type;
    std::int64_t elements = 0, bytes = 0;  // of all of them
    std::vector<std::size_t> from;         // which tensors of the file they are made of

    bool operator==(const PublishedTensor&) const = default;
};

struct PublishedTensors {
    std::vector<PublishedTensor> tensors;
    // Which tensors of the file no published checkpoint has: the rotary factors, and what is there in two forms.
    std::vector<std::size_t> added;
};

// Experts that GGUF stacks are one entry a matrix, with their number; matrices that it cuts (gate and up, latent
// attention's keys and values) are joined, those that it joins (queries, keys and values) are cut, Conv1D's are
// transposed. What is not known keeps its name and shape.
PublishedTensors published_tensors(const Checkpoint& gguf);

}  // namespace headcount
