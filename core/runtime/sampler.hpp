// From logits to the next token, each stage to be seen: temperature, top-k, top-p, min-p, and the choice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/result.hpp"

namespace headcount {

struct Sampling {
    double temperature = 0.8;  // 0: always the likeliest
    std::int64_t top_k = 0;    // how many of the likeliest are kept; 0: all
    double top_p = 1;          // the likeliest that together reach this share are kept; 1: all
    double min_p = 0;          // who has less than this share of the likeliest's probability is cut
    std::uint64_t seed = 42;

    bool operator==(const Sampling&) const = default;
};

// The error names the field as the command line does: "temperature".
std::optional<Error> wrong_sampling(const Sampling& sampling);

// The first rule that cut a candidate, in the order in which they are asked.
enum class Cut {
    kept,
    impossible,  // temperature left it nothing: a logit of minus infinity, or far below the first
    top_k,
    top_p,
    min_p,
};

struct Candidate {
    std::int32_t id = 0;
    float logit = 0;
    double plain = 0;        // softmax of the logits
    double tempered = 0;     // softmax(logits / temperature), over the whole vocabulary
    double probability = 0;  // of being chosen: the kept ones' tempered, made to add up to 1; 0 where cut
    Cut cut = Cut::kept;
};

// The whole vocabulary, likeliest first; of equal logits the lower id first. The kept ones stand at the beginning.
struct Distribution {
    std::vector<Candidate> candidates;
    std::size_t kept = 0;
};

// Temperature first, which may leave some nothing; then top-k; then top-p of what top-k left, made to add up to 1
// again; then min-p: the order of transformers' generate(). The token that reaches top-p's share is kept, so one always
// is. Fails for wrong sampling, no logits, a logit that is NaN or +inf (-inf is never chosen), and where all are -inf.
Result<Distribution> distribution(std::span<const float> logits, const Sampling& sampling);

// A number from 0 to below 1 for the token at that position of the text: the same on every machine, and after a step
// back. The position's number of the seed's splitmix64 sequence (Steele, Lea, Flood 2014).
double chance_at(std::uint64_t seed, std::int64_t position);

// The candidate at which the probabilities, added up in order, pass `chance`.
std::int32_t draw(const Distribution& distribution, double chance);

// All of it in one: the token for that position.
Result<std::int32_t> sample(std::span<const float> logits, const Sampling& sampling, std::int64_t position);

}  // namespace headcount
