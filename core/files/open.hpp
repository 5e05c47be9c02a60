// What the command line and the window call ARCH: a preset's id or a path, opened as an architecture; and
// what is said of an opened file beside its numbers.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/files/document.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct Opened {
    Architecture architecture;
    const Preset* preset = nullptr;                // where it came from, if it is one
    std::shared_ptr<const Checkpoint> checkpoint;  // the weights that lie in or beside the file, if there are some
    std::vector<std::string> notes;                // what the file says that was not read, what had to be guessed
    std::optional<Formats> precision = {};         // of its weights, where its file says so
    std::vector<std::filesystem::path> read = {};  // the files that all this stands in
    std::string weights_doubt = {};                // why `precision` is only about right, a clause; empty where it is
    std::optional<Precision> cache = {};           // in what keys and values are cached, where the file says so

    bool operator==(const Opened&) const = default;
};

// `text` is a preset's id or what people call it (preset_called), or a path: a Hugging Face config.json (also inside a
// multimodal one), Meta's params.json, a directory that holds one (the shards that an index names may be missing),
// weights (.safetensors, its index, .gguf, llama2.c's .bin), or a document that Headcount saved. For what is none, the
// error names the nearest presets. The architecture is valid, but for one case: a params.json that leaves the
// vocabulary open, with no tokenizer beside it, has a vocabulary of 0 and a note that asks for it.
Result<Opened> open_architecture(std::string_view text, std::span<const Preset> presets);

// The text of a configuration or of a document that came through a pipe, which `path` names.
Result<Opened> open_text(std::string_view text, const std::filesystem::path& path);

// Of a multimodal configuration.
inline constexpr std::string_view only_text_note =
    "The text decoder alone: what reads pictures or sound is not counted.";

// Of one that holds text, tower and connector.
inline constexpr std::string_view whole_file_note =
    "The whole file: text, tower and connector. What reads pictures or sound is counted by name and shape; operations, "
    "activations and caches are those of the text alone, and its tokens pass no parameter of the rest.";

// Of a params.json that leaves the vocabulary to a tokenizer, which is not there.
inline constexpr std::string_view no_vocabulary_note =
    "This params.json leaves the vocabulary to its tokenizer, and there is none beside it: give the vocabulary "
    "(Llama 1 and 2 have 32,000).";

// "Not read, though it may change shapes: layer_types."; empty where there is no such field.
std::string note_on_unread(const Architecture& arch);

// What transformers builds or writes in another way than published files have it, which is how it is counted; empty
// where both have the same tensors.
std::string note_on_difference(const Architecture& arch);

// A sentence each, also those.
std::vector<std::string> notes_on(const Architecture& arch);

// Why the tensors of the file may be other ones than those that are counted: its type is not known, what may change
// shapes was not read, transformers has others, or the weights that say all have others. Empty where nothing says so,
// and of a preset, which was compared with its source.
std::string doubt_on(const Document& document);

// Its title, and of a model in doubt that it is: "Model (≈: not verified)".
std::string title_as_known(const Document& document);

// What stands before its total then.
constexpr std::string_view doubt_sign(std::string_view doubt) { return doubt.empty() ? "" : "≈ "; }

}  // namespace headcount
