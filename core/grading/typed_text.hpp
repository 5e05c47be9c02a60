// Typed text as letters and digits: what stands for the same is made the same.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.hpp"

namespace headcount {

// Of what was typed, and nowhere else.
inline Error typed_error(std::string what, std::string fix) {
    return {std::move(what), "", std::move(fix)};
}

inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_word(char c) {
    return is_digit(c) || is_letter(c);
}

void replace_all(std::string& text, std::string_view from, std::string_view to);

// Where the letters and digits from `at` on end.
std::size_t word_end(std::string_view text, std::size_t at);

// Commas, underscores and apostrophes between groups of three digits go; other commas stay.
std::string without_separators(std::string_view text);

// "6 738 415 616" and "6.738.415.616" as one number.
std::string joined_groups(std::string text);

}  // namespace headcount
