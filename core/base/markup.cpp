// Escapes what a format would take for its own.
#include "core/base/markup.hpp"

#include <algorithm>
#include <cstdint>

#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr std::string_view unknown_letter = "\xEF\xBF\xBD";  // U+FFFD

// What would end the cell, start a tag or a link, or be taken for emphasis. Within a word "_" says nothing.
std::string markdown(std::string_view text, std::string_view special) {
    std::string safe;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool in_word = text[i] == '_' && i > 0 && i + 1 < text.size() && is_letter_or_digit(text[i - 1]) &&
                             is_letter_or_digit(text[i + 1]);
        if (special.find(text[i]) != std::string_view::npos && !in_word) safe += '\\';
        safe += text[i];
    }
    return safe;
}

// "-1.5", "+1,290", "-805 M", "+3.1 %", "-": with nothing behind it that could be reckoned with.
bool is_signed_number(std::string_view text) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
    std::string_view unit = text.substr(end);
    if (unit.starts_with(' ')) unit.remove_prefix(1);
    if (end == 0 && !unit.empty()) return false;
    if (unit.starts_with("e-") || unit.starts_with("e+")) unit.remove_prefix(2);
    return unit == "%" || std::ranges::all_of(unit, is_letter_or_digit);
}

bool begins_a_formula(std::string_view text) {
    if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
    const bool is_sign = text.front() == '+' || text.front() == '-';
    return !is_sign || !is_signed_number(text);
}

}  // namespace

std::string html_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Utf8Letter letter = first_letter(text);
        const char c = letter.bytes.front();
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += letter.plain || c == '\n' || c == '\t' || c == '\r' ? letter.bytes : unknown_letter;
        text.remove_prefix(letter.bytes.size());
    }
    return out;
}

std::string markdown_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(
        line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return markdown(printable(line), "|\\<*`[_");
}

std::string markdown_prose(std::string_view text) { return markdown(printable(text, Lines::kept), "|\\<*[_"); }

std::string csv_remark(std::string_view text) {
    if (text.empty()) return "";
    return "# " + printable(text) + "\r\n";
}

std::string csv_field(std::string_view text) {
    const bool formula = begins_a_formula(text);
    const std::string safe = (formula ? "'" : "") + printable(text, Lines::kept);
    // Spaces at the ends are quoted too: some readers cut them.
    const bool plain =
        safe.find_first_of(",;\"\n") == std::string::npos && !safe.starts_with(' ') && !safe.ends_with(' ');
    if (plain) return safe;
    std::string quoted = "\"";
    for (char c : safe) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string from_csv_field(std::string field) {
    if (field.starts_with('\'') && begins_a_formula(std::string_view(field).substr(1))) field.erase(0, 1);
    return field;
}

std::string html_prose(std::string_view text) {
    std::string out;
    bool code = false;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t tick = text.find('`', at);
        const bool closes =
            tick != std::string_view::npos && (code || text.find('`', tick + 1) != std::string_view::npos);
        out += html_text(text.substr(at, tick == std::string_view::npos ? tick : tick - at));
        if (tick == std::string_view::npos) break;
        out += closes ? (code ? "</code>" : "<code>") : "`";
        if (closes) code = !code;
        at = tick + 1;
    }
    return out;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::size_t group = 3;  // bytes that become four letters
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += group) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < group; ++i)
            bits = bits << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i <= group; ++i)
            text += at + i <= bytes.size() ? letters[bits >> (18U - 6U * static_cast<unsigned>(i)) & 63U] : '=';
    }
    return text;
}

}  // namespace headcount
