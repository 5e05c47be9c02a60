// Other numbers for the same questions: architectures drawn from a seed, always possible ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/arch/architecture.hpp"
#include "core/arch/input.hpp"

namespace headcount {

// A stream of numbers that is the same on every machine (Steele et al. 2014, SplitMix64).
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }  // end > 0

  private:
    std::uint64_t state_;
};

// Draws what `fields` names ("heads", "tokens"; absent: every dimension that this architecture gives as a number). Kind
// and rules stay: one key/value head for each query head, a width that heads share, experts. No two dimensions become
// equal that were not, so that each number of an answer has one meaning. Where nothing possible is found, what was
// given comes back.
std::pair<Architecture, Input> with_new_numbers(const Architecture& arch, const Input& input,
                                                const std::optional<std::vector<std::string>>& fields,
                                                std::uint64_t seed);

// The places 0 ... count - 1 in an order that the seed decides, never the plain one where there are two or more.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

// The numbers from 0 to `count` in any order, that one included.
std::vector<std::size_t> drawn_order(std::size_t count, std::uint64_t seed);

}  // namespace headcount
