// Where a benchmark builds frames of Dear ImGui: no window, no back end.
#pragma once

#include <imgui.h>

#include "app/ui/ui.hpp"

namespace headcount {

// An ImGui context of the size of a window, with the program's fonts and no back end.
class Frames {
  public:
    Frames() : fonts(load()) { apply_style(theme, 1); }
    ~Frames() { ImGui::DestroyContext(); }
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    void begin() {
        ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
        ImGui::NewFrame();
    }

    const Theme theme = dark_theme();
    const Fonts fonts;

  private:
    static Fonts load() {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = ImVec2(1600, 1000);
#if IMGUI_VERSION_NUM < 18700
        for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
#if IMGUI_VERSION_NUM >= 19200
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
        const Fonts loaded = load_embedded_fonts(*io.Fonts, 1);
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        return loaded;
    }
};

}  // namespace headcount
