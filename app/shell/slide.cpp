// One frame in a framebuffer of its own.
#include "app/shell/slide.hpp"

#include <cmath>
#include <utility>

#include "app/gl/framebuffer.hpp"
#include "app/ui/imgui_drawing.hpp"

namespace headcount {
namespace {

std::array<float, 4> colour_of(ImU32 colour) {
    const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(colour);
    return {parts.x, parts.y, parts.z, 1};
}

// For as long as it lives the interface is drawn so fine, by another painter.
class Finer {
  public:
    Finer(Interface& interface, const OpenGlBackend& backend, float fineness, ScenePainter painter)
        : interface_(interface),
          backend_(backend),
          before_(ImGui::GetIO().DisplayFramebufferScale),
          fineness_(interface.fineness()),
          painter_(interface.paint_with(std::move(painter))) {
        refine(fineness);
        ImGui::GetIO().DisplayFramebufferScale = ImVec2(fineness, fineness);
    }
    ~Finer() {
        refine(fineness_);
        ImGui::GetIO().DisplayFramebufferScale = before_;
        interface_.paint_with(std::move(painter_));
    }
    Finer(const Finer&) = delete;
    Finer& operator=(const Finer&) = delete;

  private:
    void refine(float fineness) {
        if (interface_.refine(fineness)) backend_.forget_fonts();
    }

    Interface& interface_;
    const OpenGlBackend& backend_;
    ImVec2 before_;
    float fineness_;
    ScenePainter painter_;
};

}  // namespace

Result<Pixels> draw_slide(Interface& interface, const OpenGlBackend& backend, SceneRenderer& scenes,
                          const Session& session, const Slide& slide, std::optional<ImVec2> extent, float density) {
    const float fineness = static_cast<float>(slide.pixels) * density;
    int height = 0;
    const Finer finer(interface, backend, fineness,
                      [&](const Drawing& drawing) { scenes.draw(drawing, height, fineness); });
    backend.begin_frame();
    const Result<SlideList> drawn = interface.draw_slide(session, slide, fineness, extent);
    if (!drawn) return drawn.error();
    const auto dots = [&](float length) { return static_cast<int>(std::lround(length * fineness)); };
    height = dots(drawn->max.y - drawn->min.y);
    const Result<Framebuffer> framebuffer = Framebuffer::create(dots(drawn->max.x - drawn->min.x), height);
    if (!framebuffer) return framebuffer.error();
    framebuffer->clear(slide.ground ? colour_of(drawn->ground) : std::array<float, 4>{});
    ImDrawList* list = drawn->list.get();
    if (list) {
        ImDrawData data = compat::data_of(list, drawn->min, drawn->max, fineness);
        backend.draw(data);
    } else {
        backend.draw();
    }
    return framebuffer->read(slide.ground ? Backing::solid : Backing::none);
}

}  // namespace headcount
