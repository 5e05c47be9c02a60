// The slips that were found so far, and how one more is calculated.
#include "core/grading/slip_list.hpp"

#include <algorithm>

#include "core/lesson/rewrite.hpp"

namespace headcount {

SlipList::SlipList(const CountedModel& lesson_model, const AskedNumber& asked_number)
    : model(lesson_model), asked(asked_number), right(*evaluate(asked_number.value, lesson_model.bindings)) {}

bool SlipList::has(Symbol symbol) const {
    return uses(asked.value, symbol);
}

std::string SlipList::plural(Symbol symbol, std::string_view one) const {
    return std::to_string(number(symbol).value_or(0)) + " " + std::string(one);
}

void SlipList::add(Mistake mistake, std::optional<std::int64_t> value, std::string text) {
    if (!value || *value == right || *value <= 0) return;
    if (std::any_of(found_.begin(), found_.end(), [&](const Slip& slip) { return slip.value == *value; })) return;
    found_.push_back({mistake, *value, std::move(text)});
}

void SlipList::add(Mistake mistake, const Expr& value, std::string text) {
    const Result<std::int64_t> result = evaluate(value, model.bindings);
    if (result) add(mistake, std::optional(*result), std::move(text));
}

void SlipList::times(Mistake mistake, Symbol symbol, std::string text) {
    if (number(symbol).value_or(1) > 1) add(mistake, asked.value * Expr(symbol), std::move(text));
}

void SlipList::replaced(Mistake mistake, Symbol symbol, const Expr& by, std::string text) {
    if (has(symbol)) add(mistake, substituted(asked.value, symbol, by), std::move(text));
}

}  // namespace headcount
