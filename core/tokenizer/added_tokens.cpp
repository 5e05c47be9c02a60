// Tokens that are found in the text before anything else is done with it.
#include "core/tokenizer/added_tokens.hpp"

#include <utf8proc.h>

#include <algorithm>

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

}  // namespace headcount
