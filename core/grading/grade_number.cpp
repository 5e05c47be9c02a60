// Answers that are numbers or formulas: exact, rounded, in a unit mistaken for another, or what a slip leads to.
#include <array>
#include <cmath>

#include "core/base/text.hpp"
#include "core/grading/grade.hpp"
#include "core/grading/typed.hpp"
#include "core/lesson/rewrite.hpp"
#include "core/worksheet/new_numbers.hpp"

namespace headcount {
namespace {

struct MemoryUnit {
    std::string_view name;
    long double ones;
    bool binary;
};
constexpr std::array<MemoryUnit, 8> memory_units{{{"KB", 1e3L, false},
                                                  {"KiB", 1024.0L, true},
                                                  {"MB", 1e6L, false},
                                                  {"MiB", 1048576.0L, true},
                                                  {"GB", 1e9L, false},
                                                  {"GiB", 1073741824.0L, true},
                                                  {"TB", 1e12L, false},
                                                  {"TiB", 1099511627776.0L, true}}};

const MemoryUnit* unit_named(std::string_view name) {
    for (const MemoryUnit& unit : memory_units)
        if (unit.name == name) return &unit;
    return nullptr;
}

std::string whole(long double ones) { return grouped(static_cast<std::int64_t>(ones)); }

// Where the digits of a size in bytes are right and only its unit is not: how the two units differ. Empty elsewhere.
std::string unit_mistake(const Rounded& typed, long double exact) {
    // Of one digit alone half a step is so much that some unit fits everything.
    const long double most = typed.significant < 2 ? 0 : typed.step / typed.ones / 2;
    const auto digits_are = [&](long double number, long double times) {
        return std::abs(number - typed.digits * times) <= most * times;
    };
    const MemoryUnit* given = unit_named(typed.unit);
    if (!given && typed.unit != "B" && !typed.unit.empty()) return "";
    for (const MemoryUnit& unit : memory_units) {
        if (!digits_are(exact / unit.ones, 1)) continue;
        if (!given) return "the digits are right, but not of single bytes. Which unit is it?";
        if (unit.name.front() == given->name.front()) {  // the same power
            const MemoryUnit &binary = unit.binary ? unit : *given, &decimal = unit.binary ? *given : unit;
            return "the number is right for " + std::string(unit.name) + ", not for " + std::string(given->name) +
                   ". 1 " + std::string(binary.name) + " is " + whole(binary.ones) + " bytes, 1 " +
                   std::string(decimal.name) + " is " + whole(decimal.ones) + ".";
        }
        return std::string("the digits are right, the unit is too ") + (given->ones > unit.ones ? "large" : "small") +
               ": 1 " + std::string(given->name) + " is " + whole(given->ones) + " bytes.";
    }
    // 512 MiB as 0.512 GB: one step by 1,000 where the unit has 1,024, or the other way round.
    for (const MemoryUnit& unit : memory_units)
        if (given && unit.binary != given->binary && digits_are(exact / unit.ones, 1000))
            return "1,000 and 1,024 are mixed: 1 GiB is 1,024 MiB, 1 GB is 1,000 MB.";
    return "";
}

struct NumberGrader {
    const CountedModel& model;
    const Bindings& numbers = model.bindings;

    Grade operator()(const NumberAnswer& right, std::string_view typed) const {
        if (right.formula) return formula(right, typed);
        const Result<TypedCount> read = typed_count(typed, right.resolved.bytes);
        if (!read) return unreadable(read.error());
        const std::int64_t value = *evaluate(right.resolved.value, numbers);
        if (read->exact) {
            const Result<std::int64_t> number = evaluate(*read->exact, numbers);
            if (!number) return unreadable(number.error());
            const auto size = read->unit.empty()
                                  ? std::nullopt
                                  : typed_decimal(std::to_string(*number) + " " + read->unit, right.resolved.bytes);
            if (size && size->ones > 1) return rounded(right, *size, value);
            const bool near = read->rounded && close(*read->rounded, right, value);
            return near ? Grade{Outcome::right, grouped(*number)} : judged(right, *read, *number);
        }
        return rounded(right, *read->rounded, value);
    }

