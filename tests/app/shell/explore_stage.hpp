// The whole Explore view on a headless screen, obeying its own intents, and a person before it.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "app/parts/panel_cache.hpp"
#include "app/shell/frame.hpp"
#include "app/shell/ui_report.hpp"
#include "tests/support/screen.hpp"
#include "tests/support/sessions.hpp"

namespace headcount::test {

// From the smallest window to a large one.
inline const std::array window_sizes{ImVec2(1120, 680), ImVec2(1280, 720), ImVec2(1600, 1000), ImVec2(2560, 1440)};

inline bool apart(const NamedRect& a, const NamedRect& b) {
    constexpr float touching = 0.5F;
    return a.max.x <= b.min.x + touching || b.max.x <= a.min.x + touching || a.max.y <= b.min.y + touching ||
           b.max.y <= a.min.y + touching;
}

class ExploreStage {
  public:
    explicit ExploreStage(std::string_view preset = "llama-2-7b", ImVec2 size = ImVec2(1600, 1000),
                          const Theme& theme = dark_theme(), float scale = 1)
        : screen(theme, scale), session(session_of(preset)) {
        ImGui::GetIO().DisplaySize = size;
        screen.hands.point(ImVec2(-1000, -1000));
    }

    // Draws, and applies what was asked for.
    void frame() {
        screen.hands.here();
        ImGui::NewFrame();
        screen.memory.begin_frame();
        screen.recorder.begin_frame();
        Ui ui = screen.ui();
        ui.chrome = session.view.chrome;
        intents = draw_frame(ui, session, cache, most, {}, *views);
        Hands::render();
        effects = headcount::apply(session, intents);
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) frame();
    }

    // Asks for this and lets it come to rest.
    void ask(const Intents& asked) {
        headcount::apply(session, asked);
        frames(4);
    }
    void show(std::string_view workspace) { ask({ShowWorkspace{workspace}}); }
    // Where a panel is; a failure where it is not there.
    NamedRect panel(std::string_view name) const {
        const NamedRect* const found = screen.recorder.find("panel." + std::string(name));
        EXPECT_NE(found, nullptr) << name;
        return found ? *found : NamedRect{};
    }
    nlohmann::json report() const {
        return nlohmann::json::parse(ui_report(session, screen.recorder, screen.memory, {}, *views));
    }

    void control(ImGuiKey key, bool shift = false) {
        screen.hands.control(true);
        screen.hands.shift(shift);
        press(key);
        screen.hands.shift(false);
        screen.hands.control(false);
    }
    template <class Key>  // ImGuiKey, or a name
    void press(Key key) {
        screen.hands.key(key, true);
        frame();
        const Effects of_the_press = effects;
        screen.hands.key(key, false);
        frame();
        effects = of_the_press;
    }
    void control(std::string_view key) {
        screen.hands.control(true);
        press(key);
        screen.hands.control(false);
    }
    void type(std::string_view text) {
        screen.hands.text(text);
        frame();
    }
    // Comes, presses and releases, each in a frame of its own.
    void click(std::string_view name) {
        screen.hands.point(screen.middle_of(name));
        frame();
        screen.hands.button(true);
        frame();
        screen.hands.button(false);
        frame();
    }

    // As an edit of the width would.
    void edit_width(std::int64_t dim) {
        Document document = session.document;
        document.architecture.dim = dim;
        headcount::apply(session, Intents{Replace{document, Field::dim}});
    }

    Screen screen;
    Session session;
    Intents intents;
    Effects effects;
    PanelCache* cache = nullptr;
    float most = most_scale;
    const Views* views = &shipped_views();
};

}  // namespace headcount::test
