// Takes events up to the first that would hide an earlier one.
#include "app/shell/key_queue.hpp"

#include <algorithm>

namespace headcount {
namespace {

// GLFW's numbers, from the left Shift to the right Super.
bool modifier(const KeyEvent& event) {
    return event.character == 0 && event.key >= 340 && event.key <= 347;
}

bool hides(const KeyEvent& event, const KeyEvent& earlier) {
    if (event.character != 0) return false;
    if (modifier(event) && !modifier(earlier)) return earlier.character != 0 || earlier.action != 0;
    return earlier.character == 0 && earlier.key == event.key && (earlier.action == 0) != (event.action == 0);
}

}  // namespace

std::vector<KeyEvent> KeyQueue::take() {
    std::vector<KeyEvent> taken;
    const auto hides_another = [&taken](const KeyEvent& event) {
        return std::any_of(taken.begin(), taken.end(),
                           [&event](const KeyEvent& earlier) { return hides(event, earlier); });
    };
    auto rest = waiting_.begin();
    for (; rest != waiting_.end() && !hides_another(*rest); ++rest) taken.push_back(*rest);
    waiting_.erase(waiting_.begin(), rest);
    return taken;
}

}  // namespace headcount
