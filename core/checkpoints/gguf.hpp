// Reads GGUF files, versions 2 and 3, little-endian: metadata and the tensors' places, none of the weights.
// The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <filesystem>
#include <string>

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

}  // namespace headcount
