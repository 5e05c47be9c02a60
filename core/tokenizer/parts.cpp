// What a tokenizer is made of, how it finds added tokens in a text and makes tokens of one word.
#include "core/tokenizer/parts.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"

namespace headcount {

namespace {

// Letters, their marks, digits, and what joins words: \w of Unicode's technical standard 18.
bool in_word(char32_t code) {
    if (code == 0x200C || code == 0x200D) return true;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(code))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_PC:
            return true;
        default:
            return false;
    }
}

bool within_word(std::string_view before, std::string_view after) {
    const auto joins = [](const Letter& letter) { return letter.code && in_word(*letter.code); };
    return (!before.empty() && joins(letter_before_end(before))) || (!after.empty() && joins(letter_at(after)));
}

// How many bytes of white space the text begins with, or ends with.
std::size_t spaces(std::string_view text, bool at_end) {
    std::size_t spaces = 0;
    while (spaces < text.size()) {
        const Letter letter =
            at_end ? letter_before_end(text.substr(0, text.size() - spaces)) : letter_at(text.substr(spaces));
        if (!letter.code || !is_space(*letter.code)) break;
        spaces += letter.length;
    }
    return spaces;
}

std::uint64_t step_key(std::uint32_t node, char byte) {
    return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
}

}  // namespace

void AddedTokens::add(const AddedToken& token, std::string_view text) {
    std::uint32_t node = 0;
    for (const char byte : text) {
        const auto [step, fresh] = steps_.try_emplace(step_key(node, byte), static_cast<std::uint32_t>(ends_.size()));
        if (fresh) ends_.push_back(-1);
        node = step->second;
    }
    ends_[node] = static_cast<std::int32_t>(tokens_.size());
    tokens_.push_back(token);
}

AddedTokens::Match AddedTokens::next(std::string_view text, std::size_t from, const TimeLimit& limit) const {
    constexpr std::size_t at_once = 256;
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if ((begin - from) % at_once == 0 && limit.passed()) break;
        Match longest;
        std::uint32_t node = 0;
        for (std::size_t at = begin; at < text.size(); ++at) {
            const auto step = steps_.find(step_key(node, text[at]));
            if (step == steps_.end()) break;
            node = step->second;
            if (ends_[node] >= 0) longest = {begin, at + 1, &tokens_[static_cast<std::size_t>(ends_[node])]};
        }
        if (longest.token) return longest;
    }
    return {};
}

std::optional<Error> AddedTokens::find(TextPart part, const TimeLimit& limit, std::vector<TextPart>& into) const {
    if (part.id || tokens_.empty()) {
        into.push_back(std::move(part));
        return std::nullopt;
    }
    const std::string_view text = part.text;
    std::size_t done = 0;
    const auto put = [&](std::size_t begin, std::size_t end, std::optional<std::int32_t> id) {
        if (end > begin) into.push_back({std::string(text.substr(begin, end - begin)), part.first && begin == 0, id});
    };
    Match match = next(text, 0, limit);
    for (; match.token; match = next(text, match.end, limit)) {
        const std::string_view before = text.substr(0, match.begin), after = text.substr(match.end);
        if (match.begin < done || (match.token->single_word && within_word(before, after))) continue;
        const std::size_t begin =
            match.token->strip_left ? std::max(done, match.begin - spaces(before, true)) : match.begin;
        put(done, begin, std::nullopt);
        done = match.end + (match.token->strip_right ? spaces(after, false) : 0);
        put(begin, done, match.token->id);
    }
    put(done, text.size(), std::nullopt);
    if (limit.passed()) return takes_too_long();
    return std::nullopt;
}

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
