// What question banks share, whichever platform they are for: the numbers that a blank takes, with sentences on wrong
// ones.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/grading/grade.hpp"
#include "core/handout/handout.hpp"

namespace headcount {

// A wrong number that is known, how far off it may be, and what the grader says of it.
struct BankWrong {
    std::int64_t number;
    double tolerance;
    std::string hint;
};

// A number that a blank takes, how far off it may be, and the wrong ones: of two that fit the first is meant.
struct BankNumber {
    std::int64_t right = 0;
    double tolerance = 0;
    bool rounded = false, bytes = false;  // so many digits are asked for, and a unit; of bytes
    std::vector<BankWrong> wrong;

    // Unless there is one on that number, or it is near enough.
    void add_wrong(BankWrong known);
};

// Units that a rounded number may be given in, and how many each is: those of bytes, or of a count.
struct BankUnit {
    const char* name;
    double ones;
};
std::span<const BankUnit> bank_units(bool bytes);

// How numbers without a unit are typed, since platforms read a comma each in their own way.
inline constexpr std::string_view as_digits = "Write numbers in digits alone: 4096, not 4,096.";

// The blank's numbers: one of a count, the rows and the columns of a shape; none of what is no number.
std::vector<BankNumber> bank_numbers(const SheetQuestion& question, const Blank& blank);
// Those of each blank; none where a blank is no number.
std::vector<std::vector<BankNumber>> bank_numbers(const SheetQuestion& question);

// Whether other numbers make another question of it: some are asked for, or its words have some.
bool has_numbers(const SheetQuestion& question);

// What can be pointed at, by its name and by its symbol; nothing of what is no tensor.
std::set<std::string> names_of(const SheetQuestion& question, const SelectAnswer& select);

// An SVG document to look at, and what it is of; empty where there is nothing to be seen.
struct BankPicture {
    std::string svg;
    std::string_view of;
};
// The flow of a question's tensors, or what is lit beside it; of what has no numbers in its words that of the first
// variant, so that it is the same in all.
BankPicture bank_picture(const SheetQuestion& question, const Sheet& first, const PlacePicture& picture);

// What the sheet is about, and the model and its numbers where the question has some, as HTML, since each question
// stands by itself in a bank. Of what has no numbers the first variant's, so that it is the same in all.
std::string given_html(const SheetQuestion& question, const Sheet& sheet, const Sheet& first);

}  // namespace headcount
