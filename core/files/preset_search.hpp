// How presets are looked for where a word is no name of one: in the window's menus, on the command line, in questions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/presets.hpp"

namespace headcount {

// The words by which a preset is looked for besides its name: its id, its family, its year, its sort as people call it
// ("hybrid state"), who published it, its source.
std::string search_words(const Preset& preset);

// Those in whose names or search_words each of these words stands: of "hybrid", of "minilm". None where more than half
// do.
std::vector<const Preset*> presets_about(std::span<const Preset> presets, std::string_view words);

}  // namespace headcount
