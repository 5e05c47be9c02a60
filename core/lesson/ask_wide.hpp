// Questions about a whole model or several: the largest matrix, arithmetic, a comparison, what fits into so much
// memory. Only core/lesson/ask*.cpp include this.
#pragma once

#include "core/lesson/ask_answer.hpp"

namespace headcount {

struct WideQuestion {
    const Heard& heard;        // `wide` is there
    const LessonModel& model;  // that is named, or at hand
    const AskAbout& about;
};
AskOutcome answer_wide(const WideQuestion& question);

AskOutcome answer_largest(const WideQuestion& question);
AskOutcome answer_flops(const WideQuestion& question);
AskOutcome answer_compare(const WideQuestion& question);
AskOutcome answer_fits(const WideQuestion& question);    // ask_fits.cpp, with
AskOutcome answer_memory(const WideQuestion& question);  // ... all that this input takes

}  // namespace headcount
