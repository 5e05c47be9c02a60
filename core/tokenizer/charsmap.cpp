// SentencePiece's table of letters.
#include "core/tokenizer/charsmap.hpp"

#include <utf8proc.h>

#include "core/base/utf8.hpp"
#include "core/tokenizer/letters.hpp"
#include "core/tokenizer/steps.hpp"

namespace headcount {

namespace {

std::optional<std::uint32_t> base64_digit(char c) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = digits.find(c);
    return digit == digits.npos ? std::nullopt : std::optional(static_cast<std::uint32_t>(digit));
}

// Nothing where it is not written in base 64.
std::optional<std::string> bytes_of_base64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::optional<std::uint32_t> digit = base64_digit(c);
        if (!digit) return std::nullopt;
        bits = bits << 6 | *digit;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xFF);
    }
    return bytes;
}

std::uint32_t little_endian(std::string_view bytes) {
    std::uint32_t number = 0;
    for (int i = 3; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    return number;
}

// A step of the tree: the byte that leads to it, where those after it lie, and whether a text ends there.
struct Step {
    std::uint32_t unit;

    std::uint32_t label() const { return unit & (1u << 31 | 0xFF); }  // no byte's where the unit is a value
    std::uint32_t offset() const { return unit >> 10 << ((unit & 1u << 9) >> 6); }
    bool ends() const { return (unit >> 8 & 1) != 0; }
    std::uint32_t value() const { return unit & ~(1u << 31); }
};

}  // namespace

Result<Charsmap> Charsmap::read(std::string_view base64, const std::string& where) {
    const Error damaged{"a table of letters was expected, as SentencePiece writes it", where,
                        "give the tokenizer.json of the model"};
    const std::optional<std::string> bytes = bytes_of_base64(base64);
    constexpr std::size_t unit = 4;
    if (!bytes || bytes->size() < 2 * unit) return damaged;
    const std::size_t size = little_endian(*bytes);
    if (size == 0 || size % unit != 0 || size > bytes->size() - unit) return damaged;
    Charsmap charsmap;
    charsmap.units_.reserve(size / unit);
    for (std::size_t at = unit; at < unit + size; at += unit)
        charsmap.units_.push_back(little_endian(std::string_view(*bytes).substr(at)));
    charsmap.texts_ = bytes->substr(unit + size);
    if (!is_utf8(charsmap.texts_)) return damaged;
    return charsmap;
}

// What leads out of the tree, or beyond the texts, replaces nothing.
std::optional<std::string_view> Charsmap::replacement(std::string_view letters) const {
    std::size_t at = Step{units_.front()}.offset();
    for (const char c : letters) {
        const std::uint32_t byte = static_cast<unsigned char>(c);
        at ^= byte;
        if (byte == 0 || at >= units_.size()) return std::nullopt;
        const Step step{units_[at]};
        if (step.label() != byte) return std::nullopt;
        at ^= step.offset();
        if (!step.ends()) continue;
        const std::size_t begin = at < units_.size() ? Step{units_[at]}.value() : texts_.size();
        if (begin >= texts_.size()) return std::nullopt;
        return std::string_view(texts_).substr(begin, texts_.find('\0', begin) - begin);
    }
    return std::nullopt;
}

void Charsmap::append_mapped(std::string_view cluster, std::size_t most, std::string& into) const {
    constexpr std::size_t longest_whole = 5;  // in bytes
    if (cluster.size() <= longest_whole)
        if (const std::optional<std::string_view> whole = replacement(cluster)) {
            into += *whole;
            return;
        }
    while (!cluster.empty() && into.size() <= most) {
        const std::string_view letter = cluster.substr(0, letter_at(cluster).length);
        into += replacement(letter).value_or(letter);
        cluster.remove_prefix(letter.size());
    }
}

Result<std::string> Charsmap::mapped(std::string_view text) const {
    std::string made;
    const std::size_t most = most_made_of(text.size());
    std::size_t begin = 0;
    utf8proc_int32_t state = 0;
    std::optional<char32_t> before;
    for (std::size_t at = 0; at < text.size();) {
        const Letter letter = letter_at(text.substr(at));
        const bool goes_on = before && letter.code &&
                             !utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(*before),
                                                               static_cast<utf8proc_int32_t>(*letter.code), &state);
        if (!goes_on) {
            append_mapped(text.substr(begin, at - begin), most, made);
            begin = at;
        }
        if (!before || !letter.code) state = 0;
        before = letter.code;
        at += letter.length;
        if (made.size() > most) return grows_too_much();
    }
    append_mapped(text.substr(begin), most, made);
    if (made.size() > most) return grows_too_much();
    return made;
}

}  // namespace headcount
