// Numbers, names and the model of a question, as question banks have them.
#include "core/handout/bank.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/markup.hpp"
#include "core/base/text.hpp"

namespace headcount {
namespace {

constexpr std::size_t most_mistakes = 12;  // that a blank answers with a sentence of its own

// In bytes the same digits may be of a larger unit: the last one of 1.22 TiB is so many times that of 1.34 TB.
constexpr double largest_binary = (1LL << 40) / 1e12;

// Half of the last digit that is asked for: 5,000,000 of 6,738,415,616 in three digits.
double tolerance_of(std::int64_t number, int digits) {
    if (digits <= 0 || number == 0) return 0;
    const double magnitude = std::floor(std::log10(std::abs(static_cast<double>(number))));
    return std::max(0.0, std::floor(std::pow(10, magnitude - digits + 1) / 2));
}

// A number of the model, with what the mistakes that are known lead to.
BankNumber number_of(const AskedIn& of, int digits) {
    const std::int64_t right = *evaluate(of.asked.value, of.model.bindings);
    BankNumber asked{.right = right, .tolerance = tolerance_of(right, digits)};
    for (const Slip& slip : number_slips(of.model, of.asked))
        if (slip.mistake < Mistake::symbol && asked.wrong.size() < most_mistakes)
            asked.add_wrong(slip.value, is_slip(grouped(slip.value), slip.text));
    return asked;
}

}  // namespace

void BankNumber::add_wrong(std::int64_t number, const std::string& hint) {
    const bool known = std::ranges::any_of(wrong, [&](const auto& each) { return each.first == number; });
    if (!known && std::abs(static_cast<double>(number - right)) > tolerance) wrong.emplace_back(number, hint);
}

std::vector<BankNumber> bank_numbers(const SheetQuestion& question, const Blank& blank) {
    const CountedModel& model = *question.model;
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
        BankNumber rows = number_of({model, {shape->rows, {}, false}}, 0);
        BankNumber columns = number_of({model, {shape->columns, {}, false}}, 0);
        rows.add_wrong(columns.right, "These are the columns: each row is one token, each column one number of it.");
        columns.add_wrong(rows.right, "These are the rows: each row is one token, each column one number of it.");
        return {std::move(rows), std::move(columns)};
    }
    const auto* number = std::get_if<NumberAnswer>(&blank.answer);
    if (!number || number->formula) return {};
    BankNumber asked = number_of(asked_in(model, number->resolved), number->round);
    asked.rounded = number->round > 0;
    asked.bytes = number->resolved.bytes;
    if (asked.rounded && asked.bytes) asked.tolerance = std::ceil(asked.tolerance * largest_binary);
    return {std::move(asked)};
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
    return !bank_numbers(question).empty() || any(question.ask) ||
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

std::string given_html(const Sheet& sheet) {
    std::string out = "<p>" + html_text(sheet.model->architecture.name);
    std::string_view before = ": ";
    for (const Symbol symbol : symbols_behind_name(sheet)) {
        out += std::string(before) + html_text(info(symbol).name) + " <i>" + html_text(info(symbol).text) +
               "</i> = " + std::to_string(*sheet.model->bindings[symbol]);
        before = ", ";
    }
    return out + "</p>";
}

}  // namespace headcount