    static bool close(const Rounded& typed, const NumberAnswer& right, std::int64_t value) {
        if (right.round == 0) return false;
        const long double off = std::abs(static_cast<long double>(value) - typed.value);
        if (typed.significant >= right.round) return off <= typed.step / 2;
        // Zeros before the point are digits too, where they are those that are asked for: 100 GiB of 100.4.
        const long double last = std::pow(10.0L, std::floor(std::log10(typed.digits)) - right.round + 1);
        return last >= 1 && off <= last * typed.ones / 2;
    }

    Grade judged(const NumberAnswer& right, const TypedCount& read, std::int64_t number) const {
        const std::int64_t value = *evaluate(right.resolved.value, numbers);
        if (number == value) return {Outcome::right, grouped(number)};
        if (read.rounded && read.rounded->significant >= 2)
            if (Grade unit = units_swapped(right, *read.rounded, static_cast<long double>(value), grouped(number));
                unit.mistake != Mistake::none)
                return unit;
        const auto [mistake, text] = wrong_because(right, number);
        return {Outcome::wrong, grouped(number), is_slip(grouped(number), text), mistake};
    }

    // What a wrong number is, as is_slip takes it.
    std::pair<Mistake, std::string> wrong_because(const NumberAnswer& right, std::int64_t number) const {
        const AskedIn of = asked_in(model, right.resolved);
        const std::vector<Slip> slips = number_slips(of.model, of.asked);
        const Slip* slip = slip_of(slips, number);
        const std::string other = of.asked.bytes ? "" : number_named(of.model, number, !of.asked.counted.empty());
        const bool vague = slip && (slip->mistake == Mistake::symbol || slip->mistake == Mistake::factor ||
                                    slip->mistake == Mistake::left_out || slip->mistake == Mistake::twice);
        if (slip && !(vague && !other.empty())) return {slip->mistake, slip->text};
        if (!other.empty()) return {Mistake::named, other};
        return {Mistake::other, how_far(number, *evaluate(right.resolved.value, numbers))};
    }

    Grade rounded(const NumberAnswer& right, const Rounded& typed, std::int64_t value) const {
        const std::string given = plain_decimal(typed);
        const auto exact = static_cast<long double>(value);
        if (typed.value == exact || close(typed, right, value)) return {Outcome::right, given};
        const bool fits = std::abs(exact - typed.value) <= typed.step / 2;
        const Grade swapped = units_swapped(right, typed, exact, given);
        // 0.5 GB of 0.5 GiB: one digit alone fits more than one unit, and one of them exactly.
        if (fits && (typed.significant > 1 || swapped.mistake == Mistake::none))
            return {Outcome::wrong, given,
                    right.round == 0
                        ? given + " is rounded; here every digit is asked for."
                        : given + " is right as far as it goes; give " + std::to_string(right.round) + " digits.",
                    Mistake::rounded};
        if (typed.digits == exact && !right.resolved.bytes)
            return {Outcome::wrong, given,
                    given + ": the number is right without its unit, which stands for " +
                        grouped(static_cast<std::int64_t>(typed.ones)) + ".",
                    Mistake::power};
        if (swapped.mistake != Mistake::none) return swapped;
        if (exact > typed.value && exact - typed.value < typed.step)
            return {Outcome::wrong, given, given + " is cut off; rounded, its last digit is one more.", Mistake::cut};
        return nearest_slip(right, typed, given);
    }

    // Digits that are right in another unit.
    Grade units_swapped(const NumberAnswer& right, const Rounded& typed, long double exact,
                        const std::string& given) const {
        if (!right.resolved.bytes) return {};
        std::string why = unit_mistake(typed, exact);
        if (why.empty()) return {};
        return {Outcome::wrong, given, given + ": " + std::move(why), Mistake::gb_for_gib};
    }

