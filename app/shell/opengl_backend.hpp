// Dear ImGui's OpenGL 3 back end for as long as the object lives. ImGui's context and an OpenGL context that is current
// must be there before it and outlive it.
#pragma once

struct ImDrawData;

namespace headcount {

class OpenGlBackend {
  public:
    OpenGlBackend();
    ~OpenGlBackend();
    OpenGlBackend(const OpenGlBackend&) = delete;
    OpenGlBackend& operator=(const OpenGlBackend&) = delete;

    void forget_fonts() const;  // after the fonts were made anew
    void begin_frame() const;
    void draw() const;  // what ImGui::Render left, into the framebuffer that is bound
    void draw(ImDrawData& data) const;
};

}  // namespace headcount
