// What `run` says beside its text: of a prompt and of weights that are not taken as one would think.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/arch/architecture.hpp"
#include "core/checkpoints/checkpoint.hpp"
#include "core/graph/graph.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

// Where it is not UTF-8: from which byte, counted from 0, and what becomes of it.
std::optional<std::string> note_on_prompt(std::string_view prompt);

// Where letters of it have no token: how many tokens stand for such, and how they are written.
std::optional<std::string> note_on_unknown(std::span<const std::int32_t> prompt, const Tokenizer& tokenizer);

// Where the weights have tensors that the graph, `expand` of the architecture, has no use for: how many, the first of
// them by its name in the file, and why. Buffers, scales and the copy of a tied output head are not meant.
std::optional<std::string> note_on_unused(const Checkpoint& checkpoint, const Architecture& arch,
                                          const ModelGraph& graph);

}  // namespace headcount
