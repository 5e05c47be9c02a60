// Numbers as people state them.
#include <array>

#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/base/utf8.hpp"
#include "core/claims/claims.hpp"

namespace headcount {
namespace {

struct StatedUnit {
    std::string_view name;
    std::int64_t size;
    bool bytes;
};
constexpr std::int64_t thousand = 1000, million = thousand * thousand, billion = thousand * million,
                       trillion = thousand * billion;
constexpr std::array<StatedUnit, 19> stated_units{{{"", 1, false},
                                                   {"K", thousand, false},
                                                   {"thousand", thousand, false},
                                                   {"M", million, false},
                                                   {"million", million, false},
                                                   {"B", billion, false},
                                                   {"billion", billion, false},
                                                   {"T", trillion, false},
                                                   {"trillion", trillion, false},
                                                   {"bytes", 1, true},
                                                   {"kB", thousand, true},
                                                   {"MB", million, true},
                                                   {"GB", billion, true},
                                                   {"TB", trillion, true},
                                                   {"KiB", std::int64_t{1} << 10, true},
                                                   {"MiB", std::int64_t{1} << 20, true},
                                                   {"GiB", std::int64_t{1} << 30, true},
                                                   {"TiB", std::int64_t{1} << 40, true},
                                                   {"PiB", std::int64_t{1} << 50, true}}};
constexpr std::array<std::string_view, 5> rough_words{"roughly ", "about ", "approximately ", "~", "≈"};
constexpr std::size_t most_decimals = 9;
constexpr std::int64_t rough_part = 20;  // a twentieth of the exact number may be missing

void skip_spaces(std::string_view& text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
}

Error no_number(std::string_view text) {
    return {quote(text) + " is not a number as people state one", "",
            "write \"6,476,005,376\", \"6.9 billion\", \"65,023.52 M\", \"roughly 13 GB\" or \"12.31 GiB\""};
}

}  // namespace

Result<StatedNumber> parse_stated(std::string_view text) {
    const std::string_view whole = text;
    StatedNumber stated;
    skip_spaces(text);
    for (std::string_view word : rough_words)
        if (text.starts_with(word)) {
            stated.roughly = true;
            text.remove_prefix(word.size());
            break;
        }
    skip_spaces(text);
    std::size_t end = 0;
    while (end < text.size() && (is_digit(text[end]) || text[end] == ',')) ++end;
    const Result<std::int64_t> integer = parse_whole_number(text.substr(0, end), "", 0);
    if (!integer) return no_number(whole);
    stated.digits = *integer;
    text.remove_prefix(end);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        std::size_t decimals = 0;
        for (; !text.empty() && is_digit(text.front()); ++decimals) {
            const auto tens = checked_multiply(stated.digits, 10);
            const auto digits = tens ? checked_add(*tens, text.front() - '0') : std::nullopt;
            if (!digits || decimals == most_decimals) return no_number(whole);
            stated.digits = *digits;
            stated.scale *= 10;
            text.remove_prefix(1);
        }
        if (decimals == 0) return no_number(whole);
    }
    skip_spaces(text);
    for (const StatedUnit& unit : stated_units) {
        if (unit.name != text) continue;
        stated.unit = unit.size;
        stated.bytes = unit.bytes;
        return stated;
    }
    return no_number(whole);
}

Nearness nearness(const StatedNumber& stated, std::int64_t exact) {
    const auto there = checked_multiply(exact, stated.scale), said = checked_multiply(stated.digits, stated.unit);
    const auto over = there && said ? checked_subtract(*there, *said) : std::nullopt;
    const auto twice = over ? checked_multiply(*over, 2) : std::nullopt;
    if (!twice) return Nearness::apart;
    if (*over == 0) return Nearness::equal;
    // Halves are rounded up. A number without unit and decimals has nothing to round.
    if (*twice < stated.unit && *twice >= -stated.unit && stated.unit > 1) return Nearness::rounded;
    if (stated.roughly && (*over < 0 ? -*over : *over) <= *there / rough_part) return Nearness::roughly;
    if (*over > 0 && *over < stated.unit) return Nearness::cut;
    return Nearness::apart;
}

}  // namespace headcount
