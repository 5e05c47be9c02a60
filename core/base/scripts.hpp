// Names with sub- and superscripts, such as "W_gate", "X^(1)", "K^T", read part by part. Who draws them is elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/text.hpp"

namespace headcount {

enum class Script { none, lowered, raised };

// How large sub- and superscripts are beside the text, and how far below and above its baseline, in ems of the text.
inline constexpr float script_part = 0.74F, script_down = 0.2F, script_up = 0.34F;

// Whether the character is read, and not only drawn.
constexpr bool steers_scripts(char c) { return c == '_' || c == '^' || c == '\\'; }

// Whether there is anything but plain text in it. Asked of every word in every frame: std::string_view::find_first_of
// takes several times as long with libstdc++.
inline bool has_scripts(std::string_view text) {
    for (const char c : text)
        if (steers_scripts(c)) return true;
    return false;
}

// The text for where scripts are read: "a_b" stays as it is.
inline std::string without_scripts(std::string_view text) {
    std::string plain;
    for (const char c : text) {
        if (steers_scripts(c)) plain += '\\';
        plain += c;
    }
    return plain;
}

// Whether a Greek letter begins at this byte: two bytes of UTF-8.
inline bool begins_greek(std::string_view text, std::size_t place) {
    return place + 1 < text.size() && (text[place] == '\xCE' || text[place] == '\xCF');
}

// Where the script that begins at `start` ends; `start` itself where none begins there.
inline std::size_t script_end(std::string_view text, std::size_t start, Script script) {
    std::size_t end = start;
    if (script == Script::lowered) {
        while (end < text.size() && (is_letter_or_digit(text[end]) || begins_greek(text, end)))
            end += begins_greek(text, end) ? 2 : 1;
        return end;
    }
    if (start < text.size() && text[start] == '(') {
        const std::size_t close = text.find(')', start);
        return close == std::string_view::npos ? start : close + 1;
    }
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == start && end < text.size() && is_letter_or_digit(text[end])) ++end;
    return end;
}

// Calls part(text, script) for every stretch of one kind. An underscore lowers the letters, Greek ones too, and digits
// that follow it; a caret raises one letter, or what stands in the parentheses after it (parentheses included), or a
// run of digits. Any other text is plain. A backslash takes the next character as it is, so "q\_proj" is plain.
template <class Part>
void for_each_script(std::string_view text, Part&& part) {
    std::size_t plain = 0;
    const auto plain_until = [&](std::size_t end) {
        if (end > plain) part(text.substr(plain, end - plain), Script::none);
    };
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '\\' && i + 1 < text.size()) {
            plain_until(i);
            plain = i + 1;
            i += 2;
            continue;
        }
        if ((c == '_' || c == '^') && i > 0) {
            const Script script = c == '_' ? Script::lowered : Script::raised;
            const std::size_t end = script_end(text, i + 1, script);
            if (end > i + 1) {
                plain_until(i);
                part(text.substr(i + 1, end - i - 1), script);
                i = plain = end;
                continue;
            }
        }
        ++i;
    }
    plain_until(text.size());
}

}  // namespace headcount
