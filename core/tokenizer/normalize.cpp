// Normalizers: they change a text before it is cut into words.
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

Result<std::string> step(ToLetters, std::string text, const TimeLimit&) {
    return letters_of_bytes(text);
}

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
