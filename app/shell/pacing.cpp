// Counts the frames that are due.
#include "app/shell/pacing.hpp"

#include <algorithm>

namespace headcount {

void Pacing::drawn(bool moving) {
    if (due_ > 0) --due_;
    only_moves_ = due_ == 0 && moving;
    rests_ = false;
    if (moving) due_ = std::max(due_, 1);
}

std::optional<double> Pacing::wait(bool typing, std::optional<double> other) const {
    if (rests_) return std::min(other.value_or(frame_seconds), frame_seconds);
    if (due_ > 0) return 0;
    if (typing) return std::min(other.value_or(blink_seconds), blink_seconds);
    return other;
}

}  // namespace headcount
