// Published statements as a file says them: what was claimed, how it was reached, what to ask the graph instead.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/reference.hpp"

namespace headcount {

enum class Verdict { right, incomplete, rounded, wrong };
std::string_view verdict_key(Verdict verdict);  // "right but incomplete": in files and on the screen

// A question that the graph answers in words (core/claims/check.hpp): {"fact": "timestep", "of": "..."}.
struct FactQuestion {
    std::string fact, of, by;

    bool operator==(const FactQuestion&) const = default;
};

// What the graph is asked: a number or a shape (core/lesson/reference.hpp), or a fact in words.
struct GraphQuestion {
    std::string answer;  // empty where a fact is asked
    std::optional<FactQuestion> fact;

    bool operator==(const GraphQuestion&) const = default;
};

// One step of how the claim was reached, beside what the graph has there.
struct ClaimStep {
    std::string what;     // "the embedding size"
    std::string said;     // a formula, a shape, or the words that a fact can have
    GraphQuestion graph;  // may be empty: then the step is only said
    std::string at;       // the tensor or block that it is about; may be empty

    bool operator==(const ClaimStep&) const = default;
};

// A part that a claim may leave out and still be right about the rest.
struct LeftOut {
    std::string what;    // "the final norm"
    std::string answer;  // how much that is

    bool operator==(const LeftOut&) const = default;
};

struct Claim {
    std::string id, says;
    ModelChoice model;
    Input input;
    std::string claimed;  // as it was said: "6.9 billion", "roughly 13 GB", "4096 x 4096", "encoder-only"; or empty
    std::string reached;  // the formula that it was reached with; may be empty, but not both
    GraphQuestion computed;
    std::vector<LeftOut> without;
    std::vector<ClaimStep> steps;
    Verdict recorded = Verdict::wrong;
    std::string why;  // with {count of model} and the like, {computed}, {reached} and {rest}
    std::string at;   // the tensor or block that it is about; may be empty

    bool operator==(const Claim&) const = default;
};

// One file: claims that were made in the same place.
struct ClaimsFile {
    std::string id;  // the file's name without .json
    std::filesystem::path path;
    std::string title, source;
    std::vector<Claim> claims;

    bool operator==(const ClaimsFile&) const = default;
};

// `text` with {computed}, {reached} and {rest} (what is computed, less what is left out) put in.
std::string with_results(std::string text, std::string_view computed, std::string_view reached, std::string_view rest);

// Reads claims from text. Errors name the JSON path ("claims[2].computed") behind `where`.
Result<ClaimsFile> parse_claims(std::string_view text, std::string_view where);
Result<ClaimsFile> read_claims(const std::filesystem::path& path);

// Every *.json of the directory, by name. No two claims may have the same id, and no claim that of a file.
Result<std::vector<ClaimsFile>> load_claims(const std::filesystem::path& directory);

// The claims that ship with the program.
Result<std::vector<ClaimsFile>> shipped_claims();

// digits · unit / scale: "6.9 billion" is 69 · 1,000,000,000 / 10.
struct StatedNumber {
    std::int64_t digits = 0, scale = 1, unit = 1;
    bool bytes = false;    // GB, GiB and their kin
    bool roughly = false;  // said to be so

    bool operator==(const StatedNumber&) const = default;
};

// Reads "6,476,005,376", "8.19 M", "2 B", "6.9 billion", "13.21 GB", "12.31 GiB"; "roughly", "about" or "~" may stand
// before it.
Result<StatedNumber> parse_stated(std::string_view text);

enum class Nearness {
    equal,
    rounded,  // the digits given are those of the exact number, rounded
    roughly,  // said to be rough, and within a twentieth
    cut,      // the digits given are those of the exact number, with the rest cut off
    apart,
};

// `exact` may be so large, or the digits so many, that it cannot be told; such numbers are apart.
Nearness nearness(const StatedNumber& stated, std::int64_t exact);

}  // namespace headcount
