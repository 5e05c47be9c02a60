// GGUF's names of tensors beside the published ones, a table a family (llama.cpp, gguf-py/gguf/tensor_mapping.py, and
// what its converters do to each).
#pragma once

#include <span>
#include <string_view>

#include "core/checkpoints/gguf_published.hpp"

namespace headcount {

struct GgufEntry {
    std::string_view gguf;       // without "blk.3." and ".weight"; in one of two stacks "enc.attn_q"
    std::string_view published;  // below the layer, or the whole name outside the layers
    Fit fit = Fit::same;
};

struct GgufNaming {
    std::string_view architecture;
    std::string_view layers;  // the path of the layers
    std::span<const GgufEntry> entries;
    std::span<const GgufEntry> more = {};  // that others have too
    bool linear = false;                   // what is a Conv1D in the table is a linear layer here
    std::string_view source_layers = {};   // the path of the encoder's layers, where there are two stacks
};

// Of an architecture that has none of its own: LLaMA's.
const GgufNaming& gguf_naming(std::string_view architecture);

// What stands for this name in an architecture's table, or in that of all; null where it is in none.
const GgufEntry* find_entry(const GgufNaming& naming, std::string_view gguf);

}  // namespace headcount
