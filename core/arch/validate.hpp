// Which combinations of fields are possible, said in sentences that sit beside a slider.
#pragma once

#include <string>
#include <vector>

#include "core/arch/fields.hpp"

namespace headcount {

// A change of one field that makes a problem go away.
struct Fix {
    Field field;
    std::string text;   // for with_field
    std::string label;  // "Use 32"

    bool operator==(const Fix&) const = default;
};

struct Problem {
    Error error;                // "30 heads do not divide width 4096": where names the first field
    std::vector<Field> fields;  // the fields that clash; the one edited last shows the sentence
    std::vector<Fix> fixes;     // at most one a field

    bool operator==(const Problem&) const = default;
};

// Everything that makes the architecture impossible; empty where it is fine. Totals that do not fit in 64 bits are
// found by counting (core/analysis), not here.
std::vector<Problem> validate(const Architecture& arch);

// Whether there is nothing of that; much faster where there is.
bool possible(const Architecture& arch);

// The input of a model for which nobody chose one: Input's own, or as many tokens as there are learned positions.
Input first_input(const Architecture& arch);

// The same for an input: at least one token and one sequence; with learned positions no more tokens than rows.
std::vector<Error> validate(const Architecture& arch, const Input& input);

}  // namespace headcount
