// Everything about one model in one document: what "export" writes, and the window's File menu.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/analysis/counted_model.hpp"
#include "core/analysis/parameters.hpp"

namespace headcount {

// Its fields, its parameters by component, and its tensors, each under a heading.
std::string model_markdown(const Architecture& arch, const ModelGraph& graph, const Parameters& parameters);

// What count_json says, with "tensors", one object for each kind of tensor: {"name", "symbols", "shape", "count",
// "copies", "total", "component"}, and "activations" as shapes_json has them. Fails where count_json does.
Result<nlohmann::ordered_json> model_json(const Architecture& arch, const ModelGraph& graph,
                                          const Parameters& parameters, std::span<const ActivationRow> rows,
                                          const Bindings& bindings);

}  // namespace headcount
