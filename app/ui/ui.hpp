// What every component takes first: theme, fonts, the recorder of rectangles, and the interface's short memory.
#pragma once

#include <imgui.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/fonts.hpp"
#include "app/ui/recorder.hpp"
#include "app/ui/theme.hpp"

namespace headcount {

// What the interface must remember between frames and what is no part of the document: the field being typed in,
// typed text that is not a number, an open menu's filter, animations under way. One for the whole window, owned by
// the shell (or by a test).
struct UiMemory {
    struct Rejected {
        ImGuiID field = 0;
        std::string text;
    };
    struct Motion {
        ImGuiID id = 0;
        float position = 0;
        int last_frame = 0;
    };
    ImGuiID edited = 0;                     // the field being typed in, or 0
    std::array<char, 64> text{}, before{};  // its text now and as it was
    ImGuiID asked = 0;                      // a field that must take the keyboard next frame
    std::vector<Rejected> rejected;         // what was typed and is not a number, by field
    float grab = 0;                         // distance from the pointer to the knob's centre
    bool dragged = false;                   // the slider being held has changed its value
    std::array<char, 64> filter{};          // of the open menu
    int highlighted = 0;
    std::vector<Motion> motions;
    bool animating = false;  // something still moves: draw another frame

    void begin_frame() { animating = false; }
};

struct Ui {
    const Theme& theme;
    const Fonts& fonts;
    Recorder& recorder;
    UiMemory& memory;
    float scale = 1;
    bool reduced_motion = false;

    float px(float length) const { return length * scale; }
};

// Makes `name` (and a part of it) an ImGui ID for as long as the object lives.
class IdScope {
  public:
    explicit IdScope(std::string_view name) { ImGui::PushID(name.data(), name.data() + name.size()); }
    ~IdScope() { ImGui::PopID(); }
    IdScope(const IdScope&) = delete;
    IdScope& operator=(const IdScope&) = delete;
};

// A value that follows `target` (0 or 1) in 150 ms, or at once with reduced motion.
float animated(const Ui& ui, ImGuiID id, float target);

// A ring around the last item, only where the keyboard brought the focus there.
void focus_ring(const Ui& ui, ImVec2 min, ImVec2 max, float radius);
bool last_item_has_keyboard_focus();

}  // namespace headcount
