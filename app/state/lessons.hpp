// What can be opened by its title, on the command line and in the window: tours, worksheets, claims.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/intent.hpp"
#include "core/tours/tour.hpp"

namespace headcount {

struct Lesson {
    std::string id, title;  // "tour.3-one-attention-head", "Tour: One attention head"
    std::string command;    // that opens it, or writes it: "headcount --tour 3-one-attention-head"
    Intents starts;
};

// With the number that its id begins with, by which one calls it: "3. One attention head"; a file's own has none.
std::string numbered(std::string_view id, std::string_view title);

// These tours, and the worksheets and files of claims that ship, which are read anew.
std::vector<Lesson> lessons_of(std::span<const Tour> tours);

}  // namespace headcount
