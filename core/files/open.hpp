// What the command line and the window call ARCH: a preset's id or a path, opened as an architecture.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/input.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct Opened {
    Architecture architecture;
    const Preset* preset = nullptr;                // where it came from, if it is one
    std::shared_ptr<const Checkpoint> checkpoint;  // the weights that lie in or beside the file, if there are some
    std::vector<std::string> notes;                // what the file says that was not read, what had to be guessed
    std::optional<Precision> precision = {};       // of its weights, where its configuration says one
    std::vector<std::filesystem::path> read = {};  // the files that all this stands in

    bool operator==(const Opened&) const = default;
};

// `text` is a preset's id, or a path: a Hugging Face config.json (also inside a multimodal one), Meta's params.json, a
// directory that holds one (the shards that an index names may be missing), weights (.safetensors, its index, .gguf,
// llama2.c's .bin), or a document that Headcount saved. For what is none, the error names the nearest presets. The
// architecture is valid, but for one case: a params.json that leaves the vocabulary open, with no tokenizer beside it,
// has a vocabulary of 0 and a note that asks for it.
Result<Opened> open_architecture(std::string_view text, std::span<const Preset> presets);

}  // namespace headcount
