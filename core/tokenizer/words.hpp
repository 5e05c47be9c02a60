// How one word becomes tokens, in the ways of the models that there are: merged pairs, the longest pieces, the
// likeliest pieces. Each puts its tokens behind those that are there.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/tokenizer/parts.hpp"

namespace headcount {

// As parts.segmentation says. With `steps`, its merges are written there.
std::optional<Error> append_word(const TokenizerParts& parts, std::string_view word, const TimeLimit& limit,
                                 std::vector<std::int32_t>& into, WordSteps* steps = nullptr);

// WordPiece (Schuster & Nakajima 2012), as BERT has it: the longest piece that the word begins with, then the longest
// that the rest of it does. A word that cannot be made so is unknown as a whole.
std::optional<Error> append_longest_pieces(const TokenizerParts& parts, std::string_view word, const TimeLimit& limit,
                                           std::vector<std::int32_t>& into);

// Unigram (Kudo 2018): of all ways to cut the word into pieces the one whose scores add up to most.
std::optional<Error> append_likeliest_pieces(const TokenizerParts& parts, std::string_view word, const TimeLimit& limit,
                                             std::vector<std::int32_t>& into);

// The tokens of all bytes of the letters; nothing where one has none.
std::optional<std::vector<std::int32_t>> byte_ids_of(const TokenizerParts& parts, std::string_view letters);

Error no_token(const TokenizerParts& parts, std::string_view letter);

}  // namespace headcount
