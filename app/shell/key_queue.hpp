// Keys on their way to ImGui, so that none is lost between two frames.
#pragma once

#include <vector>

namespace headcount {

struct KeyEvent {
    int key = 0, scancode = 0, action = 0, mods = 0;  // as GLFW says them
    unsigned character = 0;                           // a character that was typed, and no key, where it is not 0

    bool operator==(const KeyEvent&) const = default;
};

// ImGui looks at the keys once a frame: one that goes down and up between two looks was never pressed, and one whose
// modifier is let go of before the look was pressed without it. So what would undo or change a press that has just come
// waits for the next frame, and with it everything after it.
class KeyQueue {
  public:
    void push(const KeyEvent& event) { waiting_.push_back(event); }

    // What may go to ImGui before this frame, in order; the rest waits. `typing`: whether a field takes what is typed.
    // Behind Ctrl and a key a field may open, which takes frames: so long whatever is typed waits for it.
    std::vector<KeyEvent> take(bool typing);
    bool waiting() const { return !waiting_.empty(); }

  private:
    std::vector<KeyEvent> waiting_;
    int opening_ = 0;  // frames in which a field may still open
};

}  // namespace headcount
