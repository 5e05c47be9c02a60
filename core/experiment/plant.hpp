// Plants a mistake in the model that ships, and says what other mistakes would have made of the numbers that it shows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/lesson/planted.hpp"

namespace headcount {

// A heading, and a row for each token, as text; the first column is the token.
using PlantedTable = std::vector<std::vector<std::string>>;

struct PlantedChoice {
    std::string says;   // what the mistake is
    bool same = false;  // it makes the same numbers, all that the model makes
    std::string looks;  // a sentence: what the shown numbers would be with it; empty where they are the same
};

struct Planted {
    PlantedTable theirs, own;            // with the mistake, and without
    std::string of;                      // the tensor whose numbers they are, in the graph
    std::string name;                    // "Attention weights, layer 0, head 3"
    std::vector<PlantedChoice> choices;  // in the order of the names
};

// `mistake` and `names` are those of core/diagnose: "mask-none". Runs the model once for each. Errors: the model has no
// such mistake, makes no such activation, or has no such head; the prompt is too long to be shown.
Result<Planted> plant(const PlantedMistake& planted, std::string_view mistake, std::span<const std::string> names);

inline constexpr std::int64_t most_planted_tokens = 8, most_planted_columns = 8;  // that are shown

}  // namespace headcount
