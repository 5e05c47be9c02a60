// An experiment that a lesson asks for: parts of the model that ships are switched off until it would say another word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headcount {

struct Experiment {
    std::string prompt;     // that it reads
    std::string from, to;   // the likeliest next word as it is, and as it is to become: without the space before them
    std::int64_t most = 0;  // so many parts may be switched off; 0: as many as one likes

    bool operator==(const Experiment&) const = default;
};

// Whether a token says this word: the space before it is the token's.
inline bool says_word(std::string_view token, std::string_view word) {
    while (token.starts_with(' ')) token.remove_prefix(1);
    return token == word;
}

}  // namespace headcount
