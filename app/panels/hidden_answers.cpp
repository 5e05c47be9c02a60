// The texts of answers that are still to be found; see the header.
#include "app/panels/hidden_answers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "app/panels/number_texts.hpp"
#include "core/base/checked.hpp"
#include "core/lesson/handout.hpp"

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

void add_shape_answer(Texts& texts, const ShapeAnswer& shape, const LessonModel& model) {
    const Result<std::int64_t> rows = evaluate(shape.rows, model.bindings);
    const Result<std::int64_t> columns = evaluate(shape.columns, model.bindings);
    if (!rows || !columns) return;
    add_shape_texts(texts, std::array{*rows, *columns});
    const std::optional<std::int64_t> product = checked_multiply(*rows, *columns);
    if (product && *product >= least) add_count_texts(texts, *product, model.input.precision);
}

void add_number_answer(Texts& texts, const NumberAnswer& number, const LessonModel& model,
                       const std::vector<std::int64_t>& given) {
    if (number.formula) return;
    const Result<std::int64_t> value = evaluate(number.resolved.value, model.bindings);
    if (!value || *value < least || std::find(given.begin(), given.end(), *value) != given.end()) return;
    if (number.resolved.bytes)
        add_bytes_texts(texts, *value);
    else
        add_count_texts(texts, *value, model.input.precision);
}

}  // namespace

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
