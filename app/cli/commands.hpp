// The subcommands: each a thin use of core. They write their result on `out`, leave in `said` what is to be said beside
// it, and return what went wrong.
#pragma once

#include <iosfwd>
#include <optional>
#include <span>

#include "app/cli/arguments.hpp"
#include "app/cli/command_table.hpp"
#include "app/cli/notes.hpp"
#include "app/state/options.hpp"
#include "core/base/result.hpp"

namespace headcount {

using Failure = std::optional<Error>;

Failure print_presets(const PresetsArguments& arguments, std::ostream& out, Notes& said);
Failure print_count(const CountArguments& arguments, std::ostream& out);
Failure print_tensors(const TensorsArguments& arguments, std::ostream& out, Notes& said);
Failure print_tree(const TreeArguments& arguments, std::ostream& out, Notes& said);
Failure print_match(const MatchArguments& arguments, std::ostream& out);
Failure print_shapes(const ShapesArguments& arguments, std::ostream& out, Notes& said);
Failure print_compare(const CompareArguments& arguments, std::ostream& out, Notes& said);
Failure print_memory(const MemoryArguments& arguments, std::ostream& out, Notes& said);
Failure print_compute(const ComputeArguments& arguments, std::ostream& out, Notes& said);
Failure print_sweep(const SweepArguments& arguments, std::ostream& out, Notes& said);
Failure print_sensitivity(const SensitivityArguments& arguments, std::ostream& out, Notes& said);
Failure print_solve(const SolveArguments& arguments, std::ostream& out, Notes& said);
// `err` hears how far long loading is.
Failure run_text(const RunArguments& arguments, std::ostream& out, std::ostream& err, Notes& said);
Failure print_claims(const ClaimsArguments& arguments, std::ostream& out, Notes& said);
Failure export_file(const ExportArguments& arguments, std::ostream& out, Notes& said);

// Of the commands themselves.
Failure print_completion(const CompletionArguments& arguments, std::span<const CommandRow> table, std::ostream& out);
Failure print_manual(std::span<const CommandRow> table, const std::string& version, std::ostream& out);

// What main needs to render or to open a window.
Result<RenderOptions> render_options(const RenderArguments& arguments, Notes& said);
Result<WindowOptions> window_options(const WindowArguments& arguments);

}  // namespace headcount
