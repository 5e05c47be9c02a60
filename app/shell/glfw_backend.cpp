// Keys go through a queue and are named as the layout has them; the rest is ImGui's
// imgui_impl_glfw.
#include "app/shell/glfw_backend.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

// GLFW names a key by its place on an American keyboard. Newer ImGui asks for the layout itself.
int key_of_layout(int key, int scancode) {
    if (!compat::raw_keys || key < GLFW_KEY_SPACE || key > GLFW_KEY_WORLD_2) return key;
    const char* const name = glfwGetKeyName(key, scancode);
    if (!name || name[0] == '\0' || name[1] != '\0') return key;
    if (name[0] >= 'a' && name[0] <= 'z') return GLFW_KEY_A + (name[0] - 'a');
    if (name[0] == '+') return GLFW_KEY_EQUAL;
    return name[0] == '-' ? GLFW_KEY_MINUS : key;
}

// GLFW's `mods` are those from before the event, so a modifier's own change is not in them.
compat::Modifiers modifiers_of(const KeyEvent& event) {
    const auto held = [&event](int bit, int left, int right) {
        return event.key == left || event.key == right ? event.action != GLFW_RELEASE : (event.mods & bit) != 0;
    };
    return {held(GLFW_MOD_CONTROL, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
            held(GLFW_MOD_SHIFT, GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT),
            held(GLFW_MOD_ALT, GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT),
            held(GLFW_MOD_SUPER, GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER)};
}

void hand_on(GLFWwindow* window, const KeyEvent& event) {
    if (event.character != 0)
        ImGui_ImplGlfw_CharCallback(window, event.character);
    else
        compat::tell_key(modifiers_of(event), [&] {
            ImGui_ImplGlfw_KeyCallback(window, event.key, event.scancode, event.action, event.mods);
        });
}

void take_in(GLFWwindow* window, const KeyEvent& event) {
    WindowEvents& events = *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
    events.stirred = true;
    ++events.pressed;
    events.keys.push(event);
}

void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    take_in(window, {key_of_layout(key, scancode), scancode, action, mods});
}

// In the same queue, so that characters and keys such as Backspace keep their order.
void on_character(GLFWwindow* window, unsigned character) {
    take_in(window, {.character = character});
}

// Longer than any frame that follows on another: nothing was drawn in between.
constexpr double pause_seconds = 0.1;
constexpr float frame_seconds = 1.0F / 60;

}  // namespace

GlfwBackend::GlfwBackend(Window& window) : window_(window) {
    ImGui_ImplGlfw_InitForOpenGL(window.handle(), true);
    glfwSetKeyCallback(window.handle(), on_key);
    glfwSetCharCallback(window.handle(), on_character);
}

GlfwBackend::~GlfwBackend() {
    ImGui_ImplGlfw_Shutdown();
}

void GlfwBackend::begin_frame(bool keys_wait) const {
    ImGuiIO& io = ImGui::GetIO();
    if (!keys_wait)
        for (const KeyEvent& event : window_.events().keys.take(io.WantTextInput)) hand_on(window_.handle(), event);
    ImGui_ImplGlfw_NewFrame();
    if (io.DeltaTime < pause_seconds) return;
    compat::pass_time(static_cast<double>(io.DeltaTime - frame_seconds));
    io.DeltaTime = frame_seconds;
}

}  // namespace headcount
