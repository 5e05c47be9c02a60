// What one sensible step more of every field would add: which of them moves a total the most.
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/sweep.hpp"

namespace headcount {

// One field a step on, all else as it is: a number to the next, a flag to the other, a choice to the next possible one.
struct FieldStep {
    Field field;
    // `to` is less than `from` where no more is possible: as many heads as there can be. Of a flag 0 or 1, of a choice
    // its place among the choices.
    std::int64_t from = 0, to = 0;
    SweepPoint after;

    // As people read it: "4096", "yes", "LayerNorm"; and as with_field does: "4096", "true", "layer".
    std::string words(std::int64_t value) const;
    std::string text(std::int64_t value) const;
};

// The architecture with the step made. Key/value heads that are as many as heads stay so when heads step, whether they
// were given or follow.
Architecture with_step(const Architecture& arch, const FieldStep& step);

struct Sensitivity {
    SweepPoint now;
    std::vector<FieldStep> steps;  // of the fields that the architecture has, in the order of fields()
    std::vector<Field> without;    // that it has too, but no step of them is possible by itself
};

// Layers lists, epsilons and ratios have no step, nor has what would bring in a part that is not there. Each number
// goes to the next value with which the model is possible: heads that divide the width, and multiples of
// what it is a multiple of now (kept_multiple). Fails where the model itself does not fit in 64 bits; a step that does
// not is none.
Result<Sensitivity> sensitivity(const Architecture& arch, const Input& input, const PointWants& wants = {});

// What the step adds; nothing of a metric that was not asked for.
std::optional<double> change_of(const Sensitivity& all, const FieldStep& step, Metric metric);
std::optional<std::int64_t> whole_change_of(const Sensitivity& all, const FieldStep& step, Metric metric);

// The places of the steps, what moves the metric most first; those that move it alike stay in order.
std::vector<std::size_t> sorted_steps(const Sensitivity& all, Metric metric);

}  // namespace headcount
