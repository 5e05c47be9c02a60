// Reads and writes amounts.
#include "core/analysis/amount_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "core/base/checked.hpp"
#include "core/base/read_real.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"

namespace headcount {
namespace {

struct Suffix {
    std::string_view word;  // in small letters
    std::int64_t ones;
};
constexpr std::int64_t kilo = 1000, mega = kilo * kilo, giga = mega * kilo, tera = giga * kilo, peta = tera * kilo;
constexpr std::int64_t kibi = 1024, mebi = kibi * kibi, gibi = mebi * kibi, tebi = gibi * kibi;
constexpr std::array<Suffix, 11> count_words{{{"", 1},
                                              {"k", kilo},
                                              {"m", mega},
                                              {"b", giga},
                                              {"g", giga},
                                              {"bn", giga},
                                              {"t", tera},
                                              {"thousand", kilo},
                                              {"million", mega},
                                              {"billion", giga},
                                              {"trillion", tera}}};
constexpr std::array<Suffix, 15> byte_words{{{"", 1},
                                             {"b", 1},
                                             {"bytes", 1},
                                             {"kb", kilo},
                                             {"mb", mega},
                                             {"gb", giga},
                                             {"tb", tera},
                                             {"kib", kibi},
                                             {"mib", mebi},
                                             {"gib", gibi},
                                             {"tib", tebi},
                                             {"k", kibi},
                                             {"m", mebi},
                                             {"g", gibi},
                                             {"t", tebi}}};
constexpr std::array<Suffix, 8> flop_words{
    {{"", 1}, {"k", kilo}, {"m", mega}, {"g", giga}, {"b", giga}, {"t", tera}, {"p", peta}, {"e", peta* kilo}}};

std::span<const Suffix> words_of(Unit unit) {
    if (unit == Unit::bytes) return byte_words;
    return unit == Unit::flops ? std::span<const Suffix>(flop_words) : std::span<const Suffix>(count_words);
}

std::string_view example(Unit unit) {
    if (unit == Unit::bytes) return "write it as 24GiB, 24GB or 25769803776";
    return unit == Unit::flops ? "write it as 1e15 or 1.5 PFLOP" : "write it as 8B, 8.03B or 8030261248";
}

// A number as typed: its digits, where the point is among them, and what stands behind it.
struct Typed {
    std::string whole, behind;  // digits before and behind the point
    std::int64_t exponent = 0;
    std::string unit;  // in small letters, without spaces
};

// "24.5e3 GiB" taken apart; nothing where there is no number in front.
std::optional<Typed> take_apart(std::string_view text) {
    std::string plain;
    for (char c : text)
        if (c != ' ' && c != ',' && c != '_') plain += lower(c);
    Typed typed;
    std::size_t at = 0;
    while (at < plain.size() && is_digit(plain[at])) typed.whole += plain[at++];
    if (at < plain.size() && plain[at] == '.') {
        ++at;
        while (at < plain.size() && is_digit(plain[at])) typed.behind += plain[at++];
    }
    if (typed.whole.empty() && typed.behind.empty()) return std::nullopt;
    if (at + 1 < plain.size() && plain[at] == 'e' &&
        (is_digit(plain[at + 1]) || (plain[at + 1] == '+' && at + 2 < plain.size() && is_digit(plain[at + 2])))) {
        at += plain[at + 1] == '+' ? 2 : 1;
        const auto [end, failure] = std::from_chars(plain.data() + at, plain.data() + plain.size(), typed.exponent);
        if (failure != std::errc{} || typed.exponent > 1000) return std::nullopt;
        at = static_cast<std::size_t>(end - plain.data());
    }
    typed.unit = plain.substr(at);
    return typed;
}

// "tflops", "tflop" and "t" are one.
std::string unit_word(std::string unit, Unit of) {
    if (of != Unit::flops) return unit;
    for (const std::string_view word : {"flops", "flop"})
        if (unit.ends_with(word)) return unit.substr(0, unit.size() - word.size());
    return unit;
}

std::optional<std::int64_t> ones_of(const std::string& word, Unit unit) {
    for (const Suffix& suffix : words_of(unit))
        if (suffix.word == word) return suffix.ones;
    return std::nullopt;
}

// The digits with their point moved, times `ones`, rounded down; nothing where that does not fit.
std::optional<std::int64_t> whole_number(const Typed& typed, std::int64_t ones) {
    std::optional<std::int64_t> value = 0;
    const auto push = [&](char c) {
        value = value ? checked_multiply(*value, 10) : std::nullopt;
        value = value ? checked_add(*value, c - '0') : std::nullopt;
    };
    for (char c : typed.whole) push(c);
    std::string behind = typed.behind;
    for (std::int64_t i = 0; i < typed.exponent && value; ++i) {
        push(behind.empty() ? '0' : behind.front());
        if (!behind.empty()) behind.erase(0, 1);
    }
    value = value ? checked_multiply(*value, ones) : std::nullopt;
    // What is left behind the point: a part of `ones`.
    std::int64_t rest = 0, place = ones;
    long double part = 0, tenth = 0.1L;
    for (char c : behind) {
        if (place % 10 == 0) {
            place /= 10;
            rest += (c - '0') * place;
        } else {
            part += static_cast<long double>(c - '0') * static_cast<long double>(place) * tenth;
            tenth /= 10;
        }
    }
    rest += static_cast<std::int64_t>(part + 1e-6L);  // 0.5 of a binary unit is a whole number
    return value ? checked_add(*value, rest) : std::nullopt;
}

Error no_amount(std::string_view text, std::string_view what, Unit unit) {
    return {quote(text) + " is no amount", std::string(what), std::string(example(unit))};
}

}  // namespace

std::string amount_text(std::int64_t amount, Metric metric) {
    switch (info(metric).unit) {
        case Unit::bytes: return bytes_text(amount);
        case Unit::flops: return flop_text(static_cast<double>(amount));
        case Unit::tokens:
        case Unit::sequences: return room_text(amount);
        default: return short_count(amount) + " parameters";
    }
}

std::string exact_amount_text(std::int64_t amount, Metric metric) {
    return info(metric).unit == Unit::parameters ? grouped(amount) : amount_text(amount, metric);
}

std::string room_text(std::int64_t number) {
    return number == 0 ? "none" : any_has_room(number) ? "any" : grouped(number);
}

std::string seconds_text(double seconds) {
    static constexpr std::array<std::pair<double, const char*>, 3> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}}};
    for (const auto& [size, name] : units)
        if (seconds >= size) return factor_text(seconds / size) + " " + name;
    return factor_text(seconds / 1e-9) + " ns";
}

