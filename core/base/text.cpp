// Numbers as people read them, and names that nearly match.
#include "core/base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdio>
#include <numeric>
#include <optional>

#include "core/base/checked.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

// As printf has it, in a third of the time. Of a value below 1e40.
std::string with_decimals(double value, int decimals) {
    std::array<char, 64> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals).ptr;
    return {buffer.data(), end};
}

// Three significant digits of a value in [0, 1000): "6.74", "67.4", "805".
std::string three_digits(double value) { return with_decimals(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

std::string scaled(double value, double step, std::span<const char* const> units) {
    std::size_t unit = 0;
    // 999.5 would be printed as 1000, so it already belongs to the next unit.
    while (value >= step * 0.9995 && unit + 1 < units.size()) {
        value /= step;
        ++unit;
    }
    std::string number = unit == 0 ? std::to_string(static_cast<std::int64_t>(value)) : three_digits(value);
    return *units[unit] == '\0' ? number : number + " " + units[unit];
}

// Puts commas between the thousands of a number whose whole part ends at `end`.
void group(std::string& digits, std::size_t end) {
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = end; at > first + 3;) digits.insert(at -= 3, ",");
}

// |value| without overflow for the most negative number.
double magnitude(std::int64_t value) { return std::fabs(static_cast<double>(value)); }

// Whether a number that begins with a digit has groups of three behind its separators, which are all the same.
bool grouped_by_thousands(std::string_view number) {
    const std::size_t first = number.find_first_of(",_");
    if (first == std::string_view::npos) return true;
    if (first > 3 || (number.size() - first) % 4 != 0) return false;
    for (std::size_t at = first; at < number.size(); ++at)
        if (((at - first) % 4 == 0) != (number[at] == number[first])) return false;
    return number.find(number[first] == ',' ? '_' : ',') == std::string_view::npos;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
        }
    }
    return row.back();
}

// "llama27b" of "LLaMA-2-7B": what is left of a name without its separators and its capitals.
std::string bare(std::string_view name) {
    std::string letters;
    for (char c : name)
        if (std::string_view("-_. ").find(c) == std::string_view::npos) letters += lower(c);
    return letters;
}

// By how much a candidate differs from a name, bare and as it is written; least first.
struct Likeness {
    bool other_start = false;  // it does not begin with the whole name
    std::size_t bare = 0, written = 0;
    auto operator<=>(const Likeness&) const = default;
};

}  // namespace

std::string grouped(std::int64_t count) {
    std::string digits = std::to_string(count);
    group(digits, digits.size());
    return digits;
}

std::string short_count(std::int64_t count) {
    static constexpr std::array units{"", "K", "M", "B", "T", "Q"};
    return (count < 0 ? "-" : "") + scaled(magnitude(count), 1000.0, units);
}

std::string signed_grouped(std::int64_t change) { return (change > 0 ? "+" : "") + grouped(change); }

std::string signed_short(std::int64_t change) { return (change > 0 ? "+" : "") + short_count(change); }

std::string percent(std::int64_t part, std::int64_t whole) {
    if (whole == 0 || part == 0) return "0 %";
    double value = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    int decimals = std::fabs(value) >= 0.995 ? 1 : std::fabs(value) >= 0.0995 ? 2 : 0;
    if (decimals == 0) decimals = static_cast<int>(std::ceil(-std::log10(std::fabs(value))));
    // Nearly all is not all.
    constexpr double nearly_all = 99.95;
    if (std::fabs(value) < 100 && std::fabs(value) >= nearly_all)
        decimals = static_cast<int>(std::ceil(-std::log10(100 - std::fabs(value))));
    std::string text = with_decimals(value, std::clamp(decimals, 1, 12));
    group(text, text.find('.'));
    return text + " %";
}

std::string share_text(double share) {
    const double value = share * 100;
    if (value > 0 && value < 0.0005) return "<0.001 %";
    return with_decimals(value, value >= 0.995 || value == 0 ? 1 : value >= 0.0995 ? 2 : 3) + " %";
}

std::string bytes_text(std::int64_t bytes) {
    static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    return scaled(magnitude(bytes), 1024.0, units);
}

std::string factor_text(double factor) {
    std::array<char, 32> text{};
    const double size = std::abs(factor);
    std::snprintf(text.data(), text.size(), size >= 1e4 && size < 1e15 ? "%.0f" : "%.4g", factor);
    return text.data();
}

