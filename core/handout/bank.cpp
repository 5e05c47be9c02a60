// Numbers, names and the model of a question, as question banks have them.
#include "core/handout/bank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/base/find.hpp"
#include "core/base/markup.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_mistakes = 12;  // that a blank answers with a sentence of its own

// In bytes the same digits may be of a larger unit: the last one of 1.22 TiB is so many times that of 1.34 TB.
constexpr double largest_binary = (1LL << 40) / 1e12;

double last_digit(double number, int digits) {
    return std::pow(10, std::floor(std::log10(std::abs(number))) - digits + 1);
}

// Half of the last digit that is asked for: 5,000,000 of 6,738,415,616 in three digits.
double tolerance_of(std::int64_t number, int digits, bool bytes) {
    if (digits <= 0 || number == 0) return 0;
    const double half = std::floor(last_digit(static_cast<double>(number), digits) / 2);
    return bytes ? std::ceil(half * largest_binary) : half;
}

// The right digits in another unit, or without one: 512 MB and 512 of 512 MiB.
void add_unit_mistakes(BankNumber& asked, const SheetQuestion& question, const Blank& blank, int digits) {
    for (const BankUnit& own : bank_units(true)) {
        const double share = static_cast<double>(asked.right) / own.ones;
        if (own.ones == 1 || share < 1 || share >= 1000) continue;
        std::array<char, 32> typed{};
        std::snprintf(typed.data(), typed.size(), "%.*g", digits, share);
        const double half = last_digit(share, digits) / 2;
        const auto add = [&](const std::string& unit, double ones) {
            const Grade given = grade(question, blank, typed.data() + unit);
            if (given.mistake == Mistake::gb_for_gib)
                asked.add_wrong(
                    {std::llround(std::strtod(typed.data(), nullptr) * ones), std::floor(half * ones), given.hint});
        };
        for (const BankUnit& other : bank_units(true))
            if (other.ones > 1) add(" " + std::string(other.name), other.ones);
        add("", 1);  // the last, since a platform may leave a unit out of account
    }
}

bool asks_numbers(const Blank& blank) {
    const auto* number = std::get_if<NumberAnswer>(&blank.answer);
    return std::holds_alternative<ShapeAnswer>(blank.answer) || (number && !number->formula);
}

// A number of the model, with what the mistakes that are known lead to.
BankNumber number_of(const SheetQuestion& question, const Blank& blank, const NumberAnswer& number) {
    const AskedIn of = asked_in(*question.model, number.resolved);
    const bool bytes = number.resolved.bytes;
    const std::int64_t right = *evaluate(of.asked.value, of.model.bindings);
    BankNumber asked{.right = right,
                     .tolerance = tolerance_of(right, number.round, bytes),
                     .rounded = number.round > 0,
                     .bytes = bytes};
    if (asked.rounded && bytes) add_unit_mistakes(asked, question, blank, number.round);
    const std::size_t most = asked.wrong.size() + most_mistakes;
    for (const Slip& slip : number_slips(of.model, of.asked))
        if (slip.mistake < Mistake::symbol && asked.wrong.size() < most)
            asked.add_wrong({slip.value, tolerance_of(slip.value, number.round, bytes),
                             grade(question, blank, std::to_string(slip.value)).hint});
    return asked;
}

// One side of a shape.
BankNumber side_of(const SheetQuestion& question, const ShapeAnswer& shape, ShapeSide side) {
    const CountedModel& model = *question.model;
    const auto [own, other] =
        side == ShapeSide::rows ? std::pair(shape.rows, shape.columns) : std::pair(shape.columns, shape.rows);
    BankNumber asked{.right = *evaluate(own, model.bindings)};
    const auto add = [&](std::int64_t number) {
        asked.add_wrong({number, 0, side_hint(question, shape, side, number)});
    };
    for (const Slip& slip : number_slips(model, {own, {}, false}))
        if (slip.mistake < Mistake::symbol && asked.wrong.size() < most_mistakes) add(slip.value);
    add(*evaluate(other, model.bindings));
    return asked;
}

}  // namespace

