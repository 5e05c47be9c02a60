// Dear ImGui as Headcount uses it: its context, fonts and style, and one frame. It knows neither
// the system's window nor OpenGL.
#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>

#include "app/canvas/drawing.hpp"
#include "app/diagram/panels.hpp"
#include "app/parts/panel_cache.hpp"
#include "app/state/session.hpp"
#include "app/ui/ui.hpp"

namespace headcount {

// What is to be drawn for a picture.
struct SlideList {
    std::shared_ptr<ImDrawList> list;  // null: all that ImGui has drawn
    ImVec2 min, max;                   // of the screen
    ImU32 ground = 0;
    Still still = {};  // that the list looks at
};

class Interface {
  public:
    Interface();

    // Between frames: follows the view's theme, and its scale as far as the window of this size (in pixels of ImGui's)
    // has room for it; `density` is the screen's pixels a length. True where the fonts were made anew, of which the
    // back end must hear.
    bool prepare(const View& view, float density, ImVec2 display);
    // Whether that window has room for a view's scale; and else for how much.
    bool has_room_for(float scale) const { return scale < most_ + 0.005F; }
    float room() const { return most_; }

    // Who draws the canvas from the next frame on, and who did; without one it has words alone.
    ScenePainter paint_with(ScenePainter painter);

    // Letters and curves get so many dots for each pixel along a side; everything stays where it is. True where the
    // fonts were made anew, of which the back end must hear.
    bool refine(float fineness);
    float fineness() const { return fineness_; }

    // One frame, from NewFrame to Render. Size, time and input are in ImGui's io already.
    Intents draw(const Session& session);

    // The diagram alone as an SVG document: the canvas as it is now, or one of this size where the view asks to be. The
    // latter needs neither a frame nor a back end.
    Result<std::string> diagram(const Session& session, bool crop = false);
    Result<std::string> diagram(const Session& session, ImVec2 extent, const Slide& slide = {});

    // One frame more, and what of it is to be a picture: of a diagram as it is, or of one of this size where the view
    // asks to be. Errors: it is not on the screen; the size is too small for it.
    Result<SlideList> draw_slide(const Session& session, const Slide& slide, float fineness,
                                 std::optional<ImVec2> extent = {});

    bool moving() const { return memory_.animating || far_.wanting(); }
    const Theme& theme() const { return theme_; }
    const Recorder& recorder() const { return recorder_; }
    const UiMemory& memory() const { return memory_; }

  private:
    struct Destroy {
        void operator()(ImGuiContext* context) const { ImGui::DestroyContext(context); }
    };

    Ui ui(const Session& session);

    std::unique_ptr<ImGuiContext, Destroy> context_;
    Theme theme_;
    FarLetters far_;
    Fonts fonts_;
    bool presents_ = false;  // the theme is a presenter's
    float fineness_ = 1;     // see refine
    float scale_ = 0;        // that the fonts were made for; 0 before the first
    float most_ = 1;         // of the view's scale that the window has room for
    Recorder recorder_;
    UiMemory memory_;
    PanelCache panels_;
    ScenePainter painter_;
};

}  // namespace headcount
