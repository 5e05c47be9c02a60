// Places of the diagram as they are typed.
#pragma once

#include <string>

#include "app/state/shown.hpp"
#include "core/analysis/counted_model.hpp"
#include "core/base/result.hpp"

namespace headcount {

// Whether the graph has what is to be selected; `key` is as it was typed.
std::optional<Error> check_selection(const Subject& subject, const std::string& key, const ModelGraph& graph);

// As it is read back: "layer.attention.head:3"; empty for the whole model.
std::string place_text(const Place& place);

// "layer.attention.head:3", "layer.attention.query.weight[5,17]": a place, which of its copies, which cell.
Result<Place> read_place(const std::string& text, const CountedModel& model);

}  // namespace headcount
