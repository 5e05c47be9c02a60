// What a tokenizer is made of, and how it makes tokens of one word.
#include "core/tokenizer/parts.hpp"

#include <algorithm>
#include <array>

#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"

namespace headcount {
namespace {

bool makes_letters_of_bytes(const TokenizerParts& parts) {
    const auto cuts = [](const PreTokenizer& each) { return std::holds_alternative<ByteLevel>(each); };
    const auto changes = [](const Normalizer& each) { return std::holds_alternative<ToLetters>(each); };
    return std::any_of(parts.pre_tokenizers.begin(), parts.pre_tokenizers.end(), cuts) ||
           std::any_of(parts.normalizers.begin(), parts.normalizers.end(), changes);
}

bool all_there(const std::vector<std::int32_t>& ids) {
    return !ids.empty() && std::find(ids.begin(), ids.end(), -1) == ids.end();
}

Error no_token(const TokenizerParts& parts, std::string_view letter) {
    if (makes_letters_of_bytes(parts))
        if (const std::optional<std::string> byte = bytes_of_letters(letter); byte && byte->size() == 1)
            return {"the tokenizer has no token for the byte " +
                        byte_token(static_cast<unsigned char>(byte->front())).substr(1, 4),
                    "prompt", "leave the letter that it is of out"};
    return {"the tokenizer has no token for " + in_quotes(letter), "prompt", "leave it out"};
}

// Makes tokens of one word: it holds the word and what it has become so far.
class WordTokens {
  public:
    WordTokens(const TokenizerParts& parts, std::string_view word) : parts_(parts), word_(word) {}

    std::optional<Error> split() {
        for (std::size_t at = 0; at < word_.size();) {
            const std::size_t length = letter_at(word_.substr(at)).length;
            const std::optional<std::int32_t> id = id_of(text_of(at, length));
            if (id || parts_.merged_by == MergedBy::score)
                symbols_.push_back({at, length, id.value_or(-1)});
            else if (std::optional<Error> error = split_unknown(at, length))
                return error;
            at += length;
        }
        return std::nullopt;
    }

    void merge_pairs() {
        if (parts_.merged_by == MergedBy::rank) {
            merge(symbols_, [&](const MergeSymbol& left, const MergeSymbol& right) -> std::optional<Merged> {
                const auto found = parts_.merges.find(pair_key(left.id, right.id));
                return found == parts_.merges.end() ? std::nullopt : std::optional(found->second);
            });
            return;
        }
        merge(symbols_, [&](const MergeSymbol& left, const MergeSymbol& right) -> std::optional<Merged> {
            const std::optional<std::int32_t> id = id_of(text_of(left.begin, left.length + right.length));
            if (!id) return std::nullopt;
            return Merged{-static_cast<double>(parts_.scores[static_cast<std::size_t>(*id)]), *id};
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
    std::optional<std::int32_t> id_of(std::string_view text) const {
        const auto found = parts_.ids.find(text);
        return found == parts_.ids.end() ? std::nullopt : std::optional(found->second);
    }
    std::string_view text_of(std::size_t begin, std::size_t length) const { return word_.substr(begin, length); }

    // A letter without a token: its bytes', or the unknown one.
    std::optional<Error> split_unknown(std::size_t begin, std::size_t length) {
        const std::string_view letter = text_of(begin, length);
        const auto byte_id = [&](char byte) { return parts_.byte_ids[static_cast<unsigned char>(byte)]; };
        const bool as_bytes = !parts_.byte_ids.empty() &&
                              std::all_of(letter.begin(), letter.end(), [&](char byte) { return byte_id(byte) >= 0; });
        if (as_bytes) {
            for (std::size_t i = 0; i < length; ++i) symbols_.push_back({begin + i, 1, byte_id(letter[i])});
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

}  // namespace

bool put_token(TokenizerParts& parts, std::int64_t id, std::string text, std::size_t count) {
    constexpr std::size_t gaps = 65536;
    if (id < 0 || static_cast<std::uint64_t>(id) >= 2 * count + gaps) return false;
    const auto place = static_cast<std::size_t>(id);
    if (place >= parts.tokens.size()) parts.tokens.resize(place + 1);
    parts.tokens[place].text = std::move(text);
    return true;
}

void find_byte_tokens(TokenizerParts& parts) {
    parts.byte_ids.assign(256, -1);
    for (int byte = 0; byte < 256; ++byte)
        if (const auto found = parts.ids.find(byte_token(static_cast<unsigned char>(byte))); found != parts.ids.end())
            parts.byte_ids[static_cast<std::size_t>(byte)] = found->second;
}

bool ends_a_text(std::string_view token) {
    constexpr std::array<std::string_view, 12> names{
        "</s>",    "<|endoftext|>", "<|end_of_text|>", "<|eot_id|>", "<|im_end|>", "<eos>",
        "<|end|>", "<end_of_turn>", "<|return|>",      "<|eom_id|>", "<|eot|>",    "<|END_OF_TURN_TOKEN|>"};
    return std::find(names.begin(), names.end(), token) != names.end();
}

bool takes_any_byte(const TokenizerParts& parts) {
    if (all_there(parts.byte_ids)) return true;
    if (!makes_letters_of_bytes(parts)) return false;
    for (int value = 0; value < 256; ++value) {
        const char byte = static_cast<char>(value);
        if (!parts.ids.contains(letters_of_bytes({&byte, 1}))) return false;
    }
    return true;
}

std::optional<Error> append_word(const TokenizerParts& parts, std::string_view word, std::vector<std::int32_t>& into) {
    if (parts.whole_words)
        if (const auto found = parts.ids.find(word); found != parts.ids.end()) {
            into.push_back(found->second);
            return std::nullopt;
        }
    WordTokens tokens(parts, word);
    if (std::optional<Error> error = tokens.split()) return error;
    tokens.merge_pairs();
    return tokens.append(into);
}

}  // namespace headcount