std::string bandwidth_text(double bytes) {
    constexpr double thousands = 1e13;  // of GB a second
    return bytes < thousands ? factor_text(bytes / 1e9) + " GB/s" : factor_text(bytes / 1e12) + " TB/s";
}

std::string peak_text(const Roof& roof) { return flop_text(roof.flops) + "/s"; }

std::string roof_text(const Roof& roof) {
    return (roof.has_peak() ? peak_text(roof) + ", " : "") + bandwidth_text(roof.bandwidth);
}

std::string rough_count_text(double count) {
    constexpr double most = 9e18, trillion = 1e12;
    return count < most ? short_count(static_cast<std::int64_t>(count)) : factor_text(count / trillion) + " T";
}

std::string real_text(double amount) {
    constexpr double grouped_from = 1000, grouped_to = 1e15;
    const bool whole = amount >= grouped_from && amount < grouped_to;
    return whole ? grouped(static_cast<std::int64_t>(std::llround(amount))) : factor_text(amount);
}

Result<std::int64_t> parse_amount(std::string_view text, std::string_view what, Unit unit) {
    const std::optional<Typed> typed = take_apart(text);
    // Plain numbers have their own sentences: what is wrong with groups, signs and zeros.
    if (typed && typed->unit.empty() && typed->behind.empty() && typed->exponent == 0 &&
        text.find(' ') == std::string_view::npos && text.find('.') == std::string_view::npos &&
        text.find_first_of("eE") == std::string_view::npos)
        return parse_whole_number(text, what);
    if (!typed) return no_amount(text, what, unit);
    const std::optional<std::int64_t> ones = ones_of(unit_word(typed->unit, unit), unit);
    if (!ones) return no_amount(text, what, unit);
    const std::optional<std::int64_t> value = whole_number(*typed, *ones);
    if (!value)
        return Error{quote(text) + " does not fit in 64 bits", std::string(what),
                     "the largest possible is " + grouped(INT64_MAX)};
    if (*value < 1) return Error{quote(text) + " is nothing", std::string(what), "give at least 1"};
    return *value;
}

