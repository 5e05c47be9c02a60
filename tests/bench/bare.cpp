// The least that a program with GLFW, Dear ImGui and Headcount's fonts can do: show one frame. Headcount's start is
// measured against it. Writes the file named by its argument once the first frame is on the screen, then waits.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <fstream>

#include "app/gl/opengl.hpp"
#include "app/ui/fonts.hpp"

int main(int argc, char** argv) {
    if (argc != 2 || !glfwInit()) return 1;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow* window = glfwCreateWindow(1600, 1000, "bare", nullptr, nullptr);
    if (!window) return 1;
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    if (headcount::load_opengl(glfwGetProcAddress)) return 1;

    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    headcount::load_embedded_fonts(*ImGui::GetIO().Fonts, 1);
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init("#version 330 core");
    for (bool first = true; !glfwWindowShouldClose(window); first = false) {
        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        ImGui::NewFrame();
        ImGui::Begin("bare");
        ImGui::TextUnformatted("one frame");
        ImGui::End();
        ImGui::Render();
        headcount::clear_frame(1600, 1000, {0, 0, 0, 1});
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        glfwSwapBuffers(window);
        if (first) std::ofstream(argv[1]) << "{}";
        glfwWaitEvents();
    }
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwTerminate();
}
