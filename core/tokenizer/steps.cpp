// Normalizers, which change a text before it is cut, and pre-tokenizers, which cut it into words, within which alone
// tokens are merged.

#include "core/tokenizer/steps.hpp"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "core/tokenizer/letters.hpp"

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

namespace {

struct Stretch {
    Range range;
    bool match = false;
};

// The whole text as matches and what lies between them.
Result<std::vector<Stretch>> stretches(const Split& split, std::string_view text, const TimeLimit& limit) {
    const Result<std::vector<Range>> found = split.pattern.find(text, limit);
    if (!found) return found.error();
    std::vector<Stretch> all;
    std::size_t at = 0;
    for (const Range& range : *found) {
        if (range.begin > at) all.push_back({{at, range.begin}, split.inverted});
        all.push_back({range, !split.inverted});
        at = range.end;
    }
    if (at < text.size()) all.push_back({{at, text.size()}, split.inverted});
    return all;
}

// Whether two neighbours stay together: a match joins the one before it or behind it, unless that is a match too.
bool together(const Stretch& left, const Stretch& right, Behavior behavior) {
    if (behavior == Behavior::merged_with_previous) return right.match && !left.match;
    if (behavior == Behavior::merged_with_next) return left.match && !right.match;
    return behavior == Behavior::contiguous && left.match == right.match;
}

std::vector<Range> kept(const std::vector<Stretch>& all, Behavior behavior) {
    std::vector<Range> made;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].match && behavior == Behavior::removed) continue;
        if (i > 0 && together(all[i - 1], all[i], behavior))
            made.back().end = all[i].range.end;
        else
            made.push_back(all[i].range);
    }
    return made;
}

using Parts = std::vector<TextPart>;

std::optional<Error> step(const Split& split, TextPart part, const TimeLimit& limit, Parts& into) {
    const Result<std::vector<Stretch>> all = stretches(split, part.text, limit);
    if (!all) return all.error();
    for (const Range& range : kept(*all, split.behavior))
        into.push_back({part.text.substr(range.begin, range.end - range.begin), part.first && range.begin == 0, {}});
    return std::nullopt;
}

std::optional<Error> step(const ByteLevel& level, TextPart part, const TimeLimit& limit, Parts& into) {
    if (level.space_before && !part.text.starts_with(' ')) part.text.insert(0, 1, ' ');
    const std::size_t before = into.size();
    if (!level.words)
        into.push_back(std::move(part));
    else if (std::optional<Error> error = step(Split{*level.words}, std::move(part), limit, into))
        return error;
    for (std::size_t i = before; i < into.size(); ++i) into[i].text = letters_of_bytes(into[i].text);
    return std::nullopt;
}

std::optional<Error> step(const Metaspace& metaspace, TextPart part, const TimeLimit& limit, Parts& into) {
    std::string text;
    for (const char c : part.text)
        if (c == ' ')
            text += metaspace.letter;
        else
            text += c;
    const bool wanted =
        metaspace.before == Metaspace::Before::always || (metaspace.before == Metaspace::Before::first && part.first);
    if (wanted && !text.starts_with(metaspace.letter)) text.insert(0, metaspace.letter);
    part.text = std::move(text);
    if (!metaspace.split) {
        into.push_back(std::move(part));
        return std::nullopt;
    }
    Result<Pattern> letter = Pattern::text(metaspace.letter, "");
    if (!letter) return letter.error();
    return step(Split{*std::move(letter), Behavior::merged_with_next}, std::move(part), limit, into);
}

std::size_t bytes_of(const Parts& parts) {
    std::size_t bytes = 0;
    for (const TextPart& part : parts) bytes += part.text.size();
    return bytes;
}

}  // namespace

Result<std::vector<TextPart>> cut(const std::vector<PreTokenizer>& steps, std::vector<TextPart> parts,
                                  const TimeLimit& limit) {
    const std::size_t most = most_made_of(bytes_of(parts));
    for (const PreTokenizer& each : steps) {
        Parts made;
        for (TextPart& part : parts) {
            if (part.id) {
                made.push_back(std::move(part));
                continue;
            }
            std::optional<Error> error = std::visit(
                [&](const auto& pre_tokenizer) { return step(pre_tokenizer, std::move(part), limit, made); }, each);
            if (error) return *std::move(error);
            if (limit.passed()) return takes_too_long();
        }
        parts = std::move(made);
        if (bytes_of(parts) > most) return grows_too_much();
    }
    return parts;
}

}  // namespace headcount
