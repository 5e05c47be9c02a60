// The program's tables: which columns each has, and what stands in them.
#pragma once

#include <span>
#include <string>

#include "core/analysis/checkpoint_match.hpp"
#include "core/analysis/checkpoint_names.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/parameters.hpp"
#include "core/report/table.hpp"

namespace headcount {

// "4096 × 11008"
std::string sizes_text(std::span<const std::int64_t> sizes);

// Parameters by component, with share and formula; those of none are left out. The total comes last.
Table parameters_table(const ModelGraph& graph, const Parameters& parameters);

// Every kind of tensor in checkpoint order with {i} for the layer and {e} for the expert, how many there are and what
// they hold together; where layers differ, also which layers have it.
Table tensors_table(const ModelGraph& graph, const Parameters& parameters);

// One row of a list of single tensors: name, shape in symbols and numbers, count, component.
std::vector<Column> single_tensor_columns();
std::vector<ReportCell> single_tensor_row(const ModelGraph& graph, const ParameterRow& row, const TensorPlace& place);

// Activations in order: step, symbol, shape in symbols and numbers, elements, bytes, copies, bytes of all copies.
Table activations_table(const ModelGraph& graph, std::span<const ActivationRow> rows, const Bindings& bindings);

// What of a file of weights differs from the computed tensors, one row a tensor; and what it holds of each type.
Table match_table(const CheckpointMatch& match);
Table types_table(const CheckpointMatch& match);

// Every field that applies, by its label and its name in files.
Table architecture_table(const Architecture& arch);

// A preset, as lists of them show it.
struct PresetRow {
    std::string id, name, family;
    std::optional<int> year;
    std::int64_t total;
    std::string source, note;
};
// One row each, with the last piece of its source: the repository or the paper's number.
Table presets_table(std::span<const PresetRow> presets);

}  // namespace headcount
