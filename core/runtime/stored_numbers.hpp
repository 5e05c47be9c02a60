// Numbers as files store them, made into float32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// Fills `out` with the tensor's numbers from the `first` on; `bytes` are the tensor's, all of them. Where numbers come
// in blocks, `first` begins one and whole blocks are asked for. The error names the type where it is none of F32, BF16,
// F16, F64, Q8_0 and Q4_0.
std::optional<Error> read_numbers(std::span<const std::byte> bytes, const CheckpointTensor& tensor, std::int64_t first,
                                  std::span<float> out);

// Whether `read_numbers` reads this type.
bool is_read(const StorageType& type);

}  // namespace headcount
