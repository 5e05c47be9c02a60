// Typed text as letters and digits.
#include <algorithm>
#include <array>
#include <utility>

#include "core/grading/typed.hpp"
#include "core/grading/typed_parts.hpp"

namespace headcount {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

std::size_t word_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is_word(text[at])) ++at;
    return at;
}

std::string plain_text(std::string_view typed) {
    std::string text(typed);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 22> plain{
        {{"\u00a0", " "}, {"\u2009", " "}, {"\u202f", " "}, {"\u2007", " "}, {"\t", " "}, {"\r", " "},
         {"\n", " "},     {"−", "-"},      {"–", "-"},      {"∗", "*"},      {"⋅", "·"},  {"•", "·"},
         {"∙", "·"},      {"✕", "×"},      {"✖", "×"},      {"²", "^2"},     {"³", "^3"}, {"÷", "/"},
         {"’", "'"},      {"≈", "~"},      {"**", "^"},     {"\u2217", "*"}}};
    for (const auto& [from, to] : plain) replace_all(text, from, to);
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string without_separators(std::string_view text) {
    std::string plain;
    int calls = 0;  // in ceil_to(...) commas part the operands
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(' && (calls > 0 || (i > 0 && is_letter(text[i - 1])))) ++calls;
        if (c == ')' && calls > 0) --calls;
        const auto digits_behind = [&] {
            std::size_t end = i + 1;
            while (end < text.size() && is_digit(text[end])) ++end;
            return end - i - 1;
        };
        const bool separates = c == ',' || c == '\'' || c == '_';
        if (separates && calls == 0 && !plain.empty() && is_digit(plain.back()) && digits_behind() == 3) continue;
        plain += c;
    }
    return plain;
}

std::string joined_groups(std::string text) {
    for (const char separator : {' ', '.'}) {
        std::string joined;
        std::size_t groups = 0;
        bool whole = true;
        for (std::size_t i = 0; i < text.size() && whole; ++i) {
            if (text[i] != separator) {
                joined += text[i];
                whole = is_digit(text[i]);
                continue;
            }
            std::size_t end = i + 1;
            while (end < text.size() && is_digit(text[end])) ++end;
            whole = end - i - 1 == 3 && !joined.empty();
            ++groups;
        }
        if (whole && groups >= (separator == '.' ? 2u : 1u)) return joined;
    }
    return text;
}

}  // namespace headcount
