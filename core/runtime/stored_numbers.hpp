// Numbers as files store them, made into float32.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/file_bytes.hpp"

namespace headcount {

// Fills `out` with the tensor's numbers from the `first` on; the tensor lies in `file`. Where numbers come in blocks,
// `first` begins one and whole blocks are asked for. Fails where the file ends before the tensor does, by now too, and
// where its type is none of F32, BF16, F16, F64, Q8_0 and Q4_0. With no room in `out`: whether it could be read.
std::optional<Error> read_numbers(FileBytes& file, const CheckpointTensor& tensor, std::int64_t first,
                                  std::span<float> out);

// Whether `read_numbers` reads this type.
bool is_read(const StorageType& type);

}  // namespace headcount
