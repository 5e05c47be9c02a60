// A panel alone on a headless screen, with a session behind it and the intents of its frames collected.
#pragma once

#include <gtest/gtest.h>

#include "app/state/session.hpp"
#include "app/ui/ui.hpp"
#include "tests/support/screen.hpp"
#include "tests/support/sessions.hpp"

namespace headcount::test {

using DrawPanel = Intents (*)(const Ui&, const Session&);

// The panel of tables, as large as it is at first.
inline const ImVec2 bottom_size(940, 246);

class Stage {
  public:
    Stage(DrawPanel draw, Session session_, ImVec2 window = ImVec2(360, 3000))
        : session(std::move(session_)), draw_(draw) {
        screen.window = window;
        ImGui::GetIO().DisplaySize = ImVec2(2000, 12000);
    }

    void frame() {
        screen.frame([this](const Ui& ui) { take(ui); });
    }
    void select(std::string_view key) {
        session.look.selection = subject_from_key(key);
        screen.hands.point(ImVec2(-1000, -1000));
        frame();
        intents.clear();
    }
    // Where the last frame drew it; a frame is drawn first if there was none yet.
    void press(std::string_view name) {
        if (!has(name)) frame();
        intents.clear();
        screen.press_at(screen.middle_of(name), [this](const Ui& ui) { take(ui); });
    }
    void point_at(std::string_view name) {
        frame();
        screen.hands.point(screen.middle_of(name));
        frame();
        intents.clear();
        frame();
    }
    bool has(std::string_view name) const { return screen.recorder.find(name) != nullptr; }

    // The last intent of a kind since the press or the selection; null where there was none.
    template <class Kind>
    const Kind* last() const {
        const Kind* found = nullptr;
        for (const Intent& intent : intents)
            if (const auto* kind = std::get_if<Kind>(&intent)) found = kind;
        return found;
    }
    std::string copied() const {
        const Copy* copy = last<Copy>();
        return copy ? copy->text : "nothing";
    }
    std::string selected() const {
        const Select* select = last<Select>();
        return select ? subject_key(select->subject) : "nothing";
    }
    std::string hovered() const {
        const Hover* hover = last<Hover>();
        return hover ? subject_key(hover->subject) : "nothing";
    }

    Screen screen;
    Session session;
    Intents intents;

  private:
    void take(const Ui& ui) {
        Intents more = draw_(ui, session);
        intents.insert(intents.end(), more.begin(), more.end());
    }
    DrawPanel draw_;
};

}  // namespace headcount::test
