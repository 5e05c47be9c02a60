// Types of models that wrap a language model, to read pictures or sound besides: what their files leave open of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headcount {

// Whose tie_word_embeddings says that the output head is the embedding.
enum class HeadWord {
    whole,   // the file's own
    text,    // its text part's
    either,  // the one that says so
    none,    // nobody's: there is always a head of its own
};

struct HeadSize {
    std::int64_t dim, vocab;
};

struct Wrapper {
    std::string_view type;  // "mistral3"
    std::string_view text;  // the type of a text part that does not say its own: "mistral"
    HeadWord head_word = HeadWord::whole;
    bool tied = false;  // what the file's own word is where it is silent
    // Where an output head of its own has the file's own hidden_size and vocab_size: what these are where it is silent.
    std::optional<HeadSize> head_size{};
};

// Null where the type is none of these.
const Wrapper* find_wrapper(std::string_view type);

}  // namespace headcount
