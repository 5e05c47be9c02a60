// What the user edits: a value. Undo and redo are earlier values of it, and it is what is saved and restored.
#pragma once

#include <optional>
#include <string>

#include "core/arch/architecture.hpp"
#include "core/base/checked.hpp"

namespace headcount {

// The other side of a comparison.
struct Compared {
    Architecture architecture;
    Architecture base;   // as of a document
    std::string preset;  // empty for a file
    std::string file;
    std::optional<Formats> stored = {};  // as its weights are, where the file says so

    bool operator==(const Compared&) const = default;
};

struct Document {
    Architecture architecture;
    Architecture base;   // what resets and effects are measured against: the preset or file it came from, unedited
    std::string preset;  // the preset's id; empty for a file
    Input input;
    std::string file;                    // the absolute path of what it came from; empty for a preset
    std::optional<Formats> stored = {};  // as its weights are, where the file says so
    std::optional<Compared> with = {};   // B, where one was chosen

    bool operator==(const Document&) const = default;
};

// One decoding step: a single new token behind those that are cached.
inline bool decoding(const Input& input) { return input.tokens == 1 && input.cached > 0; }

// The step that follows the prompt, the prompt that such a step followed, and whichever of them it is not.
inline Input with_decoding(Input input) {
    const std::optional<std::int64_t> cached = checked_add(input.cached, input.tokens);
    if (!cached) return input;  // too many already, and said so elsewhere
    input.cached = *cached;
    input.tokens = 1;
    return input;
}
inline Input with_prompt(Input input) {
    input.tokens = input.cached;
    input.cached = 0;
    return input;
}
// What sees all tokens at once has the prompt alone.
inline Input with_other_step(const Document& document) {
    if (decoding(document.input)) return with_prompt(document.input);
    return sees_all(document.architecture) ? document.input : with_decoding(document.input);
}

}  // namespace headcount
