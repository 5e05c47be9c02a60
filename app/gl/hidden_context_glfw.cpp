// The hidden context where there is no EGL: that of a GLFW window that is never shown.
#if !HEADCOUNT_EGL
#include <GLFW/glfw3.h>

#include "app/gl/offscreen.hpp"
#include "app/gl/shader_cache.hpp"

namespace headcount {

Result<HiddenContext> HiddenContext::create() {
    const Error error{"no OpenGL 3.3 without a window", "GLFW", "run this where there is a display"};
    spare_full_disk();
    if (!glfwInit()) return error;
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    GLFWwindow* window = glfwCreateWindow(16, 16, "headcount", nullptr, nullptr);
    if (!window) return error;
    glfwMakeContextCurrent(window);
    // GLFW itself stays: a visible window may share it, and its end would take that window along.
    return HiddenContext(Handle(window, [](void* owned) { glfwDestroyWindow(static_cast<GLFWwindow*>(owned)); }),
                         glfwGetProcAddress);
}

}  // namespace headcount
#endif
