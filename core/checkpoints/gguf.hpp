// Reads GGUF files, versions 2 and 3, little-endian: metadata and the tensors' places, none of the weights.
// The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/checkpoints/file_bytes.hpp"

namespace headcount {

// A file, and the other parts beside it where it is one of a split ("NAME-00002-of-00003.gguf"): the parts' tensors
// follow each other, the metadata is that of the first part. Errors say the file, the byte, and what was expected
// there.
Result<Checkpoint> read_gguf(const std::filesystem::path& path);

// One file's bytes; `name` stands for it in errors. Of a split file only this part is read.
Result<Checkpoint> read_gguf(FileBytes bytes, const std::string& name);

struct GgufPart {
    std::uint32_t version = 0;
    nlohmann::json metadata;                // an object
    std::vector<CheckpointTensor> tensors;  // each with file 0
    std::vector<std::uint64_t> places;      // of each tensor's entry in the header, for errors
    std::int64_t bytes = 0;
};

// An array of any length; of one of texts `numbers` is empty, and the other way round.
struct GgufArray {
    std::vector<std::string> texts;  // not always UTF-8
    std::vector<double> numbers;
};
// By key. Those whose keys are there when the file is read are filled in; the others stay as the metadata have them.
using GgufArrays = std::map<std::string, std::optional<GgufArray>, std::less<>>;

Result<GgufPart> read_gguf_part(FileBytes bytes, const std::string& name, GgufArrays* wanted = nullptr);

// What follows is read in this order, from where the reader stands. Failures are left in the reader.

// `count` keys and values. Arrays of more than a few numbers or texts are walked and left out, unless they are wanted.
nlohmann::json read_gguf_metadata(ByteReader& reader, std::uint64_t count, GgufArrays* wanted = nullptr);

// The types of ggml's tensors by their number (ggml.h, enum ggml_type; sizes as in ggml-common.h). Errors name the
// types that ggml has removed, and the highest number that is known.
Result<StorageType> ggml_type(std::uint32_t number);

// `count` entries of tensors; their offsets still count from where the data begin.
void read_gguf_tensors(ByteReader& reader, std::uint64_t count, GgufPart& part);

// Makes the offsets count from the file's first byte and checks that the tensors lie in the file, aligned and apart.
void place_gguf_tensors(ByteReader& reader, std::uint64_t alignment, GgufPart& part);

}  // namespace headcount
