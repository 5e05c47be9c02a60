// Sines and cosines of rotary positions, one row a position.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/arch/rope.hpp"

namespace headcount {

class RopeTable {
  public:
    // For positions below `capacity` in a sequence of so many tokens; made anew only where the angles change with
    // these.
    void prepare(const Rope& rope, std::int64_t columns, std::int64_t capacity, std::int64_t tokens) {
        if (!turns_otherwise(rope, columns, tokens)) return;
        std::vector<double> angles = rope_angles(rope, columns, tokens);
        cosines_.resize(static_cast<std::size_t>(capacity) * angles.size());
        sines_.resize(cosines_.size());
        std::size_t at = 0;
        for (std::int64_t position = 0; position < capacity; ++position)
            for (const double angle : angles) {
                const double turned = static_cast<double>(position) * angle;
                cosines_[at] = static_cast<float>(std::cos(turned) * rope.attention_factor);
                sines_[at++] = static_cast<float>(std::sin(turned) * rope.attention_factor);
            }
        // Last: where there is no memory for them, the table is not taken for one.
        pairs_ = static_cast<std::int64_t>(angles.size());
        angles_ = std::move(angles);
    }

    // Whether a sequence of so many tokens has other angles than this table.
    bool turns_otherwise(const Rope& rope, std::int64_t columns, std::int64_t tokens) const {
        const bool changes = rope.scaling == RopeScaling::dynamic || rope.scaling == RopeScaling::longrope;
        return angles_.empty() || (changes && rope_angles(rope, columns, tokens) != angles_);
    }

    std::int64_t pairs() const { return pairs_; }
    const float* cosines(std::int64_t position) const { return cosines_.data() + position * pairs_; }
    const float* sines(std::int64_t position) const { return sines_.data() + position * pairs_; }

  private:
    std::int64_t pairs_ = 0;
    std::vector<double> angles_;
    std::vector<float> cosines_, sines_;
};

}  // namespace headcount
