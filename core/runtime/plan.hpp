// Where every activation of a run lies: what is laid out before the first token, so that no pass allocates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/runtime/memory_need.hpp"

namespace headcount {

enum class PlaceIn {
    none,     // it has no place
    scratch,  // overwritten by the next layer
    cache,    // of all tokens, needed by later ones
    kept,     // of all tokens, for those who look
};

// The cells of one tensor: row r, column c of copy n in the i-th layer of its group is at
//   offset + i·layer_step + n / copies_share·copy_step + r·row_step + c·column_step.
struct PlaceOf {
    PlaceIn memory = PlaceIn::none;
    std::int64_t offset = 0, columns = 0, copies = 1;
    std::int64_t row_step = 0, column_step = 1, copy_step = 0, layer_step = 0;
    std::int64_t copies_share = 1;  // so many query heads read one key/value head's

    bool of_all_tokens() const { return memory == PlaceIn::cache || memory == PlaceIn::kept; }
};

struct RunPlan {
    std::vector<PlaceOf> places;        // by TensorIndex
    std::vector<PlaceOf> kept_experts;  // the same of what experts make, sorted by which of a token's k they are
    PlaceOf gathered;                   // rows that one expert reads
    std::int64_t capacity = 0;          // tokens
    std::int64_t pass_rows = 0;         // tokens of one pass at most
    std::int64_t token_step = 0;        // floats from one column to the next where a matrix lies by columns
    std::int64_t scratch = 0, cache = 0, kept = 0;  // floats
};

// How many rows of queries a thread takes at once through scores, softmax and mix.
inline constexpr std::int64_t block_rows = 12;

// Costs the graph, not the layers or tokens. Fails where the run's bytes do not fit in 64 bits.
Result<RunPlan> make_plan(const Architecture& arch, const ModelGraph& graph, const RunOptions& options);

}  // namespace headcount
