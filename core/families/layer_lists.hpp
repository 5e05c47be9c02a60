// Which layers have something, as configurations say it: every so many, or a list.
#pragma once

#include "core/families/config_reader.hpp"

namespace headcount {

// Every how many layers something is: as many as a set of layers can spell out, at most.
std::int64_t read_step(ConfigReader& reader, ConfigReader::Names names, std::int64_t otherwise);

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
