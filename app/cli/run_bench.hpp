// What is said of how fast loading and running go.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "core/runtime/plan.hpp"
#include "core/runtime/pool.hpp"
#include "core/runtime/weights.hpp"

namespace headcount {

struct RunSpeeds {
    std::int64_t prompt = 0, made = 0;  // tokens that the model was run for: of the prompt, and one by one
    double prompt_seconds = 0, made_seconds = 0;

    double of_prompt() const { return prompt_seconds > 0 ? static_cast<double>(prompt) / prompt_seconds : 0; }
    double of_made() const { return made_seconds > 0 ? static_cast<double>(made) / made_seconds : 0; }
};

// Reads much memory once, to say how fast that goes: a token made alone reads every weight that is multiplied for it
// (`multiplied`: how many), once.
void write_bench(std::ostream& out, const MemoryNeed& need, const std::vector<KeptNumbers>& kept,
                 std::int64_t multiplied, int threads, const RunSpeeds& speeds);

// Says with every tenth how far it is, where the weights are so many bytes that it takes a while.
Watch weights_watch(std::ostream& err, std::int64_t bytes);
// The same of ranking a model's parts, which reads them again and again.
Watch rank_watch(std::ostream& err, std::int64_t bytes);

}  // namespace headcount
