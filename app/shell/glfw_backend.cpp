// Keys and pointer go through a queue, and keys are named as the layout has them; the rest is ImGui's imgui_impl_glfw.
#include "app/shell/glfw_backend.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>
#include <utility>

#include "app/shell/platform.hpp"

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

void take_in(GLFWwindow* window, const InputEvent& event) {
    WindowEvents& events = events_of(window);
    events.stirred = true;
    events.input.push(event);
}

// ImGui repeats a key that is held by itself.
void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    events_of(window).stirred = true;
    if (action != GLFW_REPEAT) take_in(window, KeyEvent{key_of_layout(key, scancode), scancode, action, mods});
}

void on_character(GLFWwindow* window, unsigned character) { take_in(window, TextEvent{character}); }

void on_button(GLFWwindow* window, int button, int action, int) {
    if (button < 0 || button >= ImGuiMouseButton_COUNT) return;
    const double latest = now();
    take_in(window, ButtonEvent{button, action == GLFW_PRESS, events_of(window).since.value_or(latest), latest});
}

void on_pointer(GLFWwindow* window, double x, double y) {
    const float enlarged = events_of(window).enlarged;
    take_in(window, PointerEvent{static_cast<float>(x) * enlarged, static_cast<float>(y) * enlarged});
}

// While a button is held, what is dragged follows the pointer wherever it goes.
void on_enter(GLFWwindow* window, int entered) {
    double x = 0, y = 0;
    glfwGetCursorPos(window, &x, &y);
    bool held = false;
    for (int i = 0; i < ImGuiMouseButton_COUNT; ++i) held |= glfwGetMouseButton(window, i) == GLFW_PRESS;
    if (entered || held)
        on_pointer(window, x, y);
    else
        take_in(window, PointerEvent{});
}

void on_wheel(GLFWwindow* window, double across, double down) {
    take_in(window, WheelEvent{static_cast<float>(across), static_cast<float>(down)});
}

void on_focus(GLFWwindow* window, int focused) { take_in(window, FocusEvent{focused != 0}); }

// Longer than any frame that follows on another: nothing was drawn in between.
constexpr float pause_seconds = 0.1F, frame_seconds = 1.0F / 60;
// What is behind the input has no time: a key that waits to be let go of is not held, a click that waits is not late.
constexpr float standing_seconds = 1e-5F;

}  // namespace

void listen_for_keys(GLFWwindow* window) {
    glfwSetKeyCallback(window, on_key);
    glfwSetCharCallback(window, on_character);
    glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { events_of(w).stirred = true; });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { events_of(w).stirred = true; });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { events_of(w).stirred = true; });
}

GlfwBackend::GlfwBackend(Window& window) : window_(window) {
    GLFWwindow* const handle = window.handle();
    ImGui_ImplGlfw_InitForOpenGL(handle, false);
    ImGui_ImplGlfw_CursorEnterCallback(handle, GLFW_TRUE);  // else it asks the window where the pointer is
    glfwSetKeyCallback(handle, on_key);
    glfwSetCharCallback(handle, on_character);
    glfwSetMouseButtonCallback(handle, on_button);
    glfwSetCursorPosCallback(handle, on_pointer);
    glfwSetCursorEnterCallback(handle, on_enter);
    glfwSetScrollCallback(handle, on_wheel);
    glfwSetWindowFocusCallback(handle, on_focus);
    platform::share_text();
}

GlfwBackend::~GlfwBackend() { ImGui_ImplGlfw_Shutdown(); }

void GlfwBackend::begin_frame(bool changed) {
    GLFWwindow* const handle = window_.handle();
    const int cursor = glfwGetInputMode(handle, GLFW_CURSOR);
    ImGui_ImplGlfw_NewFrame();
    // Where the cursor is hidden or shown, GLFW asks where it is, and takes a move there that is still to come for
    // none.
    if (glfwGetInputMode(handle, GLFW_CURSOR) != cursor && glfwGetWindowAttrib(handle, GLFW_HOVERED))
        on_enter(handle, GLFW_TRUE);
    ImGuiIO& io = ImGui::GetIO();
    if (platform::lengths_are_pixels) {
        const PictureSize extent = window_.extent();
        io.DisplaySize = ImVec2(static_cast<float>(extent.width), static_cast<float>(extent.height));
        io.DisplayFramebufferScale = ImVec2(1, 1);
        window_.events().enlarged = window_.enlarged();
    }
    InputQueue& input = window_.events().input;
    std::vector<InputEvent> taken;
    if (!compat::input_waits()) taken = input.take(compat::keyboard_owner(), changed);
    if (input.waiting()) {
        io.DeltaTime = std::min(io.DeltaTime, standing_seconds);
    } else if (io.DeltaTime >= pause_seconds) {
        compat::pass_time(static_cast<double>(io.DeltaTime - frame_seconds));
        io.DeltaTime = frame_seconds;
    }
    for (const InputEvent& event : taken) hand_on(event);
    compat::tell_pointer(pointer_);
    for (const InputEvent& event : taken)
        if (const auto* const wheel = std::get_if<WheelEvent>(&event)) compat::tell_wheel(wheel->x, wheel->y);
}

// A wheel turns where the pointer is by then.
void GlfwBackend::hand_on(const InputEvent& event) {
    GLFWwindow* const window = window_.handle();
    if (const auto* const key = std::get_if<KeyEvent>(&event)) {
        compat::tell_key(modifiers_of(*key),
                         [&] { ImGui_ImplGlfw_KeyCallback(window, key->key, key->scancode, key->action, key->mods); });
    } else if (const auto* const text = std::get_if<TextEvent>(&event)) {
        ImGui_ImplGlfw_CharCallback(window, text->character);
    } else if (const auto* const pointer = std::get_if<PointerEvent>(&event)) {
        pointer_.position = ImVec2(pointer->x, pointer->y);
    } else if (const auto* const button = std::get_if<ButtonEvent>(&event)) {
        const auto which = static_cast<std::size_t>(button->button);
        pointer_.down[which] = button->down;
        if (!button->down) return;
        // No longer ago than it was: on a slow machine two quick presses may be found in two frames.
        if (const std::optional<double> last = std::exchange(last_press_[which], button->latest))
            compat::tell_last_press(button->button, std::max(0.0, button->earliest - *last));
    } else if (const auto* const focus = std::get_if<FocusEvent>(&event)) {
        ImGui::GetIO().AddFocusEvent(focus->focused);
    }
}

}  // namespace headcount
