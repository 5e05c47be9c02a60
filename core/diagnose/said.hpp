// What a diagnosis says, in plain sentences: the same on the command line and in the window.
#pragma once

#include <string>
#include <vector>

#include "core/diagnose/diagnose.hpp"

namespace headcount {

enum class Says {
    agreement,   // how many agree
    difference,  // what differs first, and where
    verdict,     // what makes their numbers, or what else is known
};

struct SaidLine {
    Says about = Says::agreement;
    std::string text;
    bool detail = false;  // of the line before
};

std::vector<SaidLine> said_lines(const Diagnosis& found);

}  // namespace headcount
