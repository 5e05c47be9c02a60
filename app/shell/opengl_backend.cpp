// A thin owner; the work is in ImGui's imgui_impl_opengl3.
#include "app/shell/opengl_backend.hpp"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include "app/gl/opengl.hpp"
#include "app/ui/imgui_drawing.hpp"

namespace headcount {
OpenGlBackend::OpenGlBackend() { ImGui_ImplOpenGL3_Init(shader_language); }

OpenGlBackend::~OpenGlBackend() { ImGui_ImplOpenGL3_Shutdown(); }

// Made anew as a whole, because the call for the font's texture alone does not exist in every version, and 1.86 draws
// nothing after DestroyDeviceObjects: it forgets its buffers, but not how large they were.
void OpenGlBackend::forget_fonts() const {
    if (!compat::fixed_font_texture) return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplOpenGL3_Init(shader_language);
}

void OpenGlBackend::begin_frame() const { ImGui_ImplOpenGL3_NewFrame(); }

void OpenGlBackend::draw() const { draw(*ImGui::GetDrawData()); }

void OpenGlBackend::draw(ImDrawData& data) const { ImGui_ImplOpenGL3_RenderDrawData(&data); }

}  // namespace headcount
