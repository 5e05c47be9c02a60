// Arithmetic and memory traffic of a model as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "core/analysis/pass.hpp"
#include "core/report/table.hpp"

namespace headcount {

// "1.23 ms", "45.6 µs", "7.89 s"
std::string seconds_text(double seconds);

// How many a second: "9,962", "66.51".
std::string rate_text(double rate);

// The three kinds of passes over T tokens.
struct Passes {
    Pass prefill, decode, train;
    std::int64_t parameters = 0;  // that a token is multiplied with: of the rules 2·N and 6·N
};

// One row a pass: operations, those of the other way to count scores, the rule's, bytes; at a roof also time and tokens
// a second.
Table passes_table(const Passes& passes, const std::optional<Roof>& roof);

// One row a pass: its operations as a formula.
Table pass_formulas_table(const Passes& passes);

// One row an operation of a pass.
Table operations_table(const Pass& pass, const std::optional<Roof>& roof);

// {"scores": "causal" or "full", "prefill": {"flops", "flops_causal", "flops_full", "bytes"}, "decode", "train",
// "rules":
// {"parameters", "prefill", "decode", "train"}, "decode_anew" as "decode", where there are two forms of it,
// "operations": [{"name", "id", "block", "copies", "flops", "flops_causal", "flops_full", "bytes", "intensity"}]} of
// the prefill; "flops" are those that count. With a device {"hardware": id} and in each pass "seconds" and
// "tokens_per_second", in each operation "seconds" and "bound".
nlohmann::ordered_json compute_json(const Passes& passes, const std::optional<Roof>& roof,
                                    const std::optional<Device>& device);

}  // namespace headcount