std::span<const BankUnit> bank_units(bool bytes) {
    static constexpr std::array of_bytes{
        BankUnit{"B", 1},           BankUnit{"bytes", 1},      BankUnit{"KB", 1e3},        BankUnit{"MB", 1e6},
        BankUnit{"GB", 1e9},        BankUnit{"TB", 1e12},      BankUnit{"KiB", 1LL << 10}, BankUnit{"MiB", 1LL << 20},
        BankUnit{"GiB", 1LL << 30}, BankUnit{"TiB", 1LL << 40}};
    static constexpr std::array of_counts{
        BankUnit{"ones", 1},      BankUnit{"K", 1e3},       BankUnit{"thousand", 1e3},
        BankUnit{"M", 1e6},       BankUnit{"million", 1e6}, BankUnit{"B", 1e9},
        BankUnit{"billion", 1e9}, BankUnit{"T", 1e12},      BankUnit{"trillion", 1e12}};
    return bytes ? std::span<const BankUnit>(of_bytes) : std::span<const BankUnit>(of_counts);
}

void BankNumber::add_wrong(BankWrong known) {
    const bool there = contains(wrong, known.number, &BankWrong::number);
    if (!there && std::abs(static_cast<double>(known.number - right)) > tolerance) wrong.push_back(std::move(known));
}

std::vector<BankNumber> bank_numbers(const SheetQuestion& question, const Blank& blank) {
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer))
        return {side_of(question, *shape, ShapeSide::rows), side_of(question, *shape, ShapeSide::columns)};
    if (!asks_numbers(blank)) return {};
    return {number_of(question, blank, std::get<NumberAnswer>(blank.answer))};
}

std::vector<std::vector<BankNumber>> bank_numbers(const SheetQuestion& question) {
    std::vector<std::vector<BankNumber>> all;
    for (const Blank& blank : question.blanks) {
        all.push_back(bank_numbers(question, blank));
        if (all.back().empty()) return {};
    }
    return all;
}

std::set<std::string> names_of(const SheetQuestion& question, const SelectAnswer& select) {
    std::set<std::string> names;
    for (const std::string& id : select.ids)
        if (const Tensor* tensor = question.model->graph.find(id)) {
            names.emplace(tensor->label);
            names.emplace(tensor->symbol);
        }
    return names;
}

bool has_numbers(const SheetQuestion& question) {
    const auto any = [](const std::string& text) { return std::ranges::any_of(text, is_digit); };
    return std::ranges::all_of(question.blanks, asks_numbers) || any(question.ask) ||
           std::ranges::any_of(question.choices, any, &Choice::text);
}

BankPicture bank_picture(const SheetQuestion& question, const Sheet& first, const PlacePicture& picture) {
    if (std::string flow = flow_svg(question, false); !flow.empty())
        return {std::move(flow), "The matrices in the order in which they are made"};
    const auto same = std::ranges::find(first.questions, question.id, &SheetQuestion::id);
    const SheetQuestion& drawn = has_numbers(question) || same == first.questions.end() ? question : *same;
    const std::optional<std::string> place = place_of(drawn);
    if (!picture || !place) return {};
    return {picture(*drawn.model, *place, PictureNumbers::covered), "Where it is in the model"};
}

std::string given_html(const SheetQuestion& question, const Sheet& sheet, const Sheet& first) {
    const bool numbers = has_numbers(question);
    const std::string& about = (numbers ? sheet : first).about;
    std::string out = about.empty() ? "" : "<p>" + html_prose(about) + "</p>";
    if (!numbers) return out;
    out += "<p>" + html_text(sheet.model->architecture.name);
    std::string_view before = ": ";
    for (const Symbol symbol : symbols_behind_name(sheet)) {
        out += std::string(before) + html_text(info(symbol).name) + " <i>" + symbol_html(info(symbol).text) +
               "</i> = " + std::to_string(*sheet.model->bindings[symbol]);
        before = ", ";
    }
    return out + "</p>";
}

}  // namespace headcount
