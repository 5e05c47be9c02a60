// Where every activation of a run lies: what is laid out before the first token, so that no pass allocates. And what
// loading and running a model will take, and whether the machine has it: asked before anything is allocated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/runtime/borrowed.hpp"

namespace headcount {

// Which activations a run keeps, of all its tokens.
enum class Keep {
    nothing,    // but the caches, and the logits of the last token
    hidden,     // the residual stream that leaves each layer, and all tokens' logits
    attention,  // and each head's weights
    all,
};

struct RunOptions {
    std::int64_t capacity = 0;  // tokens, prompt included; 0: the model's context
    std::int64_t source = 0;    // the same of what an encoder beside the decoder reads
    int threads = 1;
    Keep keep = Keep::nothing;
    bool all_logits = false;  // of every token, not of a pass's last alone; always so where something is kept

    bool narrows() const { return keep == Keep::nothing && !all_logits; }
};

struct MemoryNeed {
    std::int64_t weights = 0, caches = 0, activations = 0;  // bytes

    std::int64_t total() const { return weights + caches + activations; }
};

// Of a model of this architecture and one run of it, all in float32. Fails only where that does not fit in 64 bits.
// Costs the graph, however many layers and tokens there are.
Result<MemoryNeed> memory_need(const Architecture& arch, const RunOptions& options);

// "the weights take 25.1 GiB, and 22.0 GiB of memory are free: ..." of what = "the weights"; nothing where they fit,
// are at most 1 MiB, or where the system does not say.
std::optional<Error> does_not_fit(std::int64_t bytes, std::string_view what);

enum class PlaceIn {
    none,     // it has no place
    scratch,  // overwritten by the next layer
    cache,    // of all tokens, needed by later ones
    state,    // of what was before, as large however many tokens there were; lies among the caches
    kept,     // of all tokens, for those who look
};

// The cells of one tensor: row r, column c of copy n in the i-th layer of its group is at
//   offset + i·layer_step + owner(n)·copy_step + r·row_step + c·column_step.
struct PlaceOf {
    PlaceIn memory = PlaceIn::none;
    std::int64_t offset = 0, columns = 0, copies = 1;
    std::int64_t rows = 0;  // of a state; of others as many as there are tokens
    std::int64_t row_step = 0, column_step = 1, copy_step = 0, layer_step = 0;
    std::int64_t columns_by_layer = 0;  // where each layer has the next ones
    std::int64_t copies_share = 1;      // so many query heads read one key/value head's
    bool in_turn = false;               // those n apart share it, not those side by side
    bool of_source = false;             // its rows are an encoder's tokens, or a table's, to which no pass adds

    // Whose numbers copy `n` has, and the first copy that has those of an owner.
    std::int64_t owners() const { return copies / copies_share; }
    std::int64_t owner(std::int64_t n) const { return in_turn ? n % owners() : n / copies_share; }
    std::int64_t first_of(std::int64_t owner) const { return in_turn ? owner : owner * copies_share; }
    bool of_all_tokens() const { return memory == PlaceIn::cache || memory == PlaceIn::kept; }
    bool outlives_pass() const { return of_all_tokens() || memory == PlaceIn::state; }
};

struct RunPlan {
    std::vector<PlaceOf> places;        // by TensorIndex
    std::vector<PlaceOf> kept_experts;  // the same of what experts make, sorted by which of a token's k they are
    std::vector<Borrowed> borrowed;     // keys and values of other layers
    PlaceOf gathered;                   // rows that one expert reads
    // Of each thread: a few queries against the rows of distances, and these against all keys.
    PlaceOf query_distances, key_distances;
    PlaceOf index_head;                             // the same of a few index queries of one head against all keys
    std::int64_t capacity = 0;                      // tokens
    std::int64_t source = 0;                        // of an encoder
    std::int64_t pass_rows = 0;                     // tokens of one pass at most
    std::int64_t token_step = 0;                    // floats from one column to the next where a matrix lies by columns
    std::int64_t scratch = 0, cache = 0, kept = 0;  // floats
};

// How many rows of queries a thread takes at once through scores, softmax and mix.
inline constexpr std::int64_t block_rows = 12;

// Costs the graph, not the layers or tokens. Fails where the run's bytes do not fit in 64 bits.
Result<RunPlan> make_plan(const Architecture& arch, const ModelGraph& graph, const RunOptions& options);

}  // namespace headcount
