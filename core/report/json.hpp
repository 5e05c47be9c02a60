// The JSON documents that scripts rely on, and everything about one model as JSON. Field names are a promise: they
// change for nobody.
#pragma once

#include <array>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/analysis/checkpoint_match.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/analysis/metric.hpp"
#include "core/analysis/parameters.hpp"
#include "core/analysis/tensor_formats.hpp"
#include "core/report/tables.hpp"

namespace headcount {

// {"attention": 123, ...}: the rare ones where there is any of them.
nlohmann::ordered_json by_component(const std::array<std::int64_t, components.size()>& sums);

// {"name", "family", "type", "parameters": {"total", "active", "active_multiplied", "by_component", "layers",
// "per_layer_each", "per_layer": [..], "buffers"}, "tied", "verified": that there is no doubt on the model}. Fails for
// more layers than a list can hold (1,000,000).
Result<nlohmann::ordered_json> count_json(const Architecture& arch, const ModelGraph& graph,
                                          const Parameters& parameters, bool verified);

// [{"id", "label", "block", "symbol", "rows", "columns", "rows_symbol", "columns_symbol", "elements", "bytes",
// "copies", "meaning"}]: elements and bytes of one copy; copies over heads, layers and batch. Of a model that is not
// verified each has also "verified", false.
nlohmann::ordered_json shapes_json(const ModelGraph& graph, std::span<const ActivationRow> rows,
                                   const Bindings& bindings, bool verified = true);

// [{"id", "name", "family", "year", "total", "source", "note"}]
nlohmann::ordered_json presets_json(std::span<const PresetRow> presets);

struct ListedTensors {
    std::optional<std::int64_t> layer;       // of this one alone
    const TensorFormats* formats = nullptr;  // said of each, where there are some
    bool verified = true;                    // the model
};
// [{"name", "shape", "symbols", "count", "component"}], where formats are given also "format" and "bytes", of a model
// that is not verified "verified", false, written tensor by tensor. Fails, before anything is written, for more tensors
// than a document should hold (5,000,000).
Result<std::int64_t> write_tensors_json(std::ostream& out, const Architecture& arch, const ModelGraph& graph,
                                        const Parameters& parameters, const ListedTensors& listed = {});

// {"format", "parameters", "bytes", "matched", "differences", "types": [..], "rows": [{"name", "state", "expected",
// "found", "type", "file_name"}]}.
nlohmann::ordered_json match_json(const Checkpoint& checkpoint, const CheckpointMatch& match);

// A figure; null of a context or of sequences for which there is room whatever their number: "any" in tables.
nlohmann::ordered_json whole_json(std::int64_t amount, Metric metric);

// Indented text; bytes that are not UTF-8 (a path's, in a name) are replaced.
std::string json_text(const nlohmann::ordered_json& json);

// What count_json says, with "tensors", one object for each kind of tensor: {"name", "symbols", "shape", "count",
// "copies", "total", "component"}, and "activations" as shapes_json has them. Fails where count_json does.
Result<nlohmann::ordered_json> model_json(const Architecture& arch, const ModelGraph& graph,
                                          const Parameters& parameters, std::span<const ActivationRow> rows,
                                          const Bindings& bindings, bool verified);

}  // namespace headcount
