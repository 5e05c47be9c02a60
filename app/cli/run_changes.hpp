// Experiments of `run`: what is changed, and what its parts matter, as the command line says both.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>

#include "app/cli/run_settings.hpp"
#include "core/runtime/part_ranking.hpp"
#include "core/tokenizer/tokenizer.hpp"

namespace headcount {

// Of --patch, --mean and --put, then of --scale, then of --off, so that what is patched can be scaled.
std::vector<Change> changes_of(const RunArguments& arguments);

// The same in a run of so many tokens, without those of weights; the files of patches are read. Means are of a run
// without changes: until there is one, only their places are looked for. Errors name the option.
Result<std::vector<NodeChange>> node_changes(const std::vector<Change>& changes, const Architecture& arch,
                                             const RunLengths& lengths, const Run* as_it_is = nullptr);
bool any_mean(const std::vector<Change>& changes);

// "changed: layer.1.attention.head:3 off, layer.0.feed_forward × 0.5".
std::string changes_text(const std::vector<Change>& changes);
nlohmann::ordered_json changes_json(const std::vector<Change>& changes);

void write_rank(std::ostream& out, const Rank& rank, const std::optional<Tokenizer>& tokenizer);
// An encoder's beside a decoder in "encoder".
nlohmann::ordered_json rank_json(const Rank& rank);

}  // namespace headcount
