// Takes events up to the first that would hide an earlier one.
#include "app/shell/key_queue.hpp"

#include <algorithm>

namespace headcount {
namespace {

// GLFW's numbers, from the left Shift to the right Super.
bool modifier(const KeyEvent& event) {
    return event.character == 0 && event.key >= 340 && event.key <= 347;
}

// A key that is no modifier and goes down while Ctrl or Super is held.
bool shortcut(const KeyEvent& event) {
    constexpr int control_or_super = 0x0002 | 0x0008;
    return event.character == 0 && event.action != 0 && !modifier(event) && (event.mods & control_or_super) != 0;
}

// What a field would take: a character, or a key that goes down to edit or end it.
bool typed(const KeyEvent& event) {
    return event.character != 0 || (event.action != 0 && !modifier(event) && !shortcut(event));
}

bool hides(const KeyEvent& event, const KeyEvent& earlier) {
    if (event.character != 0) return false;
    if (modifier(event) && !modifier(earlier)) return earlier.character != 0 || earlier.action != 0;
    return earlier.character == 0 && earlier.key == event.key && (earlier.action == 0) != (event.action == 0);
}

}  // namespace

std::vector<KeyEvent> KeyQueue::take(bool typing) {
    constexpr int frames_to_open = 6;  // seen, applied, drawn, given the keyboard, drawn with it, said
    opening_ = typing ? 0 : std::max(0, opening_ - 1);
    std::vector<KeyEvent> taken;
    const auto hides_another = [&taken](const KeyEvent& event) {
        return std::any_of(taken.begin(), taken.end(),
                           [&event](const KeyEvent& earlier) { return hides(event, earlier); });
    };
    auto rest = waiting_.begin();
    for (; rest != waiting_.end() && !hides_another(*rest) && (opening_ == 0 || !typed(*rest)); ++rest) {
        taken.push_back(*rest);
        if (shortcut(*rest) && !typing) opening_ = frames_to_open;
    }
    waiting_.erase(waiting_.begin(), rest);
    return taken;
}

}  // namespace headcount
