// What is said of an opened file beside its numbers: what of it was not read, and what had to be assumed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/arch/architecture.hpp"

namespace headcount {

// Of a multimodal configuration.
inline constexpr std::string_view only_text_note =
    "The text decoder alone: what reads pictures or sound is not counted.";

// Of a params.json that leaves the vocabulary to a tokenizer, which is not there.
inline constexpr std::string_view no_vocabulary_note =
    "This params.json leaves the vocabulary to its tokenizer, and there is none beside it: give the vocabulary "
    "(Llama 1 and 2 have 32,000).";

// "Not read, though it may change shapes: layer_types."; empty where there is no such field.
std::string note_on_unread(const Architecture& arch);

// A sentence each, also those.
std::vector<std::string> notes_on(const Architecture& arch);

}  // namespace headcount
