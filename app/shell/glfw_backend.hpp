// Dear ImGui's GLFW back end for as long as the object lives. The window and ImGui's context must be there before it
// and outlive it.
#pragma once

#include <array>
#include <optional>

#include "app/shell/window.hpp"
#include "app/ui/imgui_compat.hpp"

namespace headcount {

// Keys and text that come to this window, whose user pointer is the program's WindowEvents, are as if they came to the
// program's own.
void listen_for_keys(GLFWwindow* window);

class GlfwBackend {
  public:
    explicit GlfwBackend(Window& window);
    ~GlfwBackend();
    GlfwBackend(const GlfwBackend&) = delete;
    GlfwBackend& operator=(const GlfwBackend&) = delete;

    // Before ImGui::NewFrame: hands on size, time, and what may go now of keys and pointer; `changed`: whether the
    // frame before changed the session.
    void begin_frame(bool changed);

  private:
    void hand_on(const InputEvent& event);

    Window& window_;
    compat::Pointer pointer_;
    std::array<std::optional<double>, ImGuiMouseButton_COUNT> last_press_;  // when it came at the latest
};

}  // namespace headcount
