// What the rules on architectures share.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/arch/validate.hpp"

namespace headcount {

// What was found so far. Who only asks whether anything is wrong need not wait for what would mend it.
struct Finding {
    bool mends = true;
    std::vector<Problem> problems = {};

    // The number from 1 up nearest to `start` that keeps the rule, looking at most 65,536 away; larger wins a tie.
    std::optional<std::int64_t> nearest(std::int64_t start, const std::function<bool(std::int64_t)>& keeps) const;
};

// Rules on what a model reads beside a text, or in its place: in core/arch/validate_sources.cpp.
void encoder_stands_beside(const Architecture& arch, Finding& finding);
void patches_fit(const Architecture& arch, Finding& finding);
void sound_fits(const Architecture& arch, Finding& finding);

// Rules on the residual stream: in core/arch/validate_stream.cpp.
void copies_are_few(const Architecture& arch, Finding& finding);
void laurel_is_in_turn(const Architecture& arch, Finding& finding);
void laurel_has_a_stream(const Architecture& arch, Finding& finding);
void sharing_layers_fit(const Architecture& arch, Finding& finding);

}  // namespace headcount
