// Answers checked: right, or wrong with the factor that is off.
#include "core/grading/grade.hpp"

#include <algorithm>
#include <array>

#include "core/base/text.hpp"
#include "core/grading/grade_parts.hpp"
#include "core/grading/typed.hpp"

namespace headcount {
namespace {

struct Grader {
    const SheetQuestion& question;
    std::string_view typed;

    Grade operator()(const ShapeAnswer& right) const { return grade_shape(*question.model, right, typed); }
    Grade operator()(const NumberAnswer& right) const { return grade_number(*question.model, right, typed); }
    Grade operator()(const ChoiceAnswer& right) const { return grade_choice(question, right, typed); }
    Grade operator()(const OrderAnswer& right) const { return grade_order(right, typed); }
    Grade operator()(const SelectAnswer& right) const { return grade_select(*question.model, right, typed); }
    Grade operator()(const TextAnswer&) const { return {Outcome::kept, plain_text(typed)}; }
};

}  // namespace

std::string is_slip(const std::string& given, const std::string& text) {
    return text.starts_with("with ") ? given + " has" + text.substr(4) + "." : given + " is " + text + ".";
}

const Slip* slip_of(const std::vector<Slip>& slips, std::int64_t number) {
    const auto found = std::find_if(slips.begin(), slips.end(), [&](const Slip& slip) { return slip.value == number; });
    return found == slips.end() ? nullptr : &*found;
}

std::string how_far(std::int64_t number, std::int64_t right) {
    if (number <= 0) return "no count: it must be more than nothing";
    return number > right ? "too large" : "too small";
}

AskedOf asked_of(const CountedModel& own, const Resolved& resolved) {
    const std::vector<Elsewhere>& elsewhere = resolved.elsewhere;
    if (elsewhere.size() != 1 || resolved.value != Expr(elsewhere.front().value))
        return {own, {resolved.value, resolved.counted, resolved.bytes}};
    const Elsewhere& other = elsewhere.front();
    return {*other.model, {other.formula, other.counted, resolved.bytes}};
}

std::string_view outcome_key(Outcome verdict) {
    constexpr std::array<std::string_view, 5> keys{"right", "wrong", "unreadable", "empty", "kept"};
    return keys[static_cast<std::size_t>(verdict)];
}

Grade grade(const SheetQuestion& question, const Blank& blank, std::string_view typed) {
    if (plain_text(typed).empty()) return {};
    return std::visit(Grader{question, typed}, blank.answer);
}

std::vector<LikelyMistake> likely_mistakes(const SheetQuestion& question, const Blank& blank, std::size_t most) {
    const CountedModel& model = *question.model;
    std::vector<std::string> tries;
    if (const auto* shape = std::get_if<ShapeAnswer>(&blank.answer)) {
        const std::string rows = std::to_string(*evaluate(shape->rows, model.bindings));
        const std::string columns = std::to_string(*evaluate(shape->columns, model.bindings));
        for (const Slip& slip : number_slips(model, {shape->columns, {}, false}))
            if (slip.mistake < Mistake::symbol) tries.push_back(rows + " × " + std::to_string(slip.value));
        if (rows != columns) tries.insert(tries.begin() + (tries.empty() ? 0 : 1), columns + " × " + rows);
    } else if (const auto* number = std::get_if<NumberAnswer>(&blank.answer); number && !number->formula) {
        const AskedOf of = asked_of(model, number->resolved);
        for (const Slip& slip : number_slips(of.model, of.asked))
            if (slip.mistake < Mistake::symbol) tries.push_back(grouped(slip.value));
    }
    std::vector<LikelyMistake> found;
    for (const std::string& typed : tries) {
        if (found.size() >= most) break;
        const Grade graded = grade(question, blank, typed);
        const bool known = std::any_of(found.begin(), found.end(),
                                       [&](const LikelyMistake& each) { return each.mistake == graded.mistake; });
        if (graded.verdict == Outcome::wrong && !known) found.push_back({graded.given, graded.hint, graded.mistake});
    }
    return found;
}

}  // namespace headcount
