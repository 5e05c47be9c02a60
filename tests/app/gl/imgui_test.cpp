// Dear ImGui's own OpenGL back end, with its own loader, in a context that belongs to no window.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstdlib>
#include <set>

#include "app/gl/offscreen.hpp"
#include "app/gl/png.hpp"

namespace headcount {
namespace {

// ImGui's context and its back end, gone at the end of the test.
class ImGuiOpenGl {
  public:
    ImGuiOpenGl() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        started = ImGui_ImplOpenGL3_Init("#version 330 core");
    }
    ~ImGuiOpenGl() {
        if (started) ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
    }
    ImGuiOpenGl(const ImGuiOpenGl&) = delete;
    ImGuiOpenGl& operator=(const ImGuiOpenGl&) = delete;

    bool started = false;
};

void draw_demo_window(const Offscreen& offscreen) {
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(offscreen.width()), static_cast<float>(offscreen.height()));
    ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::ShowDemoWindow();
    ImGui::Render();
    offscreen.clear({0.0F, 0.0F, 0.0F, 1.0F});
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

TEST(ImGuiOffscreen, DrawsTextAndWindowsWithNoDisplay) {
    if (HEADCOUNT_EGL) unsetenv("DISPLAY");
    const Result<Offscreen> offscreen = Offscreen::create(1280, 720);
    ASSERT_TRUE(offscreen) << sentence(offscreen.error());
    const ImGuiOpenGl imgui;
    ASSERT_TRUE(imgui.started);
    for (int frame = 0; frame < 3; ++frame) draw_demo_window(*offscreen);
    const Pixels pixels = offscreen->read();

    // Widgets and the smoothed edges of arrows make dozens of colours; a blank or broken frame makes one or two.
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i < pixels.rgba.size(); i += 4)
        colours.insert(static_cast<std::uint32_t>(pixels.rgba[i] << 16 | pixels.rgba[i + 1] << 8 | pixels.rgba[i + 2]));
    EXPECT_GT(colours.size(), 16U);
    if (const char* file = std::getenv("HEADCOUNT_KEEP_PICTURE")) {
        const auto written = write_png(file, pixels);
        EXPECT_TRUE(written) << sentence(written.error());
    }
}

}  // namespace
}  // namespace headcount
