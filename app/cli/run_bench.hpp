// How fast a run was, beside what the machine could do at most.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "core/runtime/memory_need.hpp"

namespace headcount {

struct RunSpeeds {
    std::int64_t prompt = 0, made = 0;  // tokens that the model was run for: of the prompt, and one by one
    double prompt_seconds = 0, made_seconds = 0;

    double of_prompt() const { return prompt_seconds > 0 ? static_cast<double>(prompt) / prompt_seconds : 0; }
    double of_made() const { return made_seconds > 0 ? static_cast<double>(made) / made_seconds : 0; }
};

// Reads much memory once, to say how fast that goes: a token made alone reads every weight.
void write_bench(std::ostream& out, const MemoryNeed& need, int threads, const RunSpeeds& speeds);

}  // namespace headcount
