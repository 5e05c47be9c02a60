// What a tokenizer is made of, as the readers of its files fill it in: the tokens that are found before anything else
// is done, and what words are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/result.hpp"
#include "core/tokenizer/steps.hpp"
#include "core/tokenizer/text_steps.hpp"
#include "core/tokenizer/text_tree.hpp"

namespace headcount {

struct MergeSymbol {
    std::size_t begin = 0, length = 0;  // in the word, in bytes
    std::int32_t id = -1;               // -1: no token

    bool operator==(const MergeSymbol&) const = default;
};

// What a pair becomes, and when: the lowest order first, of equal ones the leftmost.
struct Merged {
    double order = 0;
    std::int32_t id = 0;
};

// `pair(left, right)` is an optional Merged; `seen(left, right, merged)` is told of each that is made. Takes time
// n log n for n symbols.
template <class Pair, class Seen>
void merge(std::vector<MergeSymbol>& symbols, const Pair& pair, const Seen& seen) {
    struct Waiting {
        Merged merged;
        std::size_t left = 0, right = 0;  // indices of symbols
        std::size_t length = 0;           // of both, when it was found: changes when one of them is merged away

        bool operator>(const Waiting& other) const {
            return merged.order != other.merged.order ? merged.order > other.merged.order : left > other.left;
        }
    };
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> before(symbols.size()), after(symbols.size());
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
    const auto look_at = [&](std::size_t left, std::size_t right) {
        if (left == none || right == none) return;
        if (const auto found = pair(symbols[left], symbols[right]))
            waiting.push({*found, left, right, symbols[left].length + symbols[right].length});
    };
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        before[i] = i == 0 ? none : i - 1;
        after[i] = i + 1 == symbols.size() ? none : i + 1;
    }
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) look_at(i, i + 1);

    constexpr std::size_t gone = 0;  // the length of what was merged into its left neighbour
    while (!waiting.empty()) {
        const Waiting best = waiting.top();
        waiting.pop();
        MergeSymbol &left = symbols[best.left], &right = symbols[best.right];
        if (left.length == gone || right.length == gone || left.length + right.length != best.length) continue;
        seen(left, right, best.merged);
        left.length += right.length;
        left.id = best.merged.id;
        right.length = gone;
        after[best.left] = after[best.right];
        if (after[best.left] != none) before[after[best.left]] = best.left;
        look_at(before[best.left], best.left);
        look_at(best.left, after[best.left]);
    }
    std::erase_if(symbols, [](const MergeSymbol& symbol) { return symbol.length == gone; });
}

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

    TextTree places_;  // of the tokens' places among them, by text
    std::vector<AddedToken> tokens_;
};

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

struct TokenizerParts {
    std::vector<Token> tokens;  // by id
    TokenIds ids;               // of the model's vocabulary, by text

    std::vector<Normalizer> normalizers;
    std::vector<PreTokenizer> pre_tokenizers;
    AddedTokens in_raw, in_normalized;

    Segmentation segmentation = Segmentation::ranked_merges;
    std::unordered_map<std::uint64_t, Merged> merges;  // by pair_key
    bool whole_words = false;                          // a word that is a token is not made of smaller ones
    TextTree pieces;                                   // of the model's vocabulary
    std::string within_word;                           // begins a piece that does not begin a word: "##"
    std::size_t most_letters = 0;                      // a word of WordPiece that has more is unknown
    std::vector<double> scores;                        // by id
    double unknown_score = 0;                          // of a letter that is no piece
    std::vector<std::int32_t> byte_ids;  // of "<0x00>" to "<0xFF>"; -1 where there is none; empty: no fallback to them
    std::optional<std::int32_t> unknown;
    bool one_for_all_unknown = false;  // letters without tokens that follow each other are one unknown

    std::vector<std::int32_t> before, after;  // what a model expects around a text
    std::vector<std::int32_t> ends;
    std::optional<std::int32_t> mask;  // hides a token that a model is to tell
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

// Whether words are written in letters of bytes.
bool makes_letters_of_bytes(const TokenizerParts& parts);

}  // namespace headcount
