// What a tokenizer is made of, as the readers of its files fill it in.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.hpp"
#include "core/tokenizer/added_tokens.hpp"
#include "core/tokenizer/merge.hpp"
#include "core/tokenizer/steps.hpp"

namespace headcount {

struct Token {
    std::string text;   // as the vocabulary writes it; empty: there is no such token
    std::string bytes;  // what it adds to a text
    bool special = false;
    bool added = false;  // beside the vocabulary
};

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using TokenIds = std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>>;

// Whether pairs are merged by their rank in a list (merges), or by the score of what they make (SentencePiece).
enum class MergedBy { rank, score };

struct TokenizerParts {
    std::vector<Token> tokens;  // by id
    TokenIds ids;               // of the model's vocabulary, by text

    std::vector<Normalizer> normalizers;
    std::vector<PreTokenizer> pre_tokenizers;
    AddedTokens in_raw, in_normalized;

    MergedBy merged_by = MergedBy::rank;
    std::unordered_map<std::uint64_t, Merged> merges;  // by pair_key
    std::vector<float> scores;                         // by id
    bool whole_words = false;                          // a word that is a token is not made of smaller ones
    std::vector<std::int32_t> byte_ids;  // of "<0x00>" to "<0xFF>"; -1 where there is none; empty: no fallback to them
    std::optional<std::int32_t> unknown;
    bool one_for_all_unknown = false;  // letters without tokens that follow each other are one unknown

    std::vector<std::int32_t> before, after;  // what a model expects around a text
    std::vector<std::int32_t> ends;
    StripText strip{" "};
};

inline std::uint64_t pair_key(std::int32_t left, std::int32_t right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

// Puts a token at its id; false where that is out of all proportion to `count`, how many tokens there are.
bool put_token(TokenizerParts& parts, std::int64_t id, std::string text, std::size_t count);

// Fills `byte_ids` by the names of byte tokens.
void find_byte_tokens(TokenizerParts& parts);

// Whether models' makers gave this name to the token after which a text, or a turn of a talk, is over.
bool ends_a_text(std::string_view token);

// Whether every byte has a token, be it UTF-8 or not.
bool takes_any_byte(const TokenizerParts& parts);

// The tokens of one word, put behind those that are there.
std::optional<Error> append_word(const TokenizerParts& parts, std::string_view word, std::vector<std::int32_t>& into);

}  // namespace headcount
