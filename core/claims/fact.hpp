// What the graph says in words: which way round a matrix is, whether the context enters a count, what sees what.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/counted_model.hpp"
#include "core/claims/claims.hpp"
#include "core/files/presets.hpp"

namespace headcount {

struct Fact {
    std::string words;   // "each row"
    std::string detail;  // "keys are T × d_h, 100 × 128"

    bool operator==(const Fact&) const = default;
};

// A kind of fact: what it is called in files, what `of` and `by` are (empty: not used), and the words it can have.
struct FactInfo {
    std::string_view fact, of, by;
    std::array<std::string_view, 3> words;  // the last may be empty
};
std::span<const FactInfo> facts();
const FactInfo* find_fact(std::string_view fact);  // null where there is none

// Errors name what the model does not have.
Result<Fact> answer_fact(const FactQuestion& question, const CountedModel& model, std::span<const Preset> presets);

}  // namespace headcount
