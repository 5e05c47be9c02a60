// The texts of answers that are still to be found; see the header.
#include "app/parts/hidden_answers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "app/parts/number_texts.hpp"
#include "core/base/checked.hpp"
#include "core/base/text.hpp"
#include "core/handout/handout.hpp"

namespace headcount {
namespace {

using Texts = std::vector<std::string>;

constexpr std::int64_t least = 1000;  // below, a number says nothing by itself

std::vector<std::int64_t> given_numbers(const Sheet& sheet) {
    std::vector<std::int64_t> given;
    for (const Symbol symbol : given_symbols(sheet))
        if (const auto value = sheet.model->bindings[symbol]) given.push_back(*value);
    return given;
}

void add_shape_answer(Texts& texts, const ShapeAnswer& shape, const CountedModel& model) {
    const Result<std::int64_t> rows = evaluate(shape.rows, model.bindings);
    const Result<std::int64_t> columns = evaluate(shape.columns, model.bindings);
    if (!rows || !columns) return;
    add_shape_texts(texts, std::array{*rows, *columns});
    const std::optional<std::int64_t> product = checked_multiply(*rows, *columns);
    if (product && *product >= least) add_count_texts(texts, *product, model.input.precision);
}

void add_number_answer(Texts& texts, const NumberAnswer& number, const CountedModel& model,
                       const std::vector<std::int64_t>& given) {
    if (number.formula) return;
    const Result<std::int64_t> value = evaluate(number.resolved.value, model.bindings);
    if (!value || *value < least || std::find(given.begin(), given.end(), *value) != given.end()) return;
    if (number.resolved.bytes)
        add_bytes_texts(texts, *value);
    else
        add_count_texts(texts, *value, model.input.precision);
}

// The numbers of an answer: the sides of a shape, or a count.
std::vector<std::int64_t> numbers_of(const Blank& blank, const CountedModel& model) {
    std::vector<std::int64_t> numbers;
    const auto add = [&](const Expr& expr) {
        if (const Result<std::int64_t> value = evaluate(expr, model.bindings)) numbers.push_back(*value);
    };
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
        add(shape->rows);
        add(shape->columns);
    }
    if (const auto* number = std::get_if<NumberAnswer>(&blank.answer); number && !number->formula)
        add(number->resolved.value);
    return numbers;
}

}  // namespace

std::vector<std::string> unfound_sides(const Desk& desk) {
    constexpr std::int64_t least_side = 10;
    if (!desk.sheet || desk.kept.key) return {};
    std::vector<std::int64_t> known = given_numbers(*desk.sheet), open;
    for (const SheetQuestion& question : desk.sheet->questions)
        for (const Blank& blank : question.blanks) {
            const AnsweredBlank& answered = desk.of(blank);
            const bool found = answered.shown || (answered.right() && !answered.fields.empty());
            for (const std::int64_t number : numbers_of(blank, *question.model))
                (found ? known : open).push_back(number);
        }
    Texts texts;
    for (const std::int64_t number : open) {
        if (number < least_side || std::find(known.begin(), known.end(), number) != known.end()) continue;
        for (std::string text : {std::to_string(number), grouped(number)})
            if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    }
    return texts;
}

std::vector<std::string> unfound_answers(const Desk& desk) {
    Texts texts;
    if (!desk.sheet || desk.kept.key) return texts;
    const std::vector<std::int64_t> given = given_numbers(*desk.sheet);
    for (const SheetQuestion& question : desk.sheet->questions)
        for (const Blank& blank : question.blanks) {
            const AnsweredBlank& answered = desk.of(blank);
            if (answered.shown || answered.right()) continue;
            if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer))
                add_shape_answer(texts, *shape, *question.model);
            if (const auto* number = std::get_if<NumberAnswer>(&blank.answer))
                add_number_answer(texts, *number, *question.model, given);
        }
    return texts;
}

}  // namespace headcount
