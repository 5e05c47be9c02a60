// What Emscripten's GLFW lacks of what the program and Dear ImGui call.
#include <GLFW/glfw3.h>

int glfwGetError(const char** description) {
    if (description) *description = 0;
    return GLFW_NO_ERROR;
}

GLFWglproc glfwGetProcAddress(const char* name) {
    (void)name;
    return 0;
}
