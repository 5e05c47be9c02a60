// A headless screen that draws one thing frame by frame while a test points, presses and types.
#pragma once

#include <map>
#include <string_view>

#include "app/ui/ui.hpp"
#include "tests/support/imgui_input.hpp"

namespace headcount::test {

// Fonts at one scale.
struct Faces {
    explicit Faces(float scale) : fonts(load_fonts(atlas, {}, scale)) { Hands::fonts_are_ready(atlas); }

    ImFontAtlas atlas;
    Fonts fonts;
};

// Of all screens at this scale: to draw the letters takes longer than most tests.
inline Faces& faces_at(float scale) {
    static std::map<float, Faces> all;
    return all.try_emplace(scale, scale).first->second;
}

class Screen {
  public:
    explicit Screen(Theme theme_ = dark_theme(), float scale_ = 1)
#if IMGUI_VERSION_NUM < 19200
        : hands(&faces_at(scale_).atlas), theme(theme_), scale(scale_), fonts(faces_at(scale_).fonts) {
#else  // which draws each letter when it is needed
        : theme(theme_), scale(scale_), fonts(load_fonts(*hands.here().Fonts, {}, scale_)) {
#endif
        apply_style(theme, scale);
    }

    // From here on with the fonts that ship, and no longer with those that screens share.
    void use_shipped_fonts() {
#if IMGUI_VERSION_NUM < 19200
        hands.here().Fonts = &shipped;
#endif
        fonts = load_embedded_fonts(*hands.here().Fonts, scale);
        Hands::fonts_are_ready(*hands.here().Fonts);
    }

    // One frame: `draw(ui)` fills a window as wide as a panel.
    template <class Draw>
    void frame(Draw&& draw) {
        hands.here();
        ImGui::NewFrame();
        memory.begin_frame();
        recorder.begin_frame();
        ImGui::SetNextWindowPos(ImVec2(0, 0));
        ImGui::SetNextWindowSize(window);
        ImGui::Begin("screen", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        draw(ui());
        ImGui::End();
        Hands::render();
    }

    template <class Draw>
    void frames(int count, Draw&& draw) {
        for (int i = 0; i < count; ++i) frame(draw);
    }

    Ui ui() { return {theme, fonts, recorder, memory, scale, true}; }

    // The middle of a named thing as the last frame drew it; far away where there is none.
    ImVec2 middle_of(std::string_view name) const {
        const NamedRect* const rect = recorder.find(name);
        if (!rect) return {-1000, -1000};
        return {(rect->min.x + rect->max.x) / 2, (rect->min.y + rect->max.y) / 2};
    }

    template <class Draw>
    void press_at(ImVec2 position, Draw&& draw) {
        hands.point(position);
        frame(draw);
        hands.button(true);
        frame(draw);
        hands.button(false);
        frame(draw);
    }

    template <class Draw>
    void press(std::string_view name, Draw&& draw) {
        frame(draw);
        press_at(middle_of(name), draw);
    }

    template <class Draw>
    void key(ImGuiKey which, Draw&& draw) {
        hands.key(which, true);
        frame(draw);
        hands.key(which, false);
        frame(draw);
    }

    template <class Draw>
    void type(std::string_view text, Draw&& draw) {
        hands.text(text);
        frame(draw);
    }

    ImFontAtlas shipped;
    Hands hands;
    Theme theme;
    float scale;
    Fonts fonts;
    Recorder recorder;
    UiMemory memory;
    ImVec2 window = ImVec2(300, 700);
};

}  // namespace headcount::test
