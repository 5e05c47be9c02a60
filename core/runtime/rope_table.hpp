// Sines and cosines of rotary positions, one row a position.
#pragma once

#include <cstdint>
#include <vector>

#include "core/arch/rope.hpp"

namespace headcount {

class RopeTable {
  public:
    // For positions below `capacity` in a sequence of so many tokens; made anew only where the angles change with
    // these.
    void prepare(const Rope& rope, std::int64_t columns, std::int64_t capacity, std::int64_t tokens);

    // Whether a sequence of so many tokens has other angles than this table.
    bool turns_otherwise(const Rope& rope, std::int64_t columns, std::int64_t tokens) const;

    std::int64_t pairs() const { return pairs_; }
    const float* cosines(std::int64_t position) const { return cosines_.data() + position * pairs_; }
    const float* sines(std::int64_t position) const { return sines_.data() + position * pairs_; }

  private:
    std::int64_t pairs_ = 0;
    std::vector<double> angles_;
    std::vector<float> cosines_, sines_;
};

}  // namespace headcount
