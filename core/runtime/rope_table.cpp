// The angle of each pair times the position.
#include "core/runtime/rope_table.hpp"

#include <cmath>

namespace headcount {

bool RopeTable::prepare(const Rope& rope, std::int64_t columns, std::int64_t capacity, std::int64_t tokens) {
    const bool changes = rope.scaling == RopeScaling::dynamic || rope.scaling == RopeScaling::longrope;
    if (!angles_.empty() && !changes) return false;
    std::vector<double> angles = rope_angles(rope, columns, tokens);
    if (angles == angles_) return false;
    angles_ = std::move(angles);
    pairs_ = static_cast<std::int64_t>(angles_.size());
    cosines_.resize(static_cast<std::size_t>(capacity * pairs_));
    sines_.resize(cosines_.size());
    std::size_t at = 0;
    for (std::int64_t position = 0; position < capacity; ++position)
        for (const double angle : angles_) {
            const double turned = static_cast<double>(position) * angle;
            cosines_[at] = static_cast<float>(std::cos(turned) * rope.attention_factor);
            sines_[at++] = static_cast<float>(std::sin(turned) * rope.attention_factor);
        }
    return true;
}

}  // namespace headcount
