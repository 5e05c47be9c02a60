// Which layers have something, as configurations say it: every so many, or a list.
#pragma once

#include <functional>

#include "core/families/config_reader.hpp"

namespace headcount {

// Every how many layers something is: as many as a set of layers can spell out, at most.
std::int64_t read_step(ConfigReader& reader, ConfigReader::Names names, std::int64_t otherwise);

// The layers behind the first ones, of which the field tells the number. An error where that is more than can be told
// apart in a model of so many layers.
LayerSet read_all_but_first(ConfigReader& reader, ConfigReader::Names names, std::int64_t otherwise,
                            std::int64_t layers);

// Those of the layers 0 ... layers - 1 that have it; of no more layers than a set can spell out.
LayerSet layers_where(std::int64_t layers, const std::function<bool(std::int64_t)>& has);

// All but the last of each `step` layers: "1110".
LayerSet all_but_every(std::int64_t step);

// The layers that are in `set` and not in `but`.
LayerSet without(const LayerSet& set, const LayerSet& but, std::int64_t layers);

// After how many layers the set starts again, where it is the last of each so many; nothing of other sets.
std::optional<std::int64_t> step_of(const LayerSet& set, std::int64_t layers);

// For writing: the layers' indices, a 1 or 0 for each, a word for each. Of no more layers than a list is read back.
nlohmann::ordered_json listed(const LayerSet& set, std::int64_t layers);
nlohmann::ordered_json flagged(const LayerSet& set, std::int64_t layers);
nlohmann::ordered_json worded(const LayerSet& set, std::int64_t layers, std::string_view in, std::string_view out);

}  // namespace headcount
