// Answers checked: right, or wrong with the factor that is off, said as what the given number would be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/grading/slips.hpp"
#include "core/worksheet/sheet.hpp"

namespace headcount {

enum class Outcome {
    right,
    wrong,
    unreadable,  // not understood, or in two ways
    empty,
    kept,  // free text: kept with the answers, for the teacher to read
};
std::string_view outcome_key(Outcome verdict);

struct Grade {
    Outcome verdict = Outcome::empty;
    std::string given;  // as it was understood: "100 × 4096"
    std::string hint;   // why it is wrong, without the right number; empty of a right one
    Mistake mistake = Mistake::none;
    // Of a shape, each side by itself.
    bool rows_right = false, columns_right = false;

    bool operator==(const Grade&) const = default;
};

// Grades what was typed into one blank.
Grade grade(const SheetQuestion& question, const Blank& blank, std::string_view typed);

// The wrong answers that are likeliest, three at the most, and what each would be: for the teacher's key.
struct LikelyMistake {
    std::string answer, hint;
    Mistake mistake;
};
std::vector<LikelyMistake> likely_mistakes(const SheetQuestion& question, const Blank& blank);

// What is said of a wrong number as one side of a shape, whatever the other side is: of the other side's own number
// that the two are swapped.
enum class ShapeSide { rows, columns };
std::string side_hint(const SheetQuestion& question, const ShapeAnswer& right, ShapeSide side, std::int64_t number);

// A number or a formula that was typed; the other kinds of answers are graded by grade() itself.
Grade grade_number(const CountedModel& model, const NumberAnswer& right, std::string_view typed);

inline Grade unreadable(const Error& error) { return {Outcome::unreadable, {}, sentence(error)}; }

// A number that is asked for, and the model that it is of: another than the question's where the answer is one of that
// model alone.
struct AskedIn {
    const CountedModel& model;
    AskedNumber asked;
};
AskedIn asked_in(const CountedModel& own, const Resolved& resolved);

// The slip that leads to this number; null where none does.
const Slip* slip_of(const std::vector<Slip>& slips, std::int64_t number);

// "4096 is all 32 heads together", "128 has d_h (head size) where T (tokens) belongs".
std::string is_slip(const std::string& given, const std::string& text);

// Far from right: by how much, without saying the number.
std::string how_far(std::int64_t number, std::int64_t right);

}  // namespace headcount
