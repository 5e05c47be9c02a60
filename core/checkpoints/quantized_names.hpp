// The names under which quantizers store one matrix in several tensors: its numbers, packed, and what they are restored
// with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headcount {

// The published name of the matrix whose numbers a tensor holds: "x.qweight" (GPTQ, AWQ) and "x.weight_packed"
// (compressed-tensors) those of "x.weight", "x_blocks" (MXFP4) those of "x". Nothing where it says no such thing.
std::optional<std::string> packed_matrix(std::string_view name);

// Whether a tensor of this name is there to restore the numbers of another: scales, zero points, the groups that inputs
// belong to, tables of what a few bits stand for.
bool restores_numbers(std::string_view name);

}  // namespace headcount
