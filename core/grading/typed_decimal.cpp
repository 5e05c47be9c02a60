// Decimal numbers with units, as people round, and what else a letter behind a number can mean.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

struct DecimalUnit {
    std::string_view word, written;
    long double ones;
};
constexpr std::array<DecimalUnit, 18> count_units{{{"k", "K", 1e3L},
                                                   {"thousand", "K", 1e3L},
                                                   {"m", "M", 1e6L},
                                                   {"mn", "M", 1e6L},
                                                   {"mio", "M", 1e6L},
                                                   {"mil", "M", 1e6L},
                                                   {"million", "M", 1e6L},
                                                   {"millions", "M", 1e6L},
                                                   {"b", "B", 1e9L},
                                                   {"bn", "B", 1e9L},
                                                   {"g", "B", 1e9L},
                                                   {"mrd", "B", 1e9L},
                                                   {"billion", "B", 1e9L},
                                                   {"billions", "B", 1e9L},
                                                   {"t", "T", 1e12L},
                                                   {"tn", "T", 1e12L},
                                                   {"trillion", "T", 1e12L},
                                                   {"trillions", "T", 1e12L}}};
// Plurals are read without their s, and "million bytes" as "million".
constexpr std::array<DecimalUnit, 22> byte_units{{{"b", "B", 1},
                                                  {"byte", "B", 1},
                                                  {"kb", "KB", 1e3L},
                                                  {"mb", "MB", 1e6L},
                                                  {"gb", "GB", 1e9L},
                                                  {"tb", "TB", 1e12L},
                                                  {"kilobyte", "KB", 1e3L},
                                                  {"megabyte", "MB", 1e6L},
                                                  {"gigabyte", "GB", 1e9L},
                                                  {"terabyte", "TB", 1e12L},
                                                  {"thousand", "KB", 1e3L},
                                                  {"million", "MB", 1e6L},
                                                  {"billion", "GB", 1e9L},
                                                  {"trillion", "TB", 1e12L},
                                                  {"kib", "KiB", 1024.0L},
                                                  {"mib", "MiB", 1048576.0L},
                                                  {"gib", "GiB", 1073741824.0L},
                                                  {"tib", "TiB", 1099511627776.0L},
                                                  {"kibibyte", "KiB", 1024.0L},
                                                  {"mebibyte", "MiB", 1048576.0L},
                                                  {"gibibyte", "GiB", 1073741824.0L},
                                                  {"tebibyte", "TiB", 1099511627776.0L}}};

// The unit that a word in small letters is; null where it is none.
const DecimalUnit* unit_called(std::string_view word, bool bytes) {
    const auto units = bytes ? std::span<const DecimalUnit>(byte_units) : std::span<const DecimalUnit>(count_units);
    for (const DecimalUnit& each : units)
        if (each.word == word) return &each;
    return bytes && word.size() > 2 && word.ends_with('s') ? unit_called(word.substr(0, word.size() - 1), bytes)
                                                           : nullptr;
}

// "e9", "·10^9", "x 10^9" behind a number, as scientists write it; nothing for other units.
std::optional<int> power_of_ten(std::string_view unit) {
    constexpr int most = 18;
    std::string text(unit);
    std::erase(text, ' ');
    replace_all(text, "·", "*");
    replace_all(text, "×", "*");
    std::size_t digits = text.npos;
    if (text.starts_with('e')) digits = text.starts_with("e+") ? 2 : 1;
    if (text.starts_with("*10^") || text.starts_with("x10^")) digits = 4;
    if (digits >= text.size() || text.size() - digits > 2 || word_end(text, digits) != text.size()) return std::nullopt;
    int power = 0;
    for (const char c : std::string_view(text).substr(digits)) {
        if (!is_digit(c)) return std::nullopt;
        power = power * 10 + (c - '0');
    }
    return power <= most ? std::optional(power) : std::nullopt;
}

// A number with a single letter behind it: "1.5k", "32 B".
struct Lettered {
    std::size_t begin, end;  // of the number
    std::size_t letter;
};

std::vector<Lettered> numbers_with_letters(std::string_view text) {
    std::vector<Lettered> found;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_digit(text[at])) {
            at = is_letter(text[at]) ? word_end(text, at) : at + 1;
            continue;
        }
        const std::size_t begin = at;
        const auto goes_on = [&] {
            const bool digit_behind = at + 1 < text.size() && is_digit(text[at + 1]);
            return is_digit(text[at]) || (digit_behind && (text[at] == ',' || text[at] == '.' || text[at] == '_'));
        };
        while (at < text.size() && goes_on()) ++at;
        std::size_t letter = at;
        while (letter < text.size() && text[letter] == ' ') ++letter;
        if (letter < text.size() && is_letter(text[letter]) && word_end(text, letter) == letter + 1)
            found.push_back({begin, at, letter});
    }
    return found;
}

// How many times 1,000 (or 1,024) the letter stands for; 0 where for none.
int thousands(char letter) {
    constexpr std::string_view letters = "kmg";
    return static_cast<int>(letters.find(lower(std::string_view(&letter, 1))) + 1);
}

std::optional<std::int64_t> scaled(std::string_view number, int times, std::int64_t thousand) {
    std::optional<std::int64_t> value = 0, divisor = 1;
    bool behind_point = false;
    for (const char c : number) {
        behind_point = behind_point || c == '.';
        if (!is_digit(c)) continue;
        value = value ? checked_multiply(*value, 10) : value;
        value = value ? checked_add(*value, c - '0') : value;
        if (behind_point) divisor = divisor ? checked_multiply(*divisor, 10) : divisor;
    }
    for (int i = 0; i < times; ++i) value = value ? checked_multiply(*value, thousand) : value;
    return value && divisor && *value % *divisor == 0 ? std::optional(*value / *divisor) : std::nullopt;
}

