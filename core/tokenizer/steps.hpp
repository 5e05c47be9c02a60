// What happens to a text before it is merged into tokens: normalizers change it, pre-tokenizers cut it into words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "core/tokenizer/charsmap.hpp"
#include "core/tokenizer/pattern.hpp"

namespace headcount {

// What steps may make of a text at most, so that no file can make a short one fill the memory: forms of letters take up
// to 18 times as much, a space as a letter 3 times.
inline std::size_t most_made_of(std::size_t bytes) {
    constexpr std::size_t most_growth = 64, least = 4096;
    return most_growth * bytes + least;
}
inline Error grows_too_much() {
    return {"the tokenizer's steps make too much of the text", "prompt", "use another tokenizer"};
}

// A piece of the text on its way to tokens.
struct TextPart {
    std::string text;
    bool first = false;              // begins where the whole text begins
    std::optional<std::int32_t> id;  // it is a token already
};

enum class NormalForm { nfc, nfd, nfkc, nfkd };
struct Prepend {
    std::string text;
};
struct ReplaceText {
    Pattern what;
    std::string by;
};
// Every byte as its letter, see letters.hpp.
struct ToLetters {};
// White space at the text's ends goes.
struct StripSpaces {
    bool left = false, right = false;
};
// Of BERT: white space is a space; control characters, and what stands for letters that could not be read, go.
struct CleanText {};
// Of BERT: Chinese letters stand between spaces, so that each is a word.
struct IdeographsApart {};
// Accents and other marks that take no room go, where they are letters of their own (NFD).
struct WithoutMarks {};
struct Lowercase {};
using Normalizer = std::variant<NormalForm, Prepend, ReplaceText, ToLetters, StripSpaces, CleanText, IdeographsApart,
                                WithoutMarks, Lowercase, Charsmap>;

// Fails where the time is over, as the pre-tokenizers do.
Result<std::string> normalized(const std::vector<Normalizer>& steps, std::string text, const TimeLimit& limit);

// What decoding takes from a text's start and end, at most so often.
struct StripText {
    std::string letter;
    int left = 0, right = 0;
};
std::string stripped(const StripText& strip, std::string text);

// What becomes of the matches of a pattern, by the names that tokenizer.json has for it.
enum class Behavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };
struct Split {
    Pattern pattern;
    Behavior behavior = Behavior::isolated;
    bool inverted = false;  // what lies between the matches is treated as they are
};
// Bytes as their letters, after the split.
struct ByteLevel {
    bool space_before = false;     // where a part does not begin with one
    std::optional<Pattern> words;  // GPT-2's
};
// Spaces as another letter, which also goes before a text.
struct Metaspace {
    enum class Before { always, first, never };

    std::string letter;
    Before before = Before::always;
    bool split = true;
};
using PreTokenizer = std::variant<Split, ByteLevel, Metaspace>;

// Parts that are tokens stay as they are; none that is left is empty.
Result<std::vector<TextPart>> cut(const std::vector<PreTokenizer>& steps, std::vector<TextPart> parts,
                                  const TimeLimit& limit);

}  // namespace headcount
