// Keys, text and the pointer on their way to ImGui, so that nothing is lost between two frames.
#pragma once

#include <cfloat>
#include <cstdint>
#include <variant>
#include <vector>

#include "app/ui/imgui_compat.hpp"

namespace headcount {

struct KeyEvent {
    int key = 0, scancode = 0, action = 0, mods = 0;  // as GLFW says them; a key that repeats is held
    bool operator==(const KeyEvent&) const = default;
};
struct TextEvent {
    unsigned character = 0;
    bool operator==(const TextEvent&) const = default;
};
struct PointerEvent {
    float x = -FLT_MAX, y = -FLT_MAX;  // far away where it is not over the window
    bool operator==(const PointerEvent&) const = default;
};
struct ButtonEvent {
    int button = 0;
    bool down = false;
    double earliest = 0, latest = 0;  // when it came, in seconds: what is found after a long frame may be old
    bool operator==(const ButtonEvent&) const = default;
};
struct WheelEvent {
    float x = 0, y = 0;
    bool operator==(const WheelEvent&) const = default;
};
struct FocusEvent {
    bool focused = false;
    bool operator==(const FocusEvent&) const = default;
};
using InputEvent = std::variant<KeyEvent, TextEvent, PointerEvent, ButtonEvent, WheelEvent, FocusEvent>;

// ImGui looks at the input once a frame, and a frame has no order: what is typed comes before any key of the same
// frame, a key that goes down and up between two looks was never pressed, a press is where the pointer is by then. So a
// frame gets no more at a time than has no order. And what a key or a press does to the keyboard (Tab gives it to
// another field, Ctrl+K opens one) takes some frames more: whatever is meant for who has it then waits until that is
// settled.
class InputQueue {
  public:
    void push(const InputEvent& event) { waiting_.push_back(event); }

    // What may go to ImGui before this frame, in order; the rest waits. `owner`: what has the keyboard after the frame
    // before; `changed`: whether that one changed the session, so that this one may draw something else.
    std::vector<InputEvent> take(const compat::KeyboardOwner& owner, bool changed);

    bool waiting() const { return !waiting_.empty(); }
    std::int64_t pressed() const { return pressed_; }  // keys, characters and buttons that ImGui was told of

  private:
    void watch(const compat::KeyboardOwner& owner, bool changed);
    bool may_follow(const std::vector<InputEvent>& taken, const InputEvent& event) const;
    void hand_out(std::vector<InputEvent>& taken, const InputEvent& event);

    std::vector<InputEvent> waiting_;
    compat::KeyboardOwner owner_;
    bool settling_ = false;                   // whether what acted last may still move the keyboard
    int frames_since_ = 0, calm_frames_ = 0;  // of that, and of them those in a row that moved nothing
    std::int64_t pressed_ = 0;
};

}  // namespace headcount
