// Numbers as people read them, and names that nearly match.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

// "6,738,415,616". Counts are grouped by thousands; dimensions are printed plainly.
std::string grouped(std::int64_t count);

// "6.74 B", "805 M", "443 K", "96": three significant digits, short scale (K = 10^3, M = 10^6, B = 10^9, T = 10^12).
std::string short_count(std::int64_t count);

// As grouped and short_count, with the sign always there: "+1.29 B", "-805 M", "0" for no change.
std::string signed_grouped(std::int64_t change);
std::string signed_short(std::int64_t change);

// "64.2 %", "0.67 %", "0.004 %": never "0 %" for something that is there. A whole of 0 gives "0 %".
std::string percent(std::int64_t part, std::int64_t whole);

// Of a share that is no count, such as a probability: "46.2 %", "0.03 %", "<0.001 %".
std::string share_text(double share);

// "86.0 MiB", "2.69 GiB", "512 B": binary units (1 KiB = 1,024 bytes).
std::string bytes_text(std::int64_t bytes);

// "0.08333", "0.0078125" as "0.007813", "113465.6" as "113466": four significant digits, and all those before the
// point.
std::string factor_text(double factor);

// "9.02 GFLOP": decimal units of floating-point operations.
std::string flop_text(double operations);

// The up to `most` candidates nearest to `name` by edits of single letters (Levenshtein), those that begin with the
// whole name first, then nearest first, none that differs in more than half its letters. Separators (- _ . and space)
// and capitals make no difference, but where it is a tie: "llama2" is nearest to "llama-2-7b".
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string_view> candidates,
                                       std::size_t most = 3);

// "dim, layers": what `text_of` says of each thing, or the things themselves where they are texts, with `between` in
// between.
template <class Things, class TextOf = std::identity>
std::string listed(const Things& things, TextOf text_of = {}, std::string_view between = ", ") {
    std::string all;
    for (const auto& each : things) {
        if (!all.empty()) all += between;
        all += text_of(each);
    }
    return all;
}

// The word that stands for a value of an enumeration, of words in its order; and the value that a word stands for,
// nothing where it is none of them.
template <class Words, class Choice>
constexpr std::string_view word_of(const Words& words, Choice choice) {
    return words[static_cast<std::size_t>(choice)];
}
template <class Choice>
constexpr std::optional<Choice> choice_called(std::span<const std::string_view> words, std::string_view word) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) return std::nullopt;
    return static_cast<Choice>(found - words.begin());
}

// What stands between commas in such a text: (experts, mxfp4), (rest, bf16) in "experts=mxfp4,rest=bf16", in its order.
// What has no sign of equality has an empty value. Of the text, which must outlive it.
struct KeyValue {
    std::string_view key, value, whole;
};
std::vector<KeyValue> pairs_of(std::string_view text);

// Whether there is nothing but spaces, tabs and ends of lines.
bool is_blank(std::string_view text);

// The text with a capital where it begins with a small letter: "Queries".
std::string capitalized(std::string_view text);

// Whether it is 0 to 9; one of these or a letter from A to Z of either case.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter_or_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// With small letters for A to Z; what is none of these stays as it is.
char lower(char letter);
std::string lower(std::string_view text);

// Puts `with` in every place of `what`, which is not empty; not again into what was put in.
void replace_all(std::string& text, std::string_view what, std::string_view with);

// Whether each of the words, which spaces separate, is somewhere in the text, whatever the case of either.
bool has_every_word(std::string_view text, std::string_view words);

// Whether the word is one of the words, which spaces separate.
bool is_word_of(std::string_view words, std::string_view word);

// What to take instead of a name that is not known: "did you mean a, b?" where some are like it; else "use one of a, b,
// c" of few, and the first three of many.
std::string use_one_of(std::string_view given, std::span<const std::string_view> known);

// "did you mean a, b?" of the names that are like it; where none is, what is to be done instead.
std::string did_you_mean(std::string_view given, std::span<const std::string_view> known,
                         std::string_view otherwise = "", std::size_t most = 3);

// A whole number without sign or spaces, at least `least`; its thousands may be grouped by "," or "_" ("4,096").
// Errors name `what` ("dim") and the text: not a number, wrong groups, negative, zero, too large for 64 bits.
Result<std::int64_t> parse_whole_number(std::string_view text, std::string_view what, std::int64_t least = 1);

// The same, also as people say lengths: "8k" is 8,192, "1.5k" 1,536 and "1m" 1,048,576, "1e3" 1,000; and products of
// such: "12*64" is 768.
Result<std::int64_t> parse_length(std::string_view text, std::string_view what, std::int64_t least = 1);

// The one sentence about a value that a field does not take: heads must be a whole number from 1 up, not "0".
Error must_be(std::string_view field, std::string_view allowed, std::string_view given);

// "a whole number from 1 up"; "a whole number from 1 to 7" where it has an end.
std::string numbers_from(std::int64_t least, std::int64_t greatest = std::numeric_limits<std::int64_t>::max());

// That sentence about a text that parse_whole_number or parse_length `refused`, with how it is written where that is
// known. `besides` is what the field takes besides numbers, such as ", or auto".
Error must_be_number(std::string_view field, std::string_view given, const Error& refused, std::int64_t least,
                     std::string_view besides = {});

// "62.10": with so many digits behind the point.
std::string decimal_text(double value, int decimals);

}  // namespace headcount