std::string flop_text(double operations) {
    static constexpr std::array units{"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP", "ZFLOP", "YFLOP"};
    return scaled(operations, 1000.0, units);
}

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string_view> candidates,
                                       std::size_t most) {
    std::vector<std::pair<Likeness, std::string_view>> ranked;
    const std::string letters = bare(name);
    for (std::string_view candidate : candidates) {
        const std::string other = bare(candidate);
        const std::size_t distance = edit_distance(letters, other);
        const std::size_t longer = std::max(letters.size(), other.size());
        // Half of few letters, of many fewer: else something is always near.
        if (!other.empty() && 2 * distance <= longer && (distance <= 3 || 5 * distance <= 2 * longer))
            ranked.emplace_back(Likeness{!other.starts_with(letters), distance, edit_distance(name, candidate)},
                                candidate);
    }
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ranked.size() && i < most; ++i) names.emplace_back(ranked[i].second);
    return names;
}

std::vector<KeyValue> pairs_of(std::string_view text) {
    std::vector<KeyValue> pairs;
    while (!text.empty()) {
        const std::string_view whole = text.substr(0, text.find(','));
        text.remove_prefix(std::min(whole.size() + 1, text.size()));
        const std::size_t equals = std::min(whole.find('='), whole.size());
        pairs.push_back({whole.substr(0, equals), whole.substr(std::min(equals + 1, whole.size())), whole});
    }
    return pairs;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

std::string lower(std::string_view text) {
    std::string low(text);
    for (char& letter : low) letter = lower(letter);
    return low;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
}

bool has_every_word(std::string_view text, std::string_view words) {
    const std::string in = lower(text);
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(' '), words.size());
        if (in.find(lower(words.substr(0, end))) == std::string::npos) return false;
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return true;
}

bool is_word_of(std::string_view words, std::string_view word) {
    if (word.empty() || word.find(' ') != std::string_view::npos) return false;
    return (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

std::string capitalized(std::string_view text) {
    std::string word(text);
    if (!word.empty() && word.front() >= 'a' && word.front() <= 'z')
        word.front() = static_cast<char>(word.front() - 'a' + 'A');
    return word;
}

std::string did_you_mean(std::string_view given, std::span<const std::string_view> known, std::string_view otherwise,
                         std::size_t most) {
    std::string text;
    for (const std::string& name : nearest_names(given, known, most))
        text += (text.empty() ? "did you mean " : ", ") + name;
    return text.empty() ? std::string(otherwise) : text + "?";
}

std::string use_one_of(std::string_view given, std::span<const std::string_view> known) {
    if (std::string nearest = did_you_mean(given, known); !nearest.empty()) return nearest;
    constexpr std::size_t few = 12, some = 3;
    const bool all = known.size() <= few;
    std::string text = all ? "use one of " : "use one of " + std::to_string(known.size()) + ", such as ";
    for (std::size_t i = 0; i < (all ? known.size() : some); ++i) text.append(i > 0 ? ", " : "").append(known[i]);
    return text;
}

namespace {

// "8,000 or 8,192" for "8k", "7,000,000,000" for "7B": what a number with a letter behind it may be; empty for others.
std::string written_out(std::string_view text) {
    struct Power {
        std::string_view letters;
        std::int64_t decimal, binary;  // binary: 0 where nobody means it
    };
    constexpr std::array<Power, 4> powers{
        {{"kK", 1000, 1024}, {"mM", 1'000'000, 1 << 20}, {"gG", 1'000'000'000, 1 << 30}, {"bB", 1'000'000'000, 0}}};
    if (text.size() < 2) return {};
    const auto power = std::ranges::find_if(
        powers, [&](const Power& each) { return each.letters.find(text.back()) != std::string_view::npos; });
    text.remove_suffix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    std::int64_t digits = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), digits);
    if (power == powers.end() || failure != std::errc{} || end != text.data() + text.size()) return {};
    std::string numbers;
    for (const std::int64_t ones : {power->decimal, power->binary})
        if (const std::optional<std::int64_t> value = checked_multiply(digits, ones); value && *value > 0)
            numbers += (numbers.empty() ? "" : " or ") + grouped(*value);
    return numbers;
}

constexpr std::string_view beyond_words = " is too large for 64 bits", write_words = "write ";

}  // namespace

Result<std::int64_t> parse_whole_number(std::string_view text, std::string_view what, std::int64_t least) {
    // Most numbers are right: what is said of those that are not is put together only then.
    const auto wrong = [&](std::string_view why, std::string fix = {}) {
        if (fix.empty())
            fix = "give a whole number from " + grouped(least) + " to " +
                  grouped(std::numeric_limits<std::int64_t>::max());
        return Error{quote(text) + std::string(why), std::string(what), std::move(fix)};
    };
    bool negative = text.starts_with('-');
    const std::string_view unsigned_text = text.substr(negative ? 1 : 0);
    std::string digits;
    for (char c : unsigned_text) {
        bool separator = (c == ',' || c == '_') && !digits.empty();
        if (!separator && (c < '0' || c > '9')) {
            const std::string numbers = written_out(text);
            const bool two = numbers.find(" or ") != std::string::npos;
            return wrong(two ? " can be read in two ways" : " is not a whole number",
                         numbers.empty() ? "" : std::string(write_words) + numbers);
        }
        if (!separator) digits += c;
    }
    if (digits.empty()) return wrong(" is not a whole number");
    if (!grouped_by_thousands(unsigned_text))
        return wrong(" is not grouped by thousands", std::string(write_words) + "12000 or 12,000");
    if (negative) return wrong(" is negative");
    std::int64_t value = 0;
    auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failure != std::errc{}) return wrong(beyond_words);
    if (value < least) return wrong(" is too small");
    return value;
}

