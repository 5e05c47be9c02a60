// Normalizers, which change a text before it is cut.
#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "core/tokenizer/letters.hpp"
#include "core/tokenizer/steps.hpp"

namespace headcount {

namespace {

struct Free {
    void operator()(utf8proc_uint8_t* text) const { std::free(text); }
};

int options(NormalForm form) {
    const bool composed = form == NormalForm::nfc || form == NormalForm::nfkc;
    const bool compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
    return UTF8PROC_STABLE | (composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) | (compatible ? UTF8PROC_COMPAT : 0);
}

bool is_ascii(std::string_view text) {
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    return true;
}

std::optional<Error> append_form(NormalForm form, std::string_view letters, std::string& into) {
    utf8proc_uint8_t* made = nullptr;
    const utf8proc_ssize_t length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(letters.data()),
                                                 static_cast<utf8proc_ssize_t>(letters.size()), &made,
                                                 static_cast<utf8proc_option_t>(options(form)));
    const std::unique_ptr<utf8proc_uint8_t, Free> owner(made);
    if (length < 0) return Error{utf8proc_errmsg(length), "", "give another text"};
    into.append(reinterpret_cast<const char*>(made), static_cast<std::size_t>(length));
    return std::nullopt;
}

// What is no UTF-8 has no form and stays as it is.
Result<std::string> step(NormalForm form, std::string text, const TimeLimit&) {
    if (is_ascii(text)) return text;
    std::string made;
    std::size_t begin = 0, at = 0;
    while (at <= text.size()) {
        const Letter letter = at < text.size() ? letter_at(std::string_view(text).substr(at)) : Letter{};
        if (letter.code) {
            at += letter.length;
            continue;
        }
        if (at > begin)
            if (std::optional<Error> error = append_form(form, std::string_view(text).substr(begin, at - begin), made))
                return *std::move(error);
        if (at < text.size()) made += text[at];
        begin = ++at;
    }
    return made;
}

Result<std::string> step(const Prepend& prepend, std::string text, const TimeLimit&) {
    return text.empty() ? text : prepend.text + text;
}

Result<std::string> step(const ReplaceText& replace, std::string text, const TimeLimit& limit) {
    const Result<std::vector<Range>> found = replace.what.find(text, limit);
    if (!found) return found.error();
    if (found->empty()) return text;
    std::string made;
    std::size_t at = 0;
    for (const Range& range : *found) {
        made.append(text, at, range.begin - at).append(replace.by);
        at = range.end;
    }
    return made.append(text, at);
}

Result<std::string> step(ToLetters, std::string text, const TimeLimit&) { return letters_of_bytes(text); }

Result<std::string> step(const StripSpaces& strip, std::string text, const TimeLimit&) {
    if (strip.right) text.erase(text.size() - spaces_at_end(text));
    if (strip.left) text.erase(0, spaces_at_begin(text));
    return text;
}

// What each letter becomes: become(code, letter), put behind the text made so far. What is no UTF-8 stays.
template <class Become>
std::string letter_by_letter(std::string_view text, const Become& become) {
    std::string made;
    made.reserve(text.size());
    while (!text.empty()) {
        const Letter letter = letter_at(text);
        const std::string_view bytes = text.substr(0, letter.length);
        if (letter.code)
            become(*letter.code, bytes, made);
        else
            made += bytes;
        text.remove_prefix(letter.length);
    }
    return made;
}

utf8proc_category_t category(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

Result<std::string> step(CleanText, std::string text, const TimeLimit&) {
    return letter_by_letter(text, [](char32_t code, std::string_view letter, std::string& made) {
        const utf8proc_category_t is = category(code);
        const bool control =
            is == UTF8PROC_CATEGORY_CC || is == UTF8PROC_CATEGORY_CF || is == UTF8PROC_CATEGORY_CO || code == 0xFFFD;
        if (code == '\t' || code == '\n' || code == '\r' || (is_space(code) && !control))
            made += ' ';
        else if (!control)
            made += letter;
    });
}

bool is_ideograph(char32_t code) {
    constexpr std::pair<char32_t, char32_t> blocks[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF},
                                                        {0x2A700, 0x2B73F}, {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF},
                                                        {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
    for (const auto& [first, last] : blocks)
        if (code >= first && code <= last) return true;
    return false;
}

Result<std::string> step(IdeographsApart, std::string text, const TimeLimit&) {
    return letter_by_letter(text, [](char32_t code, std::string_view letter, std::string& made) {
        if (is_ideograph(code))
            made.append(" ").append(letter).append(" ");
        else
            made += letter;
    });
}

Result<std::string> step(WithoutMarks, std::string text, const TimeLimit&) {
    return letter_by_letter(text, [](char32_t code, std::string_view letter, std::string& made) {
        if (category(code) != UTF8PROC_CATEGORY_MN) made += letter;
    });
}

Result<std::string> step(Lowercase, std::string text, const TimeLimit&) {
    constexpr char32_t dotted_capital = 0x130;  // the one letter whose lower case is two
    return letter_by_letter(text, [](char32_t code, std::string_view, std::string& made) {
        made += code == dotted_capital
                    ? "i\u0307"
                    : utf8_of(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
    });
}

Result<std::string> step(const Charsmap& charsmap, std::string text, const TimeLimit&) { return charsmap.mapped(text); }

}  // namespace

Result<std::string> normalized(const std::vector<Normalizer>& steps, std::string text, const TimeLimit& limit) {
    const std::size_t most = most_made_of(text.size());
    for (const Normalizer& each : steps) {
        Result<std::string> changed =
            std::visit([&](const auto& normalizer) { return step(normalizer, std::move(text), limit); }, each);
        if (!changed) return changed.error();
        text = *std::move(changed);
        if (text.size() > most) return grows_too_much();
        if (limit.passed()) return takes_too_long();
    }
    return text;
}

std::string stripped(const StripText& strip, std::string text) {
    if (strip.letter.empty()) return text;
    for (int i = 0; i < strip.left && text.starts_with(strip.letter); ++i) text.erase(0, strip.letter.size());
    for (int i = 0; i < strip.right && text.ends_with(strip.letter); ++i) text.erase(text.size() - strip.letter.size());
    return text;
}

}  // namespace headcount
