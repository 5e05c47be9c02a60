// Reads a *.safetensors.index.json, which says in which file each tensor of a model lies, and the headers of those
// files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

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

}  // namespace headcount
