// Sorts events by what they do, and takes them up to the first that would not be understood in the same frame.
#include "app/shell/input_queue.hpp"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace headcount {
namespace {

// A thing that is asked for in one frame is drawn in the next and has the keyboard in the one after that. What never
// comes to rest, such as a run that plays, holds nothing up for long.
constexpr int calm_frames = 3, most_frames = 12;

enum class Deed {
    moves,   // the pointer, the wheel
    alone,   // a button, the window's focus
    quiet,   // a key that is let go of, or a modifier
    writes,  // into the field that has the keyboard
    edits,   // in that field, which keeps the keyboard
    acts,    // any other key or character: nobody knows on what before it is done
};

bool modifier(const KeyEvent& event) { return event.key >= GLFW_KEY_LEFT_SHIFT && event.key <= GLFW_KEY_RIGHT_SUPER; }

// A key that gives a character, which comes behind it.
bool prints(const KeyEvent& event) {
    const bool command = (event.mods & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0;
    const bool keypad = event.key >= GLFW_KEY_KP_0 && event.key <= GLFW_KEY_KP_EQUAL && event.key != GLFW_KEY_KP_ENTER;
    return !command && (event.key <= GLFW_KEY_WORLD_2 || keypad);
}

bool edits(const KeyEvent& event) {
    constexpr int keys[] = {GLFW_KEY_BACKSPACE, GLFW_KEY_DELETE, GLFW_KEY_LEFT,
                            GLFW_KEY_RIGHT,     GLFW_KEY_HOME,   GLFW_KEY_END};
    return std::ranges::find(keys, event.key) != std::end(keys);
}

Deed deed_of(const InputEvent& event, bool field) {
    if (std::holds_alternative<PointerEvent>(event) || std::holds_alternative<WheelEvent>(event)) return Deed::moves;
    if (std::holds_alternative<TextEvent>(event)) return field ? Deed::writes : Deed::acts;
    const auto* const key = std::get_if<KeyEvent>(&event);
    if (!key) return Deed::alone;
    if (key->action == GLFW_RELEASE || modifier(*key)) return Deed::quiet;
    if (field && prints(*key)) return Deed::writes;
    return field && edits(*key) ? Deed::edits : Deed::acts;
}

// Whether the first of two in the same frame would not be seen, or not be what it was.
bool hides(const KeyEvent& event, const InputEvent& earlier) {
    const auto* const key = std::get_if<KeyEvent>(&earlier);
    if (!key) return modifier(event);
    if (modifier(event) && !modifier(*key)) return key->action != GLFW_RELEASE;
    return key->key == event.key && (key->action == GLFW_RELEASE) != (event.action == GLFW_RELEASE);
}

bool goes_down(const InputEvent& event) {
    const auto* const button = std::get_if<ButtonEvent>(&event);
    return button && button->down;
}

}  // namespace

void InputQueue::watch(const compat::KeyboardOwner& owner, bool changed) {
    calm_frames_ = owner == owner_ && !changed ? calm_frames_ + 1 : 0;
    owner_ = owner;
    ++frames_since_;
    settling_ = settling_ && calm_frames_ < calm_frames && frames_since_ < most_frames;
}

bool InputQueue::may_follow(const std::vector<InputEvent>& taken, const InputEvent& event) const {
    const Deed own = deed_of(event, owner_.writes);
    const bool meant = own == Deed::writes || own == Deed::edits || own == Deed::acts || goes_down(event);
    const auto* const before = taken.empty() ? nullptr : std::get_if<KeyEvent>(&taken.back());
    const bool own_character = before && std::holds_alternative<TextEvent>(event) && before->action == GLFW_PRESS &&
                               !modifier(*before) && prints(*before);
    if (own_character) return true;
    if (settling_ && meant) return false;
    return std::ranges::all_of(taken, [&](const InputEvent& each) {
        const Deed other = deed_of(each, owner_.writes);
        if (own == Deed::alone || other == Deed::alone || (own == Deed::moves) != (other == Deed::moves)) return false;
        if (const auto* const key = std::get_if<KeyEvent>(&event); key && hides(*key, each)) return false;
        const bool one_at_a_time = own == Deed::edits || own == Deed::acts;
        const bool has_acted = other == Deed::edits || other == Deed::acts;
        return own == Deed::quiet || own == Deed::moves || other == Deed::quiet || !(one_at_a_time || has_acted);
    });
}

void InputQueue::hand_out(std::vector<InputEvent>& taken, const InputEvent& event) {
    const Deed own = deed_of(event, owner_.writes);
    if (own != Deed::moves && !std::holds_alternative<FocusEvent>(event)) ++pressed_;
    if (own == Deed::acts || own == Deed::alone) {
        settling_ = true;
        frames_since_ = calm_frames_ = 0;
    }
    taken.push_back(event);
}

std::vector<InputEvent> InputQueue::take(const compat::KeyboardOwner& owner, bool changed) {
    watch(owner, changed);
    std::vector<InputEvent> taken;
    auto rest = waiting_.begin();
    for (; rest != waiting_.end() && may_follow(taken, *rest); ++rest) hand_out(taken, *rest);
    waiting_.erase(waiting_.begin(), rest);
    return taken;
}

}  // namespace headcount
