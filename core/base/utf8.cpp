// Names that somebody else wrote: whether they are UTF-8 (RFC 3629), and how they stand in a sentence.
#include "core/base/utf8.hpp"

#include <algorithm>
#include <cstdio>

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

// Control characters of ASCII and those behind it, U+0080 to U+009F; ends of lines and paragraphs, and what turns the
// direction of writing, U+2028 to U+202E and U+2066 to U+2069; U+FFFE and U+FFFF, which are no characters.
bool steers(std::string_view letter) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(letter[i]); };
    if (letter.size() == 1) return byte(0) < ' ' || byte(0) == 127;
    if (letter.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
    if (letter.size() != 3) return false;
    if (byte(0) == 0xEF) return byte(1) == 0xBF && byte(2) >= 0xBE;
    if (byte(0) != 0xE2) return false;
    return (byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) ||
           (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
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

Utf8Letter first_letter(std::string_view text) {
    const std::size_t length = letter(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(length, 1));
    return {bytes, length > 0 && !steers(bytes)};
}

std::string code_points(std::string_view text) {
    constexpr unsigned familiar = 0x0530, signs = 0x2000, behind_signs = 0x2E80;
    std::string points;
    while (!text.empty()) {
        const std::string_view bytes = text.substr(0, std::max<std::size_t>(letter(text), 1));
        text.remove_prefix(bytes.size());
        if (bytes.size() < 2) continue;
        unsigned point = static_cast<unsigned char>(bytes.front()) & (0xFFU >> (bytes.size() + 1));
        for (const char each : bytes.substr(1)) point = point << 6 | (static_cast<unsigned char>(each) & 0x3FU);
        if (point < familiar || (point >= signs && point < behind_signs)) continue;
        char number[16];
        std::snprintf(number, sizeof number, "U+%04X", point);
        points += (points.empty() ? "" : ", ") + std::string(number);
    }
    return points;
}

std::size_t unfinished(std::string_view text) {
    for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const Sequence form = sequence(static_cast<unsigned char>(text[text.size() - back]));
        if (form.length > 0) return form.length > back ? back : 0;
    }
    return 0;
}

std::string printable(std::string_view text, Lines lines) {
    std::string plain;
    std::size_t taken = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] >= ' ' && text[at] < 127) {
            ++at;  // most of a text
            continue;
        }
        const Utf8Letter next = first_letter(text.substr(at));
        const bool line = lines == Lines::kept && (text[at] == '\n' || text[at] == '\t');
        if (!next.plain && !line) {
            plain.append(text, taken, at - taken) += '?';
            taken = at + next.bytes.size();
        }
        at += next.bytes.size();
    }
    return plain.append(text, taken);
}

std::string shown(std::string_view text) {
    constexpr std::size_t most = 60;
    const std::string_view kept = whole_letters(text, most);
    return printable(kept) + (kept.size() < text.size() ? "..." : "");
}

std::string in_quotes(std::string_view name) { return "'" + shown(name) + "'"; }

std::string quote(std::string_view text) { return '"' + shown(text) + '"'; }

}  // namespace headcount
