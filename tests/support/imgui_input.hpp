// A window-less ImGui for tests, and a person's hands on it: pointer, keys, typed text. Everything that differs among
// ImGui's versions in giving it input is here.
#pragma once

#include <imgui.h>

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace headcount::test {

class Hands {
  public:
    // With fonts of their own, or with those that others have too.
    explicit Hands(ImFontAtlas* fonts = nullptr) {
        context = ImGui::CreateContext(fonts);
        ImGuiIO& io = here();
        io.IniFilename = nullptr;
        io.DisplaySize = ImVec2(1280, 800);
        io.DeltaTime = 1.0F / 60;
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        // The clipboard of a test is its own.
#if IMGUI_VERSION_NUM >= 19110
        ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
        platform.Platform_ClipboardUserData = &clipboard;
        platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
            *static_cast<std::string*>(ImGui::GetPlatformIO().Platform_ClipboardUserData) = text;
        };
        platform.Platform_GetClipboardTextFn = [](ImGuiContext*) {
            return static_cast<std::string*>(ImGui::GetPlatformIO().Platform_ClipboardUserData)->c_str();
        };
#else
        io.ClipboardUserData = &clipboard;
        io.SetClipboardTextFn = [](void* data, const char* text) { *static_cast<std::string*>(data) = text; };
        io.GetClipboardTextFn = [](void* data) -> const char* { return static_cast<std::string*>(data)->c_str(); };
#endif
#if IMGUI_VERSION_NUM >= 18700
        io.ConfigInputTrickleEventQueue = false;
#else
        for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
#if IMGUI_VERSION_NUM >= 19200
        io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
    }
    ~Hands() {
#if IMGUI_VERSION_NUM >= 19200
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
            texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(ImTextureStatus_Destroyed);
        }
#endif
        ImGui::DestroyContext(context);
    }
    Hands(const Hands&) = delete;
    Hands& operator=(const Hands&) = delete;

    // After the fonts were loaded, before the first frame.
    static void fonts_are_ready(ImFontAtlas& fonts) {
#if IMGUI_VERSION_NUM < 19200
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        fonts.GetTexDataAsAlpha8(&pixels, &width, &height);
#endif
    }

    // Draws while a second passes: the next click is no second one.
    template <class Frame>
    void rest(const Frame& frame) const {
        const float usual = std::exchange(here().DeltaTime, 1.0F);
        frame();
        here().DeltaTime = usual;
        frame();
    }

    // Ends the frame as a renderer would.
    static void render() {
        ImGui::Render();
#if IMGUI_VERSION_NUM >= 19200
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
            if (texture->Status == ImTextureStatus_WantCreate) texture->SetTexID(1);
            if (texture->Status == ImTextureStatus_WantDestroy) texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(texture->Status == ImTextureStatus_WantDestroy ? ImTextureStatus_Destroyed
                                                                              : ImTextureStatus_OK);
        }
#endif
    }

    // What is drawn from here on is drawn where these hands are: a test may have others elsewhere.
    ImGuiIO& here() const {
        ImGui::SetCurrentContext(context);
        return ImGui::GetIO();
    }

    void point(ImVec2 position) {
#if IMGUI_VERSION_NUM >= 18700
        here().AddMousePosEvent(position.x, position.y);
#else
        here().MousePos = position;
#endif
    }

    void button(bool down) {
#if IMGUI_VERSION_NUM >= 18700
        here().AddMouseButtonEvent(0, down);
#else
        here().MouseDown[0] = down;
#endif
    }

    void wheel(float steps) {
#if IMGUI_VERSION_NUM >= 18700
        here().AddMouseWheelEvent(0, steps);
#else
        here().MouseWheel = steps;
#endif
    }

    void key(ImGuiKey which, bool down) {
#if IMGUI_VERSION_NUM >= 18700
        here().AddKeyEvent(which, down);
#else
        here().KeysDown[which] = down;
#endif
    }

    // "+", "-", a digit, "F1", "F5" or a letter, which have no name in every version.
    void key(std::string_view name, bool down) {
#if IMGUI_VERSION_NUM >= 18700
        const char key = name.front();
        const bool digit = key >= '0' && key <= '9';
        const ImGuiKey which = name == "F1"   ? ImGuiKey_F1
                               : name == "F5" ? ImGuiKey_F5
                               : name == "+"  ? ImGuiKey_Equal
                               : name == "-"  ? ImGuiKey_Minus
                               : digit        ? static_cast<ImGuiKey>(ImGuiKey_0 + (key - '0'))
                                              : static_cast<ImGuiKey>(ImGuiKey_A + (key - 'A'));
        here().AddKeyEvent(which, down);
#else
        const int f1 = 290, f5 = 294;  // GLFW's numbers
        const char key = name.front() == '+' ? '=' : name.front();
        here().KeysDown[name == "F1" ? f1 : name == "F5" ? f5 : key] = down;
#endif
    }

    void control(bool down) {
#if IMGUI_VERSION_NUM >= 18900
        here().AddKeyEvent(ImGuiMod_Ctrl, down);
#elif IMGUI_VERSION_NUM >= 18700
        here().AddKeyEvent(ImGuiKey_ModCtrl, down);
#else
        here().KeyCtrl = down;
#endif
    }

    void shift(bool down) {
#if IMGUI_VERSION_NUM >= 18900
        here().AddKeyEvent(ImGuiMod_Shift, down);
#elif IMGUI_VERSION_NUM >= 18700
        here().AddKeyEvent(ImGuiKey_ModShift, down);
#else
        here().KeyShift = down;
#endif
    }

    void text(std::string_view characters) {
        for (const char c : characters) here().AddInputCharacter(static_cast<unsigned char>(c));
    }

    std::string clipboard;

  private:
    ImGuiContext* context = nullptr;
};

}  // namespace headcount::test
