// UTF-8 letter by letter, and the letters that byte-level vocabularies are written in.
#include "core/tokenizer/letters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "core/base/utf8.hpp"

namespace headcount {
namespace {

constexpr bool shows_itself(unsigned byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xFF && byte != 0xAD);
}

constexpr char32_t first_other = 0x100, past_letters = 0x144;

constexpr std::array<char32_t, 256> letters_by_byte = [] {
    std::array<char32_t, 256> letters{};
    char32_t other = first_other;
    for (unsigned byte = 0; byte < 256; ++byte) letters[byte] = shows_itself(byte) ? byte : other++;
    return letters;
}();

constexpr int no_byte = -1;
constexpr std::array<int, past_letters> bytes_by_letter = [] {
    std::array<int, past_letters> bytes{};
    bytes.fill(no_byte);
    for (int byte = 0; byte < 256; ++byte) bytes[letters_by_byte[static_cast<unsigned>(byte)]] = byte;
    return bytes;
}();

std::size_t announced(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xC0) return 0;
    if (first < 0xE0) return 2;
    if (first < 0xF0) return 3;
    return first < 0xF8 ? 4 : 0;
}

}  // namespace

Letter letter_at(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) return {1, first};
    const std::size_t length = announced(first);
    if (length == 0 || length > text.size() || !is_utf8(text.substr(0, length))) return {};
    char32_t code = first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
    return {length, code};
}

Letter letter_before_end(std::string_view text) {
    for (std::size_t length = 1; length <= std::min<std::size_t>(4, text.size()); ++length) {
        const Letter letter = letter_at(text.substr(text.size() - length));
        if (letter.code && letter.length == length) return letter;
    }
    return {};
}

bool is_space(char32_t code) {
    return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000;
}

std::size_t spaces_at_begin(std::string_view text) {
    std::size_t spaces = 0;
    while (spaces < text.size()) {
        const Letter letter = letter_at(text.substr(spaces));
        if (!letter.code || !is_space(*letter.code)) break;
        spaces += letter.length;
    }
    return spaces;
}

std::size_t spaces_at_end(std::string_view text) {
    std::size_t spaces = 0;
    while (spaces < text.size()) {
        const Letter letter = letter_before_end(text.substr(0, text.size() - spaces));
        if (!letter.code || !is_space(*letter.code)) break;
        spaces += letter.length;
    }
    return spaces;
}

std::string utf8_of(char32_t code) {
    const auto rest = [&](unsigned shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), rest(0)};
    if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), rest(6), rest(0)};
    return {static_cast<char>(0xF0 | code >> 18), rest(12), rest(6), rest(0)};
}

std::string letters_of_bytes(std::string_view bytes) {
    std::string letters;
    letters.reserve(bytes.size() * 2);
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        if (value > ' ' && value < 0x7F)
            letters += byte;
        else
            letters += utf8_of(letters_by_byte[value]);
    }
    return letters;
}

std::optional<std::string> bytes_of_letters(std::string_view letters) {
    std::string bytes;
    while (!letters.empty()) {
        const Letter letter = letter_at(letters);
        const int byte = letter.code && *letter.code < past_letters ? bytes_by_letter[*letter.code] : no_byte;
        if (byte == no_byte) return std::nullopt;
        bytes += static_cast<char>(byte);
        letters.remove_prefix(letter.length);
    }
    return bytes;
}

std::string byte_token(unsigned char byte) {
    char text[8];
    std::snprintf(text, sizeof(text), "<0x%02X>", static_cast<unsigned>(byte));
    return text;
}

std::optional<unsigned char> byte_of_token(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
    unsigned value = 0;
    const char *first = token.data() + 3, *last = token.data() + 5;
    const auto [end, failure] = std::from_chars(first, last, value, 16);
    if (failure != std::errc{} || end != last) return std::nullopt;
    return static_cast<unsigned char>(value);
}

}  // namespace headcount
