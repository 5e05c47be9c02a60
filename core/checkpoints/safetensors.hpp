// Reads .safetensors files: the header, none of the weights.
// The format: https://huggingface.co/docs/safetensors, whose own reader's rules are kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

// One file's bytes; `name` stands for it in errors and in Checkpoint::files. The tensors are in the header's order and
// fill the bytes after it without holes and without overlapping. The metadata is the header's __metadata__.
Result<Checkpoint> read_safetensors(std::span<const std::byte> bytes, const std::string& name);

// The same of a file on disk, of which no more than the header is fetched, into `buffer`. For many files: mapping one
// takes longer than reading its header.
Result<Checkpoint> read_safetensors(const std::filesystem::path& path, std::vector<std::byte>& buffer);

}  // namespace headcount
