// Reads .safetensors files, and the index of those that a model is cut into: headers, none of the weights.
// The format: https://huggingface.co/docs/safetensors, whose own reader's rules are kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
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

// What a *.safetensors.index.json says: in which file each tensor of a model lies.
struct ShardIndex {
    struct Entry {
        std::string tensor;
        std::size_t shard = 0;  // index into shards
    };
    std::vector<std::string> shards;                     // file names, no folders, in the order of the alphabet
    std::vector<Entry> entries;                          // in the order of the tensors' names, which are unique
    nlohmann::json metadata = nlohmann::json::object();  // what "metadata" has, without what is nested in it
};

// The index by itself. Errors name `file`, and a byte or a JSON pointer.
Result<ShardIndex> parse_safetensors_index(std::string_view text, const std::string& file);

// The index and all its shards, which lie beside it. Each mapped tensor must be in the shard that the map says and in
// no other. A tensor of a shard that the map leaves out is listed all the same: it is in the file. The metadata is the
// index's, and what the shards' __metadata__ add to it.
Result<Checkpoint> read_safetensors_index(const std::filesystem::path& path);

struct SafetensorsHeader {
    // Their offsets count from the end of the header, and bytes is what their two offsets give, which is what shape and
    // type take.
    std::vector<CheckpointTensor> tensors;
    nlohmann::json metadata = nlohmann::json::object();
};

// Errors name `file` and a JSON pointer, or the byte, where the text begins at byte `first_byte`: a field that is
// missing, there twice or of another kind; an unknown type; a shape whose size does not fit 64 bits; two offsets that
// are not as far apart as shape and type say. Fields that the format does not have are passed over.
Result<SafetensorsHeader> read_safetensors_header(std::string_view text, const std::string& file,
                                                  std::uint64_t first_byte);

}  // namespace headcount
