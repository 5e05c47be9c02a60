// What a model's memory is, as tables and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/analysis/memory.hpp"
#include "core/report/table.hpp"

namespace headcount {

// A device and what fits into it.
struct DeviceRoom {
    Device device;
    Room room;
};

// Weights by component, cache, activations, gradients, optimizer, each with its formula; the total comes last. Where
// the model is divided among devices, with what one of them holds.
Table memory_table(const Memory& memory, const MemoryOptions& options);

// What training keeps for the backward pass, place by place.
Table kept_table(const Memory& memory);

// Each device: its memory, whether it fits, the longest context and the largest batch that do.
Table devices_table(std::span<const DeviceRoom> devices);

// {"weights": {"total", "by_component"}, "kv_cache": {"total", "per_token"}, "activations": {"peak", "where", "kept":
// [{"block", "one", "layers", "all"}]}, "gradients", "optimizer", "total", "per_device": {"weights", "kv_cache",
// "activations", "gradients", "optimizer", "total"}, "devices": [{"id", "bytes", "fits", "longest_context",
// "largest_batch"}]}, all in bytes.
nlohmann::ordered_json memory_json(const Memory& memory, std::span<const DeviceRoom> devices);

}  // namespace headcount
