// What a file of weights says of itself: its tensors' names, shapes, types and places. Only headers are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

// How a format stores numbers: in blocks of `elements` that take `bytes` ("Q4_0": 32 in 18; "BF16": 1 in 2).
struct StorageType {
    std::string_view name;
    std::int64_t elements = 1;
    std::int64_t bytes = 1;

    bool operator==(const StorageType&) const = default;
};

struct CheckpointTensor {
    std::string name;                 // as in the file
    std::vector<std::int64_t> shape;  // outermost first, as PyTorch says it: [out, in] of a linear layer
    StorageType type;
    std::int64_t elements = 0;  // product of the shape, which fits
    std::int64_t bytes = 0;     // in the file
    std::size_t file = 0;       // index into Checkpoint::files
    std::uint64_t offset = 0;   // of its first byte in that file

    bool operator==(const CheckpointTensor&) const = default;
};

struct Checkpoint {
    std::string format;                        // "safetensors", "GGUF v3", "llama2.c": for people
    std::vector<std::filesystem::path> files;  // the shards, in their order
    std::vector<CheckpointTensor> tensors;     // in the file's order; names are unique
    nlohmann::json metadata;                   // an object: the file's own key/values. Long arrays are left out and
                                               // stand as {"array": "string", "length": 128256}
    std::int64_t bytes = 0;                    // of all files on disk
};

// "[4096, 11008]".
std::string shape_text(const std::vector<std::int64_t>& shape);

// Whether it was a GGUF file, whose names and cuts are its own.
inline bool is_gguf(const Checkpoint& checkpoint) { return checkpoint.format.starts_with("GGUF"); }

// Reads the header of a .safetensors file, a *.safetensors.index.json with all its shards, a .gguf (with its other
// parts where it is split) or a llama2.c .bin; which it is, the file's first bytes say, not its name. Nothing of the
// weights is touched, and no more memory is taken than the header's own size warrants. Errors name the file, the byte
// or the JSON path, and what was expected there.
Result<Checkpoint> read_checkpoint(const std::filesystem::path& path);

// What all forms of a file's names share, as different programs write them: dense layers under the name of a mixture or
// not (Kimi Linear), norms by what they stand before or by LLaMA's names (OLMo Hybrid), blocks or layers (Kimi K2.5).
// Of a multimodal file's: "layers.0.mlp.up_proj.weight" of language_model.model.layers.0...,
// model.language_model.layers.0... and model.layers.0..., "vision_tower.encoder..." with or without a vision_model
// inside.
std::string plain_name(std::string_view name);

}  // namespace headcount
