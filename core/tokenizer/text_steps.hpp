// What a tokenizer does with a text, step by step: what the normalizers leave, the words that it is cut into, and how
// each becomes tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace headcount {

// How a word becomes tokens, see words.hpp.
enum class Segmentation {
    ranked_merges,     // byte pair encoding: pairs by their rank in a list
    scored_merges,     // SentencePiece's: pairs by the score of what they make
    longest_pieces,    // WordPiece
    likeliest_pieces,  // Unigram
};

// Texts are bytes as they stand in what was typed, not always UTF-8: a letter may be cut in two.
struct WordPiece {
    std::size_t begin = 0;  // where in the word, in bytes of how the vocabulary writes it
    std::string text;

    bool operator==(const WordPiece&) const = default;
};

struct MergeStep {
    WordPiece left;
    std::string right;
    double order = 0;  // the rank of the pair, 0 was learned first; of scored merges the score of what they make
    std::int32_t id = 0;

    bool operator==(const MergeStep&) const = default;
};

struct WordSteps {
    std::string text;
    std::vector<WordPiece> first;   // what merging begins with: bytes or letters; empty where nothing is merged
    std::vector<MergeStep> merges;  // in the order in which they are made
    std::vector<std::int32_t> ids;
    std::vector<double> scores;  // of each of these, where the likeliest are taken: the logarithm of its probability
    bool added = false;          // a token of its own, found before anything else is done

    bool operator==(const WordSteps&) const = default;
};

struct TextSteps {
    Segmentation by = Segmentation::ranked_merges;
    std::string normalized;                   // without what was found before
    std::vector<std::int32_t> before, after;  // what the model expects around a text
    std::vector<WordSteps> words;

    bool operator==(const TextSteps&) const = default;
};

// The pieces of a word before the first merge and behind each, at most so many lines.
std::vector<std::vector<std::string>> lines_of_merges(const WordSteps& word, std::size_t most);

}  // namespace headcount
