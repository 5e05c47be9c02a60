// What a tokenizer is made of, and how it finds added tokens in a text.
#include "core/tokenizer/parts.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "core/base/find.hpp"
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
        case UTF8PROC_CATEGORY_PC: return true;
        default: return false;
    }
}

bool within_word(std::string_view before, std::string_view after) {
    const auto joins = [](const Letter& letter) { return letter.code && in_word(*letter.code); };
    return (!before.empty() && joins(letter_before_end(before))) || (!after.empty() && joins(letter_at(after)));
}

}  // namespace

void AddedTokens::add(const AddedToken& token, std::string_view text) {
    places_.put(text, static_cast<std::int32_t>(tokens_.size()));
    tokens_.push_back(token);
}

AddedTokens::Match AddedTokens::next(std::string_view text, std::size_t from, const TimeLimit& limit) const {
    constexpr std::size_t at_once = 256;
    for (std::size_t begin = from; begin < text.size(); ++begin) {
        if ((begin - from) % at_once == 0 && limit.passed()) break;
        Match longest;
        places_.find(text.substr(begin), TextTree::root, [&](std::size_t length, std::int32_t place) {
            longest = {begin, begin + length, &tokens_[static_cast<std::size_t>(place)]};
        });
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
            match.token->strip_left ? std::max(done, match.begin - spaces_at_end(before)) : match.begin;
        put(done, begin, std::nullopt);
        done = match.end + (match.token->strip_right ? spaces_at_begin(after) : 0);
        put(begin, done, match.token->id);
    }
    put(done, text.size(), std::nullopt);
    if (limit.passed()) return takes_too_long();
    return std::nullopt;
}

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
    return contains(names, token);
}

bool makes_letters_of_bytes(const TokenizerParts& parts) {
    const auto cuts = [](const PreTokenizer& each) { return std::holds_alternative<ByteLevel>(each); };
    const auto changes = [](const Normalizer& each) { return std::holds_alternative<ToLetters>(each); };
    return std::ranges::any_of(parts.pre_tokenizers, cuts) || std::ranges::any_of(parts.normalizers, changes);
}

bool takes_any_byte(const TokenizerParts& parts) {
    const auto missing = std::ranges::find(parts.byte_ids, -1);
    if (!parts.byte_ids.empty() && missing == parts.byte_ids.end()) return true;
    if (!makes_letters_of_bytes(parts)) return false;
    for (int value = 0; value < 256; ++value) {
        const char byte = static_cast<char>(value);
        if (!parts.ids.contains(letters_of_bytes({&byte, 1}))) return false;
    }
    return true;
}

}  // namespace headcount
