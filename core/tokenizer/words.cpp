// Byte pair encoding of one word, and which way of making tokens a word takes.
#include "core/tokenizer/words.hpp"

#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"

namespace headcount {

Error no_token(const TokenizerParts& parts, std::string_view letter) {
    if (makes_letters_of_bytes(parts))
        if (const std::optional<std::string> byte = bytes_of_letters(letter); byte && byte->size() == 1)
            return {"the tokenizer has no token for the byte " +
                        byte_token(static_cast<unsigned char>(byte->front())).substr(1, 4),
                    "prompt", "leave the letter that it is of out"};
    return {"the tokenizer has no token for " + in_quotes(letter), "prompt", "leave it out"};
}

std::optional<std::vector<std::int32_t>> byte_ids_of(const TokenizerParts& parts, std::string_view letters) {
    std::vector<std::int32_t> ids;
    if (parts.byte_ids.empty()) return std::nullopt;
    for (const char byte : letters) {
        ids.push_back(parts.byte_ids[static_cast<unsigned char>(byte)]);
        if (ids.back() < 0) return std::nullopt;
    }
    return ids;
}

namespace {

// Makes tokens of one word: it holds the word and what it has become so far.
class WordTokens {
  public:
    WordTokens(const TokenizerParts& parts, std::string_view word) : parts_(parts), word_(word) {}

    std::optional<Error> split() {
        for (std::size_t at = 0; at < word_.size();) {
            const std::size_t length = letter_at(word_.substr(at)).length;
            const std::optional<std::int32_t> id = id_of(text_of(at, length));
            if (id || parts_.segmentation == Segmentation::scored_merges)
                symbols_.push_back({at, length, id.value_or(-1)});
            else if (std::optional<Error> error = split_unknown(at, length))
                return error;
            at += length;
        }
        return std::nullopt;
    }

    void merge_pairs(WordSteps* steps) {
        const bool ranked = parts_.segmentation == Segmentation::ranked_merges;
        if (steps)
            for (const MergeSymbol& symbol : symbols_) steps->first.push_back({symbol.begin, text_of(symbol)});
        merge(
            symbols_,
            [&](const MergeSymbol& left, const MergeSymbol& right) {
                return ranked ? ranked_pair(left, right) : scored_pair(left, right);
            },
            [&](const MergeSymbol& left, const MergeSymbol& right, const Merged& merged) {
                if (!steps) return;
                const double order = ranked ? merged.order : -merged.order;
                steps->merges.push_back({{left.begin, text_of(left)}, text_of(right), order, merged.id});
            });
    }

    std::optional<Error> append(std::vector<std::int32_t>& into) const {
        WordTokens rest(parts_, word_);
        for (const MergeSymbol& symbol : symbols_)
            if (symbol.id >= 0)
                rest.symbols_.push_back(symbol);
            else if (std::optional<Error> error = rest.split_unknown(symbol.begin, symbol.length))
                return error;
        for (const MergeSymbol& symbol : rest.symbols_) into.push_back(symbol.id);
        return std::nullopt;
    }

  private:
    std::optional<Merged> ranked_pair(const MergeSymbol& left, const MergeSymbol& right) const {
        const auto found = parts_.merges.find(pair_key(left.id, right.id));
        return found == parts_.merges.end() ? std::nullopt : std::optional(found->second);
    }
    std::optional<Merged> scored_pair(const MergeSymbol& left, const MergeSymbol& right) const {
        const std::optional<std::int32_t> id = id_of(text_of(left.begin, left.length + right.length));
        if (!id) return std::nullopt;
        return Merged{-parts_.scores[static_cast<std::size_t>(*id)], *id};
    }
    std::string text_of(const MergeSymbol& symbol) const { return std::string(text_of(symbol.begin, symbol.length)); }

    std::optional<std::int32_t> id_of(std::string_view text) const {
        const auto found = parts_.ids.find(text);
        return found == parts_.ids.end() ? std::nullopt : std::optional(found->second);
    }
    std::string_view text_of(std::size_t begin, std::size_t length) const { return word_.substr(begin, length); }

    // A letter without a token: its bytes', or the unknown one.
    std::optional<Error> split_unknown(std::size_t begin, std::size_t length) {
        const std::string_view letter = text_of(begin, length);
        if (const std::optional<std::vector<std::int32_t>> ids = byte_ids_of(parts_, letter)) {
            for (std::size_t i = 0; i < length; ++i) symbols_.push_back({begin + i, 1, (*ids)[i]});
            return std::nullopt;
        }
        if (!parts_.unknown) return no_token(parts_, letter);
        const bool more = parts_.one_for_all_unknown && !symbols_.empty() && symbols_.back().id == *parts_.unknown;
        if (more)
            symbols_.back().length += length;
        else
            symbols_.push_back({begin, length, *parts_.unknown});
        return std::nullopt;
    }

    const TokenizerParts& parts_;
    std::string_view word_;
    std::vector<MergeSymbol> symbols_;
};

std::optional<Error> append_merged(const TokenizerParts& parts, std::string_view word, std::vector<std::int32_t>& into,
                                   WordSteps* steps) {
    if (parts.whole_words)
        if (const auto found = parts.ids.find(word); found != parts.ids.end()) {
            into.push_back(found->second);
            return std::nullopt;
        }
    WordTokens tokens(parts, word);
    if (std::optional<Error> error = tokens.split()) return error;
    tokens.merge_pairs(steps);
    return tokens.append(into);
}

}  // namespace

std::optional<Error> append_word(const TokenizerParts& parts, std::string_view word, const TimeLimit& limit,
                                 std::vector<std::int32_t>& into, WordSteps* steps) {
    switch (parts.segmentation) {
        case Segmentation::longest_pieces: return append_longest_pieces(parts, word, limit, into);
        case Segmentation::likeliest_pieces: return append_likeliest_pieces(parts, word, limit, into);
        default: return append_merged(parts, word, into, steps);
    }
}

}  // namespace headcount
