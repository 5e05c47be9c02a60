// What every component takes first: theme, fonts, the recorder of rectangles, and the interface's short memory.
#pragma once

#include <imgui.h>

#include <any>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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
        std::int64_t value = 0;  // of the field when the text was refused
        std::string row;         // the name of the row that the field is in
    };
    struct Motion {
        ImGuiID id = 0;
        float position = 0;
        int last_frame = 0;
    };
    struct Wait {
        std::size_t what = 0;   // the tooltip that is asked for
        double since = 0;       // when the pointer came to it
        double shown = 0;       // when one was shown last
        int asked_frame = -9;   // in which one was asked for last
        int shown_frame = -9;   // ... and shown
        int settled_frame = 0;  // from which on it stands still
    };
    struct Edit {
        ImGuiID field = 0;  // 0: none
        std::array<char, 64> text{}, before{};
    };
    Edit edit;  // what is being typed
    Edit left;  // what was typed in a field that lost the keyboard to an earlier one
    struct Writing {
        ImGuiID field = 0;  // of words, that has the keyboard; 0: none
        ImVec2 min, max;
    };
    Writing writing;
    ImGuiID asked = 0;               // a field that must take the keyboard
    std::vector<Rejected> rejected;  // what was typed and is not a number, by field
    float grab = 0;                  // distance from the pointer to the knob's centre
    bool may_drag = false;           // the pointer holds a slider and may move it
    bool dragged = false;            // ... and has moved it
    unsigned run = 0;                // numbers what is one edit: a drag, a double click, arrow key after arrow key
    ImGuiID stepping = 0;            // the slider that the arrow keys moved in it
    std::array<char, 64> filter{};   // of the open menu
    int highlighted = 0;             // its entry under the keyboard
    std::vector<Motion> motions;
    Wait tooltip;
    std::map<ImGuiID, float> heights;  // of cards, one frame ago
    ImGuiID table_row = 0;             // the table row that has the keyboard
    std::vector<ImGuiID> tab_stops, last_tab_stops;
    ImGuiID tab_target = 0;
    bool focus_used = false;  // ImGui focuses something before anybody has pressed a key: Tab then begins at the start
    bool animating = false;   // something still moves: draw another frame
    // A chart that is to be drawn once more, by itself.
    struct Slide {
        ImGuiID chart = 0;                      // its menu's; 0: none
        float fineness = 1;                     // dots for each pixel along a side
        std::shared_ptr<ImDrawList> list = {};  // null: it has not been drawn
        ImVec2 min = {}, max = {};              // of the screen
    };
    Slide slide = {};
    std::map<std::string, std::any, std::less<>> kept;  // see the function of that name

    // After ImGui::NewFrame. Tab moves along the components in the order in which they were drawn, in every version
    // of ImGui; older ones know only text fields.
    void begin_frame();

  private:
    void leave_words();
};

struct Ui {
    const Theme& theme;
    const Fonts& fonts;
    Recorder& recorder;
    UiMemory& memory;
    float scale = 1;
    bool reduced_motion = false;
    bool chrome = true;  // what is around a view is drawn too

    float px(float length) const { return length * scale; }
};

// What a component made for one frame and need not make again for the next, by a name of its own; at first T{}. Whether
// it still holds is for the component to say: T carries what it was made from.
template <class T>
T& kept(const Ui& ui, std::string_view name) {
    auto slot = ui.memory.kept.find(name);
    if (slot == ui.memory.kept.end()) slot = ui.memory.kept.emplace(name, std::any()).first;
    if (!std::any_cast<T>(&slot->second)) slot->second.emplace<T>();
    return *std::any_cast<T>(&slot->second);
}

// What follows from `basis` alone: made by make() where that is another than in the frame before.
template <class Basis, class Make>
auto& made(const Ui& ui, std::string_view name, const Basis& basis, Make make) {
    auto& [of, value] = kept<std::pair<std::optional<Basis>, std::invoke_result_t<Make>>>(ui, name);
    if (of != basis) {
        value = make();
        of = basis;
    }
    return value;
}

// Makes `name` (and a part of it) an ImGui ID for as long as the object lives.
class IdScope {
  public:
    explicit IdScope(std::string_view name) { ImGui::PushID(name.data(), name.data() + name.size()); }
    ~IdScope() { ImGui::PopID(); }
    IdScope(const IdScope&) = delete;
    IdScope& operator=(const IdScope&) = delete;
};

// While it lives ImGui's own text fields have no frame, this font, and letters so far from their left end and top.
class BareInput {
  public:
    BareInput(const Font& font, ImVec2 padding);
    ~BareInput();
    BareInput(const BareInput&) = delete;
    BareInput& operator=(const BareInput&) = delete;

  private:
    FontScope font_;
};

// What is drawn by hand at the cursor. While the object lives `name` is an ImGui ID, and the rectangle is recorded as
// that; when it ends it takes its room.
class Widget {
  public:
    Widget(const Ui& ui, std::string_view name, ImVec2 extent);
    ~Widget();
    Widget(const Widget&) = delete;
    Widget& operator=(const Widget&) = delete;

    const ImVec2 extent, min, max;

  private:
    IdScope scope_;
};

// A value that follows `target` (0 or 1) in 150 ms, or at once with reduced motion.
float animated(const Ui& ui, ImGuiID id, float target);

// A ring around a component, 4 px out.
void draw_focus_ring(const Ui& ui, ImVec2 min, ImVec2 max, float radius);

// Whether the last item has the focus and the keyboard brought it there.
bool last_item_has_keyboard_focus(const Ui& ui);

struct Press {
    bool pressed = false, hovered = false, held = false, focused = false;
};

// An area that reacts to the pointer, to Space and Enter, and is a stop for Tab. It takes no room in ImGui's layout:
// the caller ends with `place`. `radius` below 0 draws no ring.
Press press_area(const Ui& ui, const char* id, ImVec2 min, ImVec2 max, float radius, bool tab_stop = true);

// Says where Tab stops: `id` is an item that is drawn next; returns whether Tab has just come here.
bool tab_stop(const Ui& ui, ImGuiID id);

// Takes the room of a component that was drawn by hand from `min` on, as one ImGui item.
void place(ImVec2 min, ImVec2 extent);

inline ImVec2 operator+(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }
inline ImVec2 operator-(ImVec2 a, ImVec2 b) { return {a.x - b.x, a.y - b.y}; }

}  // namespace headcount
