// What question banks share, whichever platform they are for: the numbers that a blank takes, with sentences on wrong
// ones.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/grading/grade.hpp"

namespace headcount {

// A number that a blank takes, how far off it may be, and sentences on wrong ones.
struct BankNumber {
    std::int64_t right = 0;
    double tolerance = 0;
    std::vector<std::pair<std::int64_t, std::string>> wrong;

    // Unless there is one on that number, or it is near enough.
    void add_wrong(std::int64_t number, const std::string& hint);
};

// The blank's numbers: one of a count, the rows and the columns of a shape; none of what is no number.
std::vector<BankNumber> bank_numbers(const SheetQuestion& question, const Blank& blank);
// Those of each blank; none where a blank is no number.
std::vector<std::vector<BankNumber>> bank_numbers(const SheetQuestion& question);

// What can be pointed at, by its name and by its symbol; nothing of what is no tensor.
std::set<std::string> names_of(const SheetQuestion& question, const SelectAnswer& select);

// The model and its numbers as a paragraph of HTML, since each question stands by itself in a bank.
std::string given_html(const Sheet& sheet);

}  // namespace headcount
