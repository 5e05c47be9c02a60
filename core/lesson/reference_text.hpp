// How answers are written: text with references in braces, and what a reference says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/reference.hpp"

namespace headcount {

// "count of layer.attention without norms in llama-7b"
struct Reference {
    std::string_view quantity, subject, preset;
    bool without_norms = false;
};
Result<Reference> parse_reference(std::string_view text);

// Text and references in turn. Whole references may stand without braces.
struct Piece {
    std::string_view text;
    bool reference;
    std::size_t at;  // of its first character, braces included
};
Result<std::vector<Piece>> pieces_of(std::string_view text);

// Whether the whole answer is one reference without braces.
bool stands_alone(std::string_view answer);

// As a formula; what it counts and names goes into `into`. Errors name what the model does not have.
Result<Expr> ask_graph(const Reference& asked, const CountedModel& model, Resolved& into);

}  // namespace headcount
