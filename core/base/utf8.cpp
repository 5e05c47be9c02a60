// Names that somebody else wrote: whether they are UTF-8 (RFC 3629), and how they stand in a sentence.
#include "core/base/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace headcount {
namespace {

struct Sequence {
    std::size_t length;                           // in bytes; 0: no sequence begins so
    unsigned char lowest = 0x80, highest = 0xBF;  // of the second byte; further ones are 0x80 to 0xBF
};

Sequence sequence(unsigned char first) {
    if (first < 0x80) return {1};
    if (first < 0xC2) return {0};  // a byte from the middle, or two bytes for what one can say
    if (first < 0xE0) return {2};
    if (first == 0xE0) return {3, 0xA0};        // lower would be overlong
    if (first == 0xED) return {3, 0x80, 0x9F};  // higher would be a surrogate
    if (first < 0xF0) return {3};
    if (first == 0xF0) return {4, 0x90};
    if (first < 0xF4) return {4};
    if (first == 0xF4) return {4, 0x80, 0x8F};  // higher would be above U+10FFFF
    return {0};
}

// The bytes of the letter at the text's beginning; 0 where they are none.
std::size_t letter(std::string_view text) {
    const Sequence form = sequence(static_cast<unsigned char>(text.front()));
    if (form.length == 0 || form.length > text.size()) return 0;
    for (std::size_t i = 1; i < form.length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool second = i == 1;
        if (byte < (second ? form.lowest : 0x80) || byte > (second ? form.highest : 0xBF)) return 0;
    }
    return form.length;
}

// Control characters of ASCII and those behind it, U+0080 to U+009F.
bool steers_terminals(std::string_view letter) {
    const auto first = static_cast<unsigned char>(letter.front());
    return first < ' ' || first == 127 || (first == 0xC2 && static_cast<unsigned char>(letter[1]) < 0xA0);
}

}  // namespace

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = letter(text.substr(at));
        if (length == 0) return false;
        at += length;
    }
    return true;
}

std::string_view whole_letters(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return text.substr(0, most);
}

std::string shown(std::string_view text) {
    constexpr std::size_t most = 60;
    const std::string_view kept = whole_letters(text, most);
    std::string plain;
    for (std::size_t at = 0; at < kept.size();) {
        const std::size_t length = letter(kept.substr(at));
        const std::string_view next = kept.substr(at, std::max<std::size_t>(length, 1));
        if (length == 0 || steers_terminals(next))
            plain += '?';
        else
            plain += next;
        at += next.size();
    }
    return kept.size() < text.size() ? plain + "..." : plain;
}

std::string in_quotes(std::string_view name) {
    return "'" + shown(name) + "'";
}

std::string quote(std::string_view text) {
    return '"' + shown(text) + '"';
}

}  // namespace headcount