Error must_be(std::string_view field, std::string_view allowed, std::string_view given) {
    return {std::string(field) + " must be " + std::string(allowed) + ", not " + quote(given), "", ""};
}

std::string numbers_from(std::int64_t least, std::int64_t greatest) {
    const bool ends = greatest < std::numeric_limits<std::int64_t>::max();
    return "a whole number from " + grouped(least) + (ends ? " to " + grouped(greatest) : " up");
}

Error must_be_number(std::string_view field, std::string_view given, const Error& refused, std::int64_t least,
                     std::string_view besides) {
    const bool beyond = refused.what.ends_with(beyond_words);
    const std::string all = beyond ? "at most " + grouped(std::numeric_limits<std::int64_t>::max())
                                   : numbers_from(least) + std::string(besides);
    Error error = must_be(field, all, given);
    if (refused.fix.starts_with(write_words)) error.fix = refused.fix;
    return error;
}

namespace {

// "1e3" of whole numbers: 1,000.
std::optional<std::int64_t> with_exponent(std::string_view text) {
    const std::size_t at = std::min(text.find_first_of("eE"), text.size());
    const std::string_view zeros = text.substr(std::min(at + 1, text.size()));
    constexpr std::size_t most_digits = 2;
    if (zeros.empty() || zeros.size() > most_digits || !std::ranges::all_of(zeros, is_digit)) return std::nullopt;
    const Result<std::int64_t> before = parse_whole_number(text.substr(0, at), "", 0);
    std::optional<std::int64_t> value = before ? std::optional(*before) : std::nullopt;
    int left = 0;
    std::from_chars(zeros.data(), zeros.data() + zeros.size(), left);
    for (; value && left > 0; --left) value = checked_multiply(*value, 10);
    return value;
}

// One number, without signs between.
Result<std::int64_t> parse_factor(std::string_view text, std::string_view what, std::int64_t least) {
    if (const std::optional<std::int64_t> value = with_exponent(text); value && *value >= least) return *value;
    const char letter = text.empty() ? ' ' : lower(text.back());
    const std::int64_t ones = letter == 'k' ? 1 << 10 : letter == 'm' ? 1 << 20 : 1;
    const Result<std::int64_t> plain = parse_whole_number(text, what, least);
    if (ones == 1) return plain;
    const std::string_view number = text.substr(0, text.size() - 1), before = number.substr(0, number.find('.'));
    // Digits behind a point are a part of `ones`: 1.5k is whole, 1.0005k is not.
    std::int64_t part = 0, places = 1;
    if (before.size() < number.size()) {
        constexpr std::size_t most = 9;  // so that no product overflows
        const std::string_view behind = number.substr(before.size() + 1);
        if (behind.empty() || behind.size() > most || !std::ranges::all_of(behind, is_digit)) return plain;
        for (const char c : behind) {
            part = 10 * part + (c - '0');
            places *= 10;
        }
    }
    const Result<std::int64_t> whole = parse_whole_number(before, what, 0);
    std::optional<std::int64_t> value = whole ? checked_multiply(*whole, ones) : std::nullopt;
    if (value) value = checked_add(*value, part * ones / places);
    return value && *value >= least && part * ones % places == 0 ? Result<std::int64_t>(*value) : plain;
}

}  // namespace

Result<std::int64_t> parse_length(std::string_view text, std::string_view what, std::int64_t least) {
    std::string signs(text);
    for (const std::string_view times : {"×", "·"})
        for (std::size_t at = signs.find(times); at != signs.npos; at = signs.find(times, at))
            signs.replace(at, times.size(), "*");
    if (signs.find('*') == signs.npos) return parse_factor(text, what, least);
    std::optional<std::int64_t> product = 1;
    for (std::string_view rest = signs; product;) {
        const std::size_t end = std::min(rest.find('*'), rest.size());
        std::string_view factor = rest.substr(0, end);
        while (factor.starts_with(' ')) factor.remove_prefix(1);
        while (factor.ends_with(' ')) factor.remove_suffix(1);
        const Result<std::int64_t> value = parse_factor(factor, what, 0);
        product = value ? checked_multiply(*product, *value) : std::nullopt;
        if (end == rest.size()) break;
        rest.remove_prefix(end + 1);
    }
    if (product && *product >= least) return *product;
    return parse_factor(text, what, least);
}

std::string decimal_text(double value, int decimals) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

}  // namespace headcount
