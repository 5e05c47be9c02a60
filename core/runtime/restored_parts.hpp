// What restoring numbers reads: one matrix's parts, by the ends of their names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/restored.hpp"

namespace headcount {

using RestoredMatrix = Result<std::optional<std::vector<float>>>;

// One tensor's bytes and shape. Its reads are within it: who makes one has compared its shape.
struct StoredPart {
    const CheckpointTensor* tensor = nullptr;
    std::vector<std::byte> bytes;

    // Of the whole numbers of so many bits (2, 4 or 8) in a word of 32 the one at this place, the first in the lowest.
    int packed(std::int64_t index, std::int64_t place, std::int64_t bits) const;
    std::int32_t word(std::int64_t index) const;
    std::optional<std::vector<float>> numbers() const;  // nothing where `read_numbers` does not read its type
};

// A matrix that may be quantized: (out, in), or a stack.
class QuantizedMatrix {
  public:
    QuantizedMatrix(const StoredParts& files, const std::string& name, const std::vector<std::int64_t>& shape)
        : files_(files), name_(name), shape_(shape) {}

    std::int64_t outputs() const { return shape_[0]; }
    std::int64_t inputs() const { return shape_[1]; }
    const std::vector<std::int64_t>& shape() const { return shape_; }
    std::size_t elements() const;

    // The part whose name is that of the matrix, or, where that ends in ".weight", of its module, and this ending.
    const CheckpointTensor* find(std::string_view ending) const;
    const CheckpointTensor* find_in_module(std::string_view ending) const;
    Result<StoredPart> read(const CheckpointTensor& part) const;
    // Whether its shape is that one, sides of 1 left out.
    static bool is_of(const CheckpointTensor& part, std::initializer_list<std::int64_t> shape);

    Error odd(const CheckpointTensor& part) const;  // its shape or type does not go with the matrix

  private:
    const StoredParts& files_;
    const std::string& name_;
    const std::vector<std::int64_t>& shape_;
};

// Each gives nothing where the matrix is not stored so.
RestoredMatrix restored_integers(const QuantizedMatrix& matrix, const Quantization& quantization);
RestoredMatrix restored_floats(const QuantizedMatrix& matrix, const Quantization& quantization);

}  // namespace headcount
