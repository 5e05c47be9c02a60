// The angle of each pair times the position.
#include "core/runtime/rope_table.hpp"

#include <cmath>

namespace headcount {

bool RopeTable::turns_otherwise(const Rope& rope, std::int64_t columns, std::int64_t tokens) const {
    const bool changes = rope.scaling == RopeScaling::dynamic || rope.scaling == RopeScaling::longrope;
    return angles_.empty() || (changes && rope_angles(rope, columns, tokens) != angles_);
}

void RopeTable::prepare(const Rope& rope, std::int64_t columns, std::int64_t capacity, std::int64_t tokens) {
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

}  // namespace headcount
