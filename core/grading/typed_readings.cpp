// What a letter behind a number can mean.
#include <functional>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

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
