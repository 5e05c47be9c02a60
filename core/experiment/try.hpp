// Tries the experiment of a lesson on the model that ships: what it says next, and what it says without some parts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/experiment.hpp"
#include "core/runtime/changes.hpp"

namespace headcount {

// "layer.1.attention.head:3, layer.2.feed_forward": these parts, switched off. Errors name the one that is no place, or
// that stands there twice.
Result<std::vector<Change>> parts_off(std::string_view typed);

// The likeliest next token as it is and without the parts, and what share the words of the experiment then have.
struct Tried {
    std::string before, after;
    double before_share = 0, after_share = 0;  // of these tokens, each in its own run
    double from_share = 0, to_share = 0;       // of the experiment's words without the parts
};

// Reads the model's weights and the prompt twice, which takes some milliseconds. Errors: the model is not there, a
// place that it does not have.
Result<Tried> try_experiment(const Experiment& experiment, std::span<const Change> changes);

}  // namespace headcount