// The text with each number and its letter as `write` has them; empty where it changes none.
std::string rewritten(std::string_view text,
                      const std::function<std::optional<std::string>(std::string_view number, char letter)>& write) {
    std::string out;
    std::size_t from = 0;
    for (const Lettered& each : numbers_with_letters(text)) {
        const auto instead = write(text.substr(each.begin, each.end - each.begin), text[each.letter]);
        if (!instead) continue;
        out += std::string(text.substr(from, each.begin - from)) + *instead;
        from = each.letter + 1;
    }
    return from == 0 ? "" : out + std::string(text.substr(from));
}

}  // namespace

std::optional<Rounded> typed_decimal(std::string_view text, bool bytes) {
    std::size_t end = 0;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    const std::string_view number = text.substr(0, end);
    const std::size_t point = number.find('.');
    if (number.empty() || !is_digit(number.front()) || number.size() > 18 || std::ranges::count(number, '.') > 1)
        return std::nullopt;
    std::string unit = lower(plain_text(text.substr(end)));
    for (std::string_view idle : idle_words) {
        const std::string tail = " " + std::string(idle);
        if (unit.ends_with(tail) && !(bytes && unit == idle)) unit.resize(unit.size() - tail.size());
        if (unit == idle && !bytes) unit.clear();
    }
    Rounded rounded{.value = 0, .step = 1, .digits = 0, .significant = 0, .unit = "", .ones = 1};
    const DecimalUnit* found = unit_called(unit, bytes);
    const std::optional<int> power = power_of_ten(unit);
    if (!unit.empty() && !found && !power) return std::nullopt;
    if (power) {
        rounded.unit = "· 10^" + std::to_string(*power);
        rounded.ones = std::pow(10.0L, static_cast<long double>(*power));
    } else if (!unit.empty()) {
        rounded.unit = found->written;
        rounded.ones = found->ones;
    }
    std::string digits;
    for (char c : number)
        if (c != '.') digits += c;
    const std::size_t decimals = point == std::string_view::npos ? 0 : number.size() - point - 1;
    rounded.step = std::pow(10.0L, -static_cast<long double>(decimals));
    rounded.digits = std::stold(digits) * rounded.step;
    // Zeros at the end of a whole number say nothing about how exact it is.
    const std::size_t first = digits.find_first_not_of('0');
    std::size_t last = digits.size();
    if (decimals == 0)
        while (last > 0 && digits[last - 1] == '0') {
            --last;
            rounded.step *= 10;
        }
    rounded.significant = first == std::string::npos || last < first ? 0 : static_cast<int>(last - first);
    // Multiplied before it is divided, so that what is a whole number stays one.
    rounded.value = std::stold(digits) * rounded.ones / std::pow(10.0L, static_cast<long double>(decimals));
    rounded.step *= rounded.ones;
    return rounded;
}

std::optional<std::size_t> unit_at_end(std::string_view text, bool bytes) {
    std::size_t begin = text.size();
    while (begin > 0 && is_letter(text[begin - 1])) --begin;
    std::size_t end = begin;  // of what has the unit
    while (end > 0 && text[end - 1] == ' ') --end;
    if (end == 0 || begin == text.size() || !unit_called(lower(text.substr(begin)), bytes)) return std::nullopt;
    if (text[end - 1] == ')' || (end < begin && is_word(text[end - 1]))) return begin;
    // "128MiB" is a number and its unit, "d_2B" is one word.
    std::size_t word = end;
    while (word > 0 && is_word(text[word - 1])) --word;
    return word < end && is_digit(text[word]) ? std::optional(begin) : std::nullopt;
}

std::vector<OtherReading> other_readings(std::string_view typed, bool bytes, const Bindings& numbers) {
    const std::string text = plain_text(typed);
    std::vector<OtherReading> readings;
    const auto add = [&](std::string reading, std::optional<Symbol> symbol) {
        if (!reading.empty()) readings.push_back({std::move(reading), symbol});
    };
    for (const std::int64_t thousand : {1000, 1024})
        add(rewritten(text,
                      [&](std::string_view number, char letter) -> std::optional<std::string> {
                          const int times = thousands(letter);
                          const auto value = times > 0 ? scaled(number, times, thousand) : std::nullopt;
                          return value ? std::optional(std::to_string(*value)) : std::nullopt;
                      }),
            std::nullopt);
    // "100 T x 4096 d": what the numbers are.
    const auto value_of = [&](char letter) {
        const std::optional<Symbol> symbol = symbol_of(std::string_view(&letter, 1));
        return symbol ? numbers[*symbol] : std::nullopt;
    };
    add(rewritten(text,
                  [&](std::string_view number, char letter) {
                      const std::optional<std::int64_t> value = value_of(letter);
                      return value && scaled(number, 0, 1) == value ? std::optional<std::string>(number) : std::nullopt;
                  }),
        std::nullopt);
    // A number of bytes with a B behind it has its unit.
    if (bytes && typed_decimal(without_separators(joined_groups(text)), bytes)) return readings;
    add(rewritten(text,
                  [&](std::string_view number, char letter) {
                      const bool factor = thousands(letter) > 0 && value_of(letter);
                      return factor ? std::optional(std::string(number) + "*" + letter) : std::nullopt;
                  }),
        std::nullopt);
    if (const std::optional<std::size_t> unit = unit_at_end(text, bytes); unit && *unit + 1 == text.size()) {
        if (bytes) add(text.substr(0, *unit), std::nullopt);
        if (value_of(text.back()).value_or(1) > 1)
            add(text.substr(0, *unit) + "*" + text.back(), symbol_of(text.substr(*unit)));
    }
    return readings;
}

}  // namespace headcount
