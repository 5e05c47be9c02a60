// The canvas and the hand on it: pointing, clicking, dragging, the wheel and keys.
#pragma once

#include "app/diagram/panels.hpp"
#include "app/diagram/view.hpp"
#include "tests/support/workbench.hpp"

namespace headcount::test {

// The canvas as it is worked with; motion is reduced, so that the camera is where it goes.
class CanvasBench {
  public:
    explicit CanvasBench(std::string_view preset = "llama-2-7b") : bench_(draw_as_panel, preset, ImVec2(940, 700)) {}

    CanvasView& canvas() { return *std::any_cast<CanvasView>(&bench_.screen.memory.kept["canvas.explore"]); }
    const Camera& camera() { return canvas().camera; }
    const View& view() const { return bench_.session.view; }
    const Look& look() const { return bench_.session.look; }
    const Input& input() const { return bench_.session.document.input; }
    std::string selection() const { return subject_key(look().selection); }

    bool has(std::string_view name) const { return bench_.has(name); }
    ImVec2 corner_of(std::string_view name) const {
        const NamedRect* const rect = bench_.screen.recorder.find(name);
        return rect ? ImVec2(rect->min.x + 4, rect->min.y + 4) : ImVec2(-1000, -1000);
    }
    const NamedRect* rect_of(std::string_view name) const { return bench_.screen.recorder.find(name); }
    ImVec2 middle_of(std::string_view name) const { return bench_.screen.middle_of(name); }

    void point(ImVec2 at) {
        bench_.screen.hands.point(at);
        bench_.frame();
    }
    void hold(bool down, int button = 0) {
#if IMGUI_VERSION_NUM >= 18700
        ImGui::GetIO().AddMouseButtonEvent(button, down);
#else
        ImGui::GetIO().MouseDown[button] = down;
#endif
        bench_.frame();
    }
    void click(ImVec2 at, int button = 0) {
        point(at);
        hold(true, button);
        hold(false, button);
        bench_.rest();
    }
    void double_click(ImVec2 at) {
        point(at);
        for (const bool down : {true, false, true, false}) hold(down);
        bench_.rest();
    }
    void drag(ImVec2 from, ImVec2 by, int button = 0) {
        point(from);
        hold(true, button);
        for (int step = 1; step <= 4; ++step) {
            const float share = static_cast<float>(step) / 4;
            point(ImVec2(from.x + by.x * share, from.y + by.y * share));
        }
        hold(false, button);
        bench_.rest();
    }
    void wheel(float notches) {
        bench_.screen.hands.wheel(notches);
        bench_.frame();
        bench_.screen.hands.wheel(0);
        bench_.frame();
    }
    void key(ImGuiKey which) {
        bench_.screen.hands.key(which, true);
        bench_.frame();
        bench_.screen.hands.key(which, false);
        bench_.frames(2);
    }
    void ask(const Intent& intent) { bench_.ask(intent); }
    void go_to(std::string_view id, std::int64_t copy = 0) { ask(GoTo{{std::string(id), copy, {}}}); }
    void resize(ImVec2 window) {
        bench_.screen.window = window;
        bench_.frames(3);
    }
    void frames(int count) { bench_.frames(count); }

  private:
    static Intents draw_as_panel(const Ui& ui, const Session& session) { return draw_canvas(ui, session); }

    Workbench bench_;
};

inline constexpr std::string_view query = "layer.attention.query.weight", attention = "layer.attention",
                                  head = "layer.attention.head";

}  // namespace headcount::test
