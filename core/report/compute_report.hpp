// Arithmetic and memory traffic of a model as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "core/analysis/arithmetic.hpp"
#include "core/report/table.hpp"

namespace headcount {

// "1.23 ms", "45.6 µs", "7.89 s"
std::string seconds_text(double seconds);

// How many a second: "9,962", "66.51".
std::string rate_text(double rate);

// The three kinds of passes over T tokens: reading them, making the last of them with the others in the cache, and a
// training step.
struct Passes {
    PassWork prefill, decode, train;
    std::optional<PassWork> decode_anew;                 // where decode is latent attention's absorbed form: the other
    std::int64_t prefill_tokens = 0, decode_tokens = 0;  // of all sequences
    std::int64_t parameters = 0;                         // that a token is multiplied with: of the rules 2·N and 6·N
};

// One row a pass: operations, causal operations, the rule's, bytes; at a roof also time and tokens a second.
Table passes_table(const Passes& passes, const std::optional<Roof>& roof);

// One row a pass: its operations as a formula, every query against every key.
Table pass_formulas_table(const Passes& passes);

// One row an operation of a pass.
Table operations_table(const ModelGraph& graph, const PassWork& work, const std::optional<Roof>& roof);

// {"prefill": {"flops", "flops_causal", "bytes"}, "decode", "train", "rules": {"parameters", "prefill", "decode",
// "train"}, "decode_anew" as "decode", where there are two forms of it, "operations": [{"name", "id", "block",
// "copies", "flops", "flops_causal", "bytes", "intensity"}]} of the prefill; with a device {"hardware": id} and in each
// pass "seconds" and "tokens_per_second", in each operation "seconds" and "bound".
nlohmann::ordered_json compute_json(const ModelGraph& graph, const Passes& passes, const std::optional<Roof>& roof,
                                    const std::optional<Device>& device);

}  // namespace headcount