    // The slip that rounds to what was given.
    Grade nearest_slip(const NumberAnswer& right, const Rounded& typed, const std::string& given) const {
        const AskedIn of = asked_in(model, right.resolved);
        for (const Slip& slip : number_slips(of.model, of.asked))
            if (typed.significant >= 2 &&
                std::abs(static_cast<long double>(slip.value) - typed.value) <= typed.step / 2)
                return {Outcome::wrong, given, is_slip(given, slip.text), slip.mistake};
        const bool more = typed.value > static_cast<long double>(*evaluate(right.resolved.value, numbers));
        return {Outcome::wrong, given, given + " is " + (more ? "too large." : "too small."), Mistake::other};
    }

    static std::string plain_decimal(const Rounded& typed) {
        std::array<char, 64> buffer{};
        std::snprintf(buffer.data(), buffer.size(), "%.15Lg", typed.digits);
        return std::string(buffer.data()) + (typed.unit.empty() ? "" : " " + typed.unit);
    }

    // Two formulas are the same when they agree on many architectures of this kind.
    bool same_formula(const Expr& a, const Expr& b) const {
        constexpr std::uint64_t trials = 6;
        for (std::uint64_t seed = 0; seed <= trials; ++seed) {
            const auto [arch, input] = seed == 0
                                           ? std::pair(model.architecture, model.input)
                                           : with_new_numbers(model.architecture, model.input, std::nullopt, seed);
            const Bindings drawn = bindings(arch, input);
            const Result<std::int64_t> first = evaluate(a, drawn), second = evaluate(b, drawn);
            if (!first || !second || *first != *second) return false;
        }
        return true;
    }

    Grade formula(const NumberAnswer& right, std::string_view typed) const {
        const Result<Expr> read = typed_formula(typed);
        if (!read) return unreadable(read.error());
        const Result<std::int64_t> number = evaluate(*read, numbers);
        if (!number) return unreadable(number.error());
        const std::string given = in_symbols(*read);
        if (same_formula(*read, right.resolved.value)) return {Outcome::right, given};
        const std::int64_t value = *evaluate(right.resolved.value, numbers);
        if (*number == value) {
            const bool no_symbols = symbols_in(*read).empty();
            return {Outcome::wrong, given,
                    no_symbols ? "That is the number; a formula in symbols is asked for, such as L·d."
                               : given +
                                     " gives the right number here, but not in other models: one of its symbols only "
                                     "happens to have this value.",
                    Mistake::symbol};
        }
        const auto [mistake, text] = wrong_because(right, *number);
        // "..., without the factor 2", "..., which is one head alone"
        const std::string joint = text.starts_with("with") ? ", " : ", which is ";
        return {Outcome::wrong, given, given + " gives " + grouped(*number) + joint + text + ".", mistake};
    }
};

// "B is read as bytes; for the batch write ·B."
std::string taken_for(Symbol symbol, bool bytes) {
    const SymbolInfo& named = info(symbol);
    const std::optional<Rounded> unit = typed_decimal("1 " + std::string(named.text), bytes);
    if (!unit) return "";
    return std::string(named.text) + " is read as " +
           (unit->ones > 1 ? grouped(static_cast<std::int64_t>(unit->ones)) : "bytes") + "; for the " +
           std::string(named.name) + " write ·" + std::string(named.text) + ".";
}

}  // namespace

Grade grade_number(const CountedModel& model, const NumberAnswer& right, std::string_view typed) {
    const NumberGrader grader{model};
    Grade first = grader(right, typed);
    if (first.verdict == Outcome::right) return first;
    // Digits that are right, or nearly, were read as they were meant.
    const bool meant = first.verdict != Outcome::wrong || first.mistake == Mistake::rounded ||
                       first.mistake == Mistake::cut || first.mistake == Mistake::gb_for_gib ||
                       first.mistake == Mistake::power;
    for (const OtherReading& other : other_readings(typed, right.resolved.bytes, model.bindings)) {
        Grade grade = grader(right, other.text);
        if (grade.verdict == Outcome::right) return grade;
        if (other.symbol && !meant && !right.formula && grade.verdict == Outcome::wrong)
            first.hint += " " + taken_for(*other.symbol, right.resolved.bytes);
    }
    return first;
}

}  // namespace headcount
