// A file of weights beside the computed tensors: what is there, what is missing, what does not fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/parameters.hpp"
#include "core/checkpoints/checkpoint.hpp"

namespace headcount {

enum class MatchState {
    matched,     // there, in the computed shape
    missing,     // computed, and not in the file
    reshaped,    // there, in another shape
    retyped,     // there as computed, in another number format than the others of its kind
    unexpected,  // in the file, and not computed
    ignored,     // in the file, and no parameter: a buffer, or a table that follows from the configuration
};
std::string_view match_word(MatchState state);  // "matched": in tables and JSON

// One tensor of the file, of the computation, or of both.
struct MatchRow {
    MatchState state;
    std::string name;                    // as the published checkpoint has it
    std::string file_name;               // as the file has it; empty where it is missing
    std::vector<std::int64_t> expected;  // empty where it is unexpected
    std::vector<std::int64_t> found;     // empty where it is missing
    std::string_view type;               // "BF16"; empty where it is missing

    bool operator==(const MatchRow&) const = default;
};

struct TypeTotal {
    std::string_view type;
    std::int64_t tensors = 0, parameters = 0, bytes = 0;

    bool operator==(const TypeTotal&) const = default;
};

struct CheckpointMatch {
    std::int64_t matched = 0;      // computed tensors that are in the file as computed
    std::vector<MatchRow> rows;    // all others, and those of another type, in the order of MatchState
    std::vector<TypeTotal> types;  // of all tensors of the file, most bytes first
    std::int64_t parameters = 0;   // in the file, without what is ignored
    std::int64_t bytes = 0;        // of its tensors
    std::int64_t differences = 0;  // rows that are not matched and not ignored, also those beyond `most_rows`

    bool cut = false;  // there are more rows than are listed

    static constexpr std::size_t most_rows = 10'000;  // of differences, and as many of what is ignored
};

// Compares by published names; a GGUF file's own names are translated first. Where a file holds all experts of a layer
// in one tensor, it stands for each of them. A tied output head may be stored as well. Fails where there are more
// tensors to compare than memory for them would be sane (5,000,000).
Result<CheckpointMatch> match_checkpoint(const Checkpoint& checkpoint, const Architecture& arch,
                                         const ModelGraph& graph, const Parameters& parameters);

}  // namespace headcount
