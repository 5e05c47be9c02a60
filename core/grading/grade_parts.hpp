// What grading is put together from: one function a kind of answer.
#pragma once

#include "core/grading/grade.hpp"
#include "core/grading/typed.hpp"

namespace headcount {

Grade grade_shape(const CountedModel& model, const ShapeAnswer& right, std::string_view typed);
Grade grade_number(const CountedModel& model, const NumberAnswer& right, std::string_view typed);
Grade grade_choice(const SheetQuestion& question, const ChoiceAnswer& right, std::string_view typed);
Grade grade_order(const OrderAnswer& right, std::string_view typed);
Grade grade_select(const CountedModel& model, const SelectAnswer& right, std::string_view typed);

inline Grade unreadable(const Error& error) {
    return {Outcome::unreadable, {}, sentence(error)};
}

// Where the digits of a size in bytes are right and only its unit is not: how the two units differ. Empty elsewhere.
std::string unit_mistake(const Rounded& typed, long double exact);

// A number that is asked for, and the model that it is of: another than the question's where the answer is one of that
// model alone.
struct AskedOf {
    const CountedModel& model;
    AskedNumber asked;
};
AskedOf asked_of(const CountedModel& own, const Resolved& resolved);

// The slip that leads to this number; null where none does.
const Slip* slip_of(const std::vector<Slip>& slips, std::int64_t number);

// "4096 is all 32 heads together", "128 has d_h (head size) where T (tokens) belongs".
std::string is_slip(const std::string& given, const std::string& text);

// Far from right: by how much, without saying the number.
std::string how_far(std::int64_t number, std::int64_t right);

}  // namespace headcount
