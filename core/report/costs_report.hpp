// Memory, arithmetic and memory traffic of a model, as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/amount_text.hpp"
#include "core/analysis/memory.hpp"
#include "core/analysis/pass.hpp"
#include "core/analysis/served.hpp"
#include "core/report/table.hpp"

namespace headcount {

// A device and what fits into it.
struct DeviceRoom {
    Device device;
    Room room;
};
std::vector<DeviceRoom> device_rooms(const MemoryFormulas& formulas, std::span<const Device> devices,
                                     const Bindings& bindings);

// Weights by component, cache, activations, gradients, optimizer, each with its formula; the total comes last. Where
// the model is divided among devices, with what one of them holds.
// `sign` stands before what weights take, and what they are part of, where that is only about known.
Table memory_table(const Memory& memory, const MemoryOptions& options, std::string_view sign = {});

// What one of the devices holds that a model is divided among: "on one device, at least".
std::string on_device_title(const Sharding& sharding);

// What training keeps for the backward pass, place by place.
Table kept_table(const Memory& memory);

// Each device: its memory, whether it fits, the largest batch that does and, of what reads a text, the longest context.
Table devices_table(std::span<const DeviceRoom> devices, bool of_text);

// {"weights": {"total", "by_component"}, "kv_cache": {"total", "per_token"}, "activations": {"peak", "where", "kept":
// [{"block", "one", "layers", "all"}]}, "gradients", "optimizer", "total", "per_device": {"weights", "kv_cache",
// "activations", "gradients", "optimizer", "total"}, "devices": [{"id", "bytes", "fits", "longest_context",
// "largest_batch"}]}, all in bytes.
nlohmann::ordered_json memory_json(const Memory& memory, std::span<const DeviceRoom> devices);

// The three kinds of passes over T tokens. In place of one that cannot be counted is why: a figure does not fit in 64
// bits, or, of the decode, all tokens are read at once.
struct Passes {
    Result<Pass> prefill, decode, train;
    Multiplied multiplied;               // of the rules 2·N and 6·N
    std::optional<Multiplied> adapters;  // and what of these, where there are any
    std::optional<Served> served;        // nothing without a roof, and where all tokens are read at once

    const Result<Pass>& of(Phase phase) const {
        return phase == Phase::training ? train : phase == Phase::decode ? decode : prefill;
    }
};

// Fails where the options' phase cannot be counted.
Result<Passes> passes_of(const Architecture& arch, const Input& input, const Parameters& parameters,
                         const PassOptions& options);

// Which others are left out since a figure does not fit, and what to do, a sentence each.
std::vector<std::string> left_out(const Architecture& arch, const Passes& passes);

// One row a pass: operations, those of the other way to count scores, the rule's, bytes; at a roof also time and tokens
// a second.
Table passes_table(const Passes& passes);

// One row a pass: its operations as a formula.
Table pass_formulas_table(const Passes& passes);

// What each device sends in a pass, a row a group; with the bytes a second that it can send also the time of it.
Table links_table(const Pass& pass, std::optional<double> link);

// One row an operation of a pass.
Table operations_table(const Pass& pass);

// {"scores": "causal" or "full", "prefill": {"flops", "flops_causal", "flops_full", "bytes"}, "decode", "train",
// "rules":
// {"parameters", "prefill", "decode", "train"}, "decode_anew" as "decode", where there are two forms of it,
// "operations": [{"name", "id", "block", "copies", "flops", "flops_causal", "flops_full", "bytes", "intensity"}]} of
// the pass of the options' phase; "flops" are those that count. With a device {"hardware": id} and in each pass
// "seconds" and "tokens_per_second", in each operation "seconds" and "bound".
nlohmann::ordered_json compute_json(const Passes& passes, const PassOptions& options);

}  // namespace headcount
