// Dear ImGui's GLFW back end for as long as the object lives. The window and ImGui's context must be there before it
// and outlive it.
#pragma once

#include "app/shell/window.hpp"

namespace headcount {

class GlfwBackend {
  public:
    explicit GlfwBackend(Window& window);
    ~GlfwBackend();
    GlfwBackend(const GlfwBackend&) = delete;
    GlfwBackend& operator=(const GlfwBackend&) = delete;

    // Before ImGui::NewFrame: hands on size, time, pointer and the keys that may go now; none while `keys_wait`.
    void begin_frame(bool keys_wait) const;

  private:
    Window& window_;
};

}  // namespace headcount
