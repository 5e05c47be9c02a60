// One GGUF file by itself, which may be a part of a split one. What its bytes say is checked against their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/checkpoints/byte_reader.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

struct GgufPart {
    std::uint32_t version = 0;
    nlohmann::json metadata;                // an object
    std::vector<CheckpointTensor> tensors;  // each with file 0
    std::vector<std::uint64_t> places;      // of each tensor's entry in the header, for errors
    std::int64_t bytes = 0;
};

Result<GgufPart> read_gguf_part(std::span<const std::byte> bytes, const std::string& name);

// What follows is read in this order, from where the reader stands. Failures are left in the reader.

// `count` keys and values. Arrays of more than a few numbers or texts are walked and left out.
nlohmann::json read_gguf_metadata(ByteReader& reader, std::uint64_t count);

// `count` entries of tensors; their offsets still count from where the data begin.
void read_gguf_tensors(ByteReader& reader, std::uint64_t count, GgufPart& part);

// Makes the offsets count from the file's first byte and checks that the tensors lie in the file, aligned and apart.
void place_gguf_tensors(ByteReader& reader, std::uint64_t alignment, GgufPart& part);

}  // namespace headcount