namespace {

// Whether what stands behind the point is a whole number of `ones`: 1.5b is, 1.0000000005b is not.
bool is_whole(const Typed& typed, std::int64_t ones) {
    std::string behind = typed.behind;
    behind.erase(0, std::min(behind.size(), static_cast<std::size_t>(std::max<std::int64_t>(typed.exponent, 0))));
    while (behind.ends_with('0')) behind.pop_back();
    constexpr std::size_t most = 18;  // digits that fit in 64 bits
    if (behind.size() > most) return false;
    std::int64_t digits = 0, places = 1;
    for (const char c : behind) {
        digits = 10 * digits + (c - '0');
        places *= 10;
    }
    const std::optional<std::int64_t> part = checked_multiply(digits, ones);
    return part && *part % places == 0;
}

}  // namespace

Result<std::int64_t> parse_count(std::string_view text, std::string_view what, std::int64_t least) {
    Result<std::int64_t> plain = parse_length(text, what, least);
    if (plain || text.find_first_of(" \t") != std::string_view::npos) return plain;
    const std::optional<Typed> typed = take_apart(text);
    if (typed && (typed->unit == "k" || typed->unit == "m")) return plain;
    const std::optional<std::int64_t> ones = typed ? ones_of(typed->unit, Unit::parameters) : std::nullopt;
    if (!ones || typed->whole.empty() || (typed->unit.empty() && typed->exponent == 0)) return plain;
    if (!is_whole(*typed, *ones)) return plain;
    const std::optional<std::int64_t> value = whole_number(*typed, *ones);
    if (!value || *value < least) return plain;
    return *value;
}

bool beyond_64_bits(std::string_view text) {
    constexpr std::size_t always_fits = 18;
    const bool digits = text.find_first_not_of("0123456789,_") == std::string_view::npos;
    return digits && text.size() > always_fits && !parse_whole_number(text, "", 0);
}

Result<double> parse_operations(std::string_view text, std::string_view what) {
    const std::optional<Typed> typed = take_apart(text);
    const std::optional<std::int64_t> ones =
        typed ? ones_of(unit_word(typed->unit, Unit::flops), Unit::flops) : std::nullopt;
    if (!ones) return Error{quote(text) + " is no amount", std::string(what), "write it as 5.76e23"};
    const std::string digits = "0" + typed->whole + "." + typed->behind + "0";
    double value = 0;
    read_real(digits.data(), digits.data() + digits.size(), value);
    constexpr double most = 1e40;  // far beyond whatever was or will be spent
    const double all = value * std::pow(10.0, static_cast<double>(typed->exponent)) * static_cast<double>(*ones);
    if (!(all >= 1)) return Error{quote(text) + " is nothing", std::string(what), "give at least 1"};
    if (!(all <= most))
        return Error{quote(text) + " is more than can be computed", std::string(what), "give at most 1e40"};
    return all;
}

Result<double> parse_bandwidth(std::string_view text, std::string_view what) {
    std::string_view amount = text;
    for (const std::string_view a_second : {"/s", "ps"})
        if (amount.ends_with(a_second)) {
            amount.remove_suffix(a_second.size());
            break;
        }
    double bits = 8;
    for (const auto& [unit, size] : {std::pair<std::string_view, double>{"bit", 1}, {"b", 1}, {"B", 8}})
        if (amount.ends_with(unit)) {
            amount.remove_suffix(unit.size());
            bits = size;
            break;
        }
    Result<double> number = parse_operations(amount, what);
    if (!number) return Error{quote(text) + " is no speed", std::string(what), "write it as 450GB/s or 400Gb/s"};
    const double bytes = *number * bits / 8;
    constexpr double least = 1e6;
    const bool bare = text.find_first_not_of("0123456789.") == std::string_view::npos;
    if (bytes < least)
        return Error{quote(text) + " is too little for any device", std::string(what),
                     bare ? "write its unit, such as " + std::string(text) + (*number < 20 ? "TB/s" : "GB/s")
                          : "write it as 450GB/s or 400Gb/s"};
    return bytes;
}

Result<double> parse_real_amount(std::string_view text, std::string_view what, bool of_seconds) {
    constexpr std::array<std::pair<std::string_view, double>, 5> units{
        {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
    std::string_view digits = text;
    double one = 1;
    if (const auto unit = std::ranges::find_if(units, [&](const auto& each) { return text.ends_with(each.first); });
        of_seconds && unit != units.end()) {
        digits.remove_suffix(unit->first.size());
        one = unit->second;
    }
    const std::optional<double> number = whole_real(digits);
    if (!number)
        return Error{quote(text) + (of_seconds ? " is no time" : " is no number"), std::string(what),
                     of_seconds ? "write it as 50ms or 0.05" : "write it as 30 or 0.5"};
    if (!(*number > 0)) return Error{quote(text) + " is nothing", std::string(what), "give more than 0"};
    return *number * one;
}

}  // namespace headcount
