// A tour made of what somebody does: what a step can say of the window, and the step that leads from one to the next.
#pragma once

#include "core/tours/tour.hpp"

namespace headcount {

// All that a step of a tour can say, whole and not as a difference.
struct Caught {
    Architecture architecture;
    Input input;
    std::string preset;   // that the architecture is, or is made from; empty: it is a file's
    bool edited = false;  // it is not as it was opened
    std::string at;
    std::int64_t copy = 0;
    std::string select;
    std::string view, with;  // as of a step
    std::optional<RunLook> run;
    std::optional<LearnLook> train;

    bool operator==(const Caught&) const = default;
};

// Whether one leads to the other by going elsewhere and by selecting alone.
bool only_looks(const Caught& before, const Caught& now);
// ... and has not selected something already since `first`: another thing is another step.
bool looks_on(const Caught& first, const Caught& before, const Caught& now);
// ... or by other values of the same fields alone.
bool edits_the_same(const Caught& first, const Caught& before, const Caught& now);
// ... or by another prompt alone, as one types it.
bool types_on(const Caught& before, const Caught& now);
// ... or by the model beside it alone, where nothing but the way to the comparison was done since `first`.
bool chooses_other(const Caught& first, const Caught& before, const Caught& now);

// As an author would write it: what is as it was before is not said. Title and caption say what has changed; they may
// be replaced.
TourStep step_between(const Caught& before, const Caught& now, std::span<const Preset> presets);

}  // namespace headcount
