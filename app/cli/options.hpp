// The options of the commands: which words set which argument.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/arguments.hpp"
#include "app/cli/worksheet.hpp"

namespace headcount {

// What several commands have.
void add_model(CLI::App* command, ModelArguments& model);
void add_set(CLI::App* command, std::vector<std::string>& set);
void add_input(CLI::App* command, InputArguments& input, bool required);
void add_json(CLI::App* command, bool& json);

// A command's own.
void describe_tensors(CLI::App* command, TensorsArguments& arguments);
void describe_memory(CLI::App* command, MemoryArguments& arguments);
void describe_compute(CLI::App* command, ComputeArguments& arguments);
void describe_sweep(CLI::App* command, SweepArguments& arguments);
void describe_sensitivity(CLI::App* command, SensitivityArguments& arguments);
void describe_solve(CLI::App* command, SolveArguments& arguments);
void describe_run(CLI::App* command, RunArguments& arguments);
void describe_export(CLI::App* command, ExportArguments& arguments);
void describe_worksheets(CLI::App* command, WorksheetArguments& arguments);
void describe_completion(CLI::App* command, CompletionArguments& arguments);
// `views`: the words for them, which live as long as the command.
void describe_render(CLI::App* command, RenderArguments& arguments, std::span<const std::string_view> views);
void describe_window(CLI::App* command, WindowArguments& arguments);

}  // namespace headcount
