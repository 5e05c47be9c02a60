// Questions about a whole model or several: the largest matrix, arithmetic, a comparison, what fits into so much
// memory.
#pragma once

#include "core/ask/answer.hpp"

namespace headcount {

struct WideQuestion {
    const Heard& heard;         // `wide` is there
    const CountedModel& model;  // that is named, or at hand
    const AskAbout& about;
};
AskOutcome answer_wide(const WideQuestion& question);

AskOutcome answer_largest(const WideQuestion& question);
AskOutcome answer_flops(const WideQuestion& question);
AskOutcome answer_compare(const WideQuestion& question);
AskOutcome answer_fits(const WideQuestion& question);    // fits.cpp, with
AskOutcome answer_memory(const WideQuestion& question);  // ... all that this input takes

}  // namespace headcount
