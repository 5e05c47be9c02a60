// Measures what the heads of the model that ships look at in a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/runtime/head_roles.hpp"

namespace headcount {

// Runs the model once over the text, which takes some milliseconds. Errors: the model is not there, the text is longer
// than it can read.
Result<std::vector<HeadFound>> find_shipped_heads(std::string_view text);

// "Layer 1, head 2 does so most: with 23.5 % of its attention. Spread evenly that would be 9.9 %."
std::string sentence_on(const HeadFound& head);

}  // namespace headcount
