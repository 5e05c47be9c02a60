// A claim beside the graph: what it gives, step by step, and the verdict that follows from the numbers.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/counted_model.hpp"
#include "core/claims/claims.hpp"
#include "core/files/presets.hpp"

namespace headcount {

// A number, a shape or words, with the formula they come from.
struct ClaimValue {
    std::string text;     // "6,738,415,616", "4096 × 11008", "decoder-only", "13,214,687,232 bytes"
    std::string symbols;  // "V·d"; empty for words and for what is no formula
    std::string numbers;  // "32000·4096"; empty where it says no more than the symbols or the text
    std::string detail;   // of words: what in the graph says so

    bool operator==(const ClaimValue&) const = default;
};

struct CheckedStep {
    std::string what, at;
    ClaimValue said;
    std::optional<ClaimValue> graph;  // absent where the step has nothing to be compared with
    bool right = true;

    bool operator==(const CheckedStep&) const = default;
};

struct CheckedPart {
    std::string what;
    ClaimValue value;

    bool operator==(const CheckedPart&) const = default;
};

struct CheckedClaim {
    std::string model;    // "LLaMA 7B, vocab 50000"
    std::string claimed;  // as it was said; where only a formula was, its value
    std::optional<ClaimValue> reached;
    bool reaches = true;  // whether that formula gives what is claimed
    ClaimValue computed;
    std::vector<CheckedPart> without;
    std::string rest;  // what is computed, less what is left out; empty where nothing is
    std::vector<CheckedStep> steps;
    Verdict verdict = Verdict::wrong;
    std::string why;  // filled in
    std::string at;   // the first step that is wrong, else what the claim is about; may be empty

    bool operator==(const CheckedClaim&) const = default;
};

// The architecture and input that a claim speaks of.
Result<CountedModelPtr> claim_model(const Claim& claim, std::span<const Preset> presets);

// right: equal. rounded: equal at the digits given, or near where it is said to be rough. right but incomplete: either
// of these once what is left out is taken away. wrong: anything else, and whatever was reached by a formula that gives
// something else. Errors name what the claim asks for and the model does not have.
Result<CheckedClaim> check_claim(const Claim& claim, std::span<const Preset> presets);

// What the graph says in words: which way round a matrix is, whether the context enters a count, what sees what.
struct Fact {
    std::string words;   // "each row"
    std::string detail;  // "keys are T × d_h, 100 × 128"

    bool operator==(const Fact&) const = default;
};

// A kind of fact: what it is called in files, what `of` and `by` are (empty: not used), and the words it can have.
struct FactInfo {
    std::string_view fact, of, by;
    std::array<std::string_view, 3> words;  // the last may be empty
    // Errors name what the model does not have.
    Result<Fact> (*answer)(const FactQuestion& question, const CountedModel& model, std::span<const Preset> presets);
};
std::span<const FactInfo> facts();
const FactInfo* find_fact(std::string_view fact);  // null where there is none

// Errors name what the model does not have.
Result<Fact> answer_fact(const FactQuestion& question, const CountedModel& model, std::span<const Preset> presets);

}  // namespace headcount
