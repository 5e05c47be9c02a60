// Rotary positions (Su et al. 2021): by which angle each pair of columns turns from one token to the next.
#pragma once

#include <cstdint>
#include <vector>

namespace headcount {

// Which of the turned columns are pairs.
enum class RopePairs {
    halves,      // i and i + half: GPT-NeoX, LLaMA as Hugging Face stores it
    neighbours,  // 2·i and 2·i + 1: GPT-J, GLM, Command R, DeepSeek, Llama 4
};

enum class RopeScaling {
    none,
    linear,    // all angles divided by the factor (Chen et al. 2023)
    dynamic,   // a larger base for sequences longer than the context (NTK-aware)
    llama3,    // long waves divided, short ones kept, those between in between (Llama 3.1)
    yarn,      // the same by the number of turns in the original context (Peng et al. 2023)
    longrope,  // each angle divided by a number of its own, another for long sequences (Ding et al. 2024)
};

struct Rope {
    double base = 10000;  // theta
    RopePairs pairs = RopePairs::halves;
    RopeScaling scaling = RopeScaling::none;
    double factor = 1;
    double original_context = 0;                        // tokens, before it was scaled; of dynamic the model's context
    double low_factor = 1, high_factor = 4;             // llama3
    double beta_fast = 32, beta_slow = 1;               // yarn: turns in the original context
    bool truncate = true;                               // yarn: the bounds are made whole
    std::vector<double> short_divisors, long_divisors;  // longrope, one a pair
    double attention_factor = 1;                        // what sines and cosines are multiplied by

    bool operator==(const Rope&) const = default;
};

// Radians from one position to the next, one for each of columns / 2 pairs, in a sequence of so many tokens (only
// dynamic and longrope ask). Formulas: transformers, modeling_rope_utils.py. With longrope the divisors must be as
// many.
std::vector<double> rope_angles(const Rope& rope, std::int64_t columns, std::int64_t tokens);

}  // namespace headcount
