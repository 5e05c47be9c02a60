// A run as a spreadsheet whose cells are formulas: who changes a weight there sees all that follows from it change.
#pragma once

#include <filesystem>
#include <optional>

#include "core/runtime/run.hpp"

namespace headcount {

// Writes an .xlsx (ECMA-376) with a sheet for what is outside of layers and one for each layer, in the order in which
// they run. On each, in the order in which they are used: parameters as numbers, and what every node makes, a block of
// rows (tokens) and columns for each head, each cell a formula of others. What no formula computes (how a router
// chooses experts, a state) stands there as the run has it, and its heading says so. The run is one without changes.
// Errors: a model of more numbers than a spreadsheet is good for, a file that cannot be written, a build that has no
// libxlsxwriter.
std::optional<Error> write_forward_pass(const Run& run, const std::filesystem::path& path);

}  // namespace headcount
