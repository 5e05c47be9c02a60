// A panel that works: what it asks for is applied after every frame, as in the program, while a person uses it.
#pragma once

#include "tests/support/stage.hpp"

namespace headcount::test {

// A row of the architecture panel.
inline std::string key_of(Field field) { return "architecture." + std::string(info(field).key); }

class Workbench {
  public:
    explicit Workbench(DrawPanel draw, std::string_view preset = "llama-2-7b", ImVec2 window = ImVec2(300, 952))
        : session(session_of(preset)), draw_(draw) {
        screen.window = window;
        ImGui::GetIO().DisplaySize = ImVec2(1600, std::max(1000.0F, window.y));
        frames(2);
    }

    void frame() {
        screen.frame([this](const Ui& ui) {
            const Intents asked = draw_(ui, session);
            headcount::apply(session, asked);
            intents.insert(intents.end(), asked.begin(), asked.end());
        });
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) frame();
    }

    void rest() {
        screen.hands.rest([this] { frame(); });
    }

    // As another panel asks for it, until it has come to rest.
    void ask(Intent intent) {
        headcount::apply(session, Intents{std::move(intent)});
        frames(3);
    }

    void press(std::string_view name) {
        intents.clear();
        point(screen.middle_of(name));
        hold(true);
        hold(false);
        frame();
    }
    void double_press(std::string_view name) {
        press(name);
        const Intents first = intents;
        press(name);
        intents.insert(intents.begin(), first.begin(), first.end());
        rest();  // the next press is no third
    }
    // Types into a field and leaves it with Enter.
    void type(std::string_view field, std::string_view text) {
        press(field);
        enter(text);
    }
    // Types into what has the keyboard, and ends with Enter.
    void enter(std::string_view text) {
        screen.hands.text(text);
        frame();
        screen.hands.key(ImGuiKey_Enter, true);
        frame();
        screen.hands.key(ImGuiKey_Enter, false);
        rest();
    }
    void begin_drag(std::string_view name, float along) {
        intents.clear();
        const ImVec2 start = screen.middle_of(name);
        point(start);
        hold(true);
        for (int step = 1; step <= 8; ++step) point(ImVec2(start.x + along * static_cast<float>(step) / 8, start.y));
    }
    void drag(std::string_view name, float along) {
        begin_drag(name, along);
        hold(false);
        rest();
    }
    void point_at(std::string_view name) {
        point(screen.middle_of(name));
        intents.clear();
        frame();
    }

    bool has(std::string_view name) const { return screen.recorder.find(name) != nullptr; }
    const Architecture& arch() const { return session.document.architecture; }

    template <class Kind>
    std::vector<Kind> all() const {
        std::vector<Kind> found;
        for (const Intent& intent : intents)
            if (const auto* kind = std::get_if<Kind>(&intent)) found.push_back(*kind);
        return found;
    }

    Screen screen;
    Session session;
    Intents intents;  // since the last action began

  private:
    void point(ImVec2 position) {
        screen.hands.point(position);
        frame();
    }
    void hold(bool down) {
        screen.hands.button(down);
        frame();
    }

    DrawPanel draw_;
};

}  // namespace headcount::test
