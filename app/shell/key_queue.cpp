// Takes events up to the first that would hide an earlier one.
#include "app/shell/key_queue.hpp"

#include <algorithm>

namespace headcount {

std::vector<KeyEvent> KeyQueue::take() {
    std::vector<KeyEvent> taken;
    const auto hides_another = [&taken](const KeyEvent& event) {
        return std::any_of(taken.begin(), taken.end(), [&event](const KeyEvent& earlier) {
            return earlier.key == event.key && (earlier.action == 0) != (event.action == 0);
        });
    };
    auto rest = waiting_.begin();
    for (; rest != waiting_.end() && !hides_another(*rest); ++rest) taken.push_back(*rest);
    waiting_.erase(waiting_.begin(), rest);
    return taken;
}

}  // namespace headcount
