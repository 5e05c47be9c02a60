// The tokens of a word by a vocabulary of pieces alone, without merges: WordPiece's and Unigram's.
#include "core/tokenizer/letters.hpp"
#include "core/tokenizer/words.hpp"

namespace headcount {

namespace {

bool has_more_letters(std::string_view word, std::size_t most) {
    for (std::size_t letters = 0; !word.empty(); ++letters) {
        if (letters == most) return true;
        word.remove_prefix(letter_at(word).length);
    }
    return false;
}

// false where the word is unknown.
Result<bool> cut_greedily(const TokenizerParts& parts, std::string_view word, const TimeLimit& limit,
                          std::vector<std::int32_t>& into) {
    const std::optional<TextTree::Node> within = parts.pieces.behind(parts.within_word);
    for (std::optional<TextTree::Node> from = TextTree::root; !word.empty(); from = within) {
        if (limit.passed()) return takes_too_long();
        std::size_t longest = 0;
        std::int32_t best = -1;
        if (from)
            parts.pieces.find(word, *from, [&](std::size_t length, std::int32_t id) {
                longest = length;
                best = id;
            });
        if (longest == 0) return false;
        into.push_back(best);
        word.remove_prefix(longest);
    }
    return true;
}

}  // namespace

std::optional<Error> append_longest_pieces(const TokenizerParts& parts, std::string_view word, const TimeLimit& limit,
                                           std::vector<std::int32_t>& into) {
    std::vector<std::int32_t> ids;
    if (!has_more_letters(word, parts.most_letters)) {
        const Result<bool> known = cut_greedily(parts, word, limit, ids);
        if (!known) return known.error();
        if (*known) {
            into.insert(into.end(), ids.begin(), ids.end());
            return std::nullopt;
        }
    }
    if (!parts.unknown) return no_token(parts, word);
    into.push_back(*parts.unknown);
    return std::nullopt;
}

namespace {

// The likeliest way to a place in the word: its last piece.
struct LastPiece {
    double score = 0;  // of the whole way
    std::size_t begin = 0;
    std::optional<std::int32_t> id;  // nothing: no way there is found yet
};

// Cuts one word; looks at every letter, and at every piece that begins there.
class LikeliestPieces {
  public:
    LikeliestPieces(const TokenizerParts& parts, std::string_view word)
        : parts_(parts), word_(word), ways_(word.size() + 1) {}

    // Letter by letter, the best ways to the end of each piece that begins there. Of ways that are alike the first
    // counts, whose last piece is the longer one, as in Hugging Face's tokenizers.
    std::optional<Error> find_ways(const TimeLimit& limit) {
        for (std::size_t begin = 0; begin < word_.size();) {
            if (limit.passed()) return takes_too_long();
            const std::string_view rest = word_.substr(begin);
            const std::size_t letter = letter_at(rest).length;
            bool known = false;
            parts_.pieces.find(rest, TextTree::root, [&](std::size_t length, std::int32_t id) {
                known = known || length == letter;
                if (const double score = parts_.scores[static_cast<std::size_t>(id)]; better(begin, length, score))
                    take(begin, length, score, id);
            });
            if (!known && better(begin, letter, parts_.unknown_score)) {
                if (!parts_.unknown) return no_token(parts_, rest.substr(0, letter));
                take(begin, letter, parts_.unknown_score, *parts_.unknown);
            }
            begin += letter;
        }
        return std::nullopt;
    }

    // Unknown letters that follow each other are one unknown stretch.
    void append(std::vector<std::int32_t>& into) const {
        struct Stretch {
            std::size_t begin = 0, end = 0;
            std::int32_t id = 0;
        };
        std::vector<Stretch> stretches;  // the last of the word first
        for (std::size_t end = word_.size(); end > 0;) {
            const LastPiece& piece = ways_[end];
            if (piece.id == parts_.unknown && !stretches.empty() && stretches.back().id == *piece.id)
                stretches.back().begin = piece.begin;
            else
                stretches.push_back({piece.begin, end, *piece.id});
            end = piece.begin;
        }
        for (auto each = stretches.rbegin(); each != stretches.rend(); ++each)
            if (each->id == parts_.unknown)
                append_unknown(word_.substr(each->begin, each->end - each->begin), into);
            else
                into.push_back(each->id);
    }

  private:
    bool better(std::size_t begin, std::size_t length, double score) const {
        const LastPiece& way = ways_[begin + length];
        return !way.id || ways_[begin].score + score > way.score;
    }
    void take(std::size_t begin, std::size_t length, double score, std::int32_t id) {
        ways_[begin + length] = {ways_[begin].score + score, begin, id};
    }

    // A stretch may be a piece after all, since each of its letters was looked at by itself.
    void append_unknown(std::string_view letters, std::vector<std::int32_t>& into) const {
        if (const auto whole = parts_.ids.find(letters); whole != parts_.ids.end())
            into.push_back(whole->second);
        else if (const std::optional<std::vector<std::int32_t>> bytes = byte_ids_of(parts_, letters))
            into.insert(into.end(), bytes->begin(), bytes->end());
        else
            into.push_back(*parts_.unknown);
    }

    const TokenizerParts& parts_;
    std::string_view word_;
    std::vector<LastPiece> ways_;  // by the place in the word where they end
};

}  // namespace

std::optional<Error> append_likeliest_pieces(const TokenizerParts& parts, std::string_view word, const TimeLimit& limit,
                                             std::vector<std::int32_t>& into) {
    LikeliestPieces pieces(parts, word);
    if (std::optional<Error> error = pieces.find_ways(limit)) return error;
    pieces.append(into);
    return std::nullopt;
}

}  // namespace headcount
