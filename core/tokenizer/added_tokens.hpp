// Tokens that are found in the text before anything else is done with it: "<s>", and what was added to a vocabulary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tokenizer/steps.hpp"

namespace headcount {

struct AddedToken {
    std::int32_t id = 0;
    std::string text;
    bool single_word = false;                      // not within a word
    bool strip_left = false, strip_right = false;  // takes the white space there
    bool normalized = true;                        // looked for in the text as the normalizers leave it
    bool special = false;
};

class AddedTokens {
  public:
    // `text` is what is looked for, and not empty; of two with the same text the later counts.
    void add(const AddedToken& token, std::string_view text);

    bool empty() const { return tokens_.empty(); }

    // Cuts the tokens out of the part: always the first to come, of those at one place the longest. Fails where the
    // time is over.
    std::optional<Error> find(TextPart part, const TimeLimit& limit, std::vector<TextPart>& into) const;

  private:
    struct Match {
        std::size_t begin = 0, end = 0;
        const AddedToken* token = nullptr;
    };
    Match next(std::string_view text, std::size_t from, const TimeLimit& limit) const;  // none where the time is over

    // A tree of bytes; node 0 is its root.
    std::unordered_map<std::uint64_t, std::uint32_t> steps_;  // by node << 8 | byte
    std::vector<std::int32_t> ends_{-1};                      // by node: the token that ends there
    std::vector<AddedToken> tokens_;
};

}  // namespace headcount
