// What loading and running a model will take, and whether the machine has it: asked before anything is allocated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/graph/graph.hpp"

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
    int threads = 1;
    Keep keep = Keep::nothing;
    bool all_logits = false;  // of every token, not of a pass's last alone; always so where something is kept

    bool narrows() const { return keep == Keep::nothing && !all_logits; }
};

struct MemoryNeed {
    std::int64_t weights = 0, caches = 0, activations = 0;  // bytes, all in float32

    std::int64_t total() const { return weights + caches + activations; }
};

// Of a model of this architecture and one run of it. Fails only where that does not fit in 64 bits. Costs the graph,
// however many layers and tokens there are.
Result<MemoryNeed> memory_need(const Architecture& arch, const RunOptions& options);

// Bytes that the system can give now without swapping; nothing where it does not say.
std::optional<std::int64_t> available_memory();

// "the weights take 25.1 GiB, and 22.0 GiB of memory are free: ..." of what = "the weights"; nothing where they fit, or
// where the system does not say.
std::optional<Error> does_not_fit(std::int64_t bytes, std::string_view what);

}  // namespace headcount
