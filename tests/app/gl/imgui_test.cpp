// Dear ImGui's own OpenGL back end, with its own loader, in a context that belongs to no window.
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cstdlib>
#include <set>

#include "app/gl/offscreen.hpp"
#include "app/gl/pixels.hpp"
#include "app/gl/scene_renderer.hpp"

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

// A scene below a window, as the canvas draws it: from a callback in ImGui's own list.
struct Scene {
    SceneRenderer* renderer = nullptr;
    Drawing drawing;
};

Pixels draw_window_over(const Offscreen& offscreen, Scene& scene) {
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(offscreen.width()), static_cast<float>(offscreen.height()));
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    if (scene.renderer) {
        const auto draw = [](const ImDrawList*, const ImDrawCmd* command) {
            Scene& drawn = *static_cast<Scene*>(command->UserCallbackData);
            drawn.renderer->draw(drawn.drawing, static_cast<int>(ImGui::GetIO().DisplaySize.y));
        };
        ImGui::GetBackgroundDrawList()->AddCallback(draw, &scene);
        ImGui::GetBackgroundDrawList()->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    }
    ImGui::GetBackgroundDrawList()->AddCircleFilled(ImVec2(120, 100), 20, IM_COL32(255, 255, 255, 255));
    ImGui::SetNextWindowPos(ImVec2(200, 0));
    ImGui::SetNextWindowSize(ImVec2(200, 150));
    ImGui::Begin("window");
    ImGui::TextUnformatted("words");
    ImGui::End();
    ImGui::Render();
    offscreen.clear({0.0F, 0.0F, 0.0F, 1.0F});
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    return offscreen.read();
}

TEST(ImGuiOffscreen, GoesOnAfterASceneAsIfThereHadBeenNone) {
    const Result<Offscreen> offscreen = Offscreen::create(400, 200);
    if (!offscreen) GTEST_SKIP() << sentence(offscreen.error());
    Result<SceneRenderer> renderer = SceneRenderer::create();
    ASSERT_TRUE(renderer) << sentence(renderer.error());
    const ImGuiOpenGl imgui;
    Scene none;
    draw_window_over(*offscreen, none);  // the first frame of a window is not its last look
    const Pixels alone = draw_window_over(*offscreen, none);
    Scene scene{&*renderer, {}};
    scene.drawing.area = {{0, 0}, {100, 200}};
    scene.drawing.view_projection = {2.0F / 100, 0, 0, 0, 0, -2.0F / 200, 0, 0, 0, 0, 0, 0, -1, 1, 0, 1};
    scene.drawing.add(Box{.max_x = 400, .max_y = 200, .fill = 0xFF0000FF});
    scene.drawing.add(Line{.from_x = 0, .from_y = 50, .to_x = 400, .to_y = 50, .width = 4, .colour = 0xFF00FF00});
    const Pixels both = draw_window_over(*offscreen, scene);
    int other = 0, red = 0;
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 400; ++x) {
            const std::size_t at = 4 * static_cast<std::size_t>(y * 400 + x);
            const bool same = std::equal(&alone.rgba[at], &alone.rgba[at] + 4, &both.rgba[at]);
            if (x >= 100)
                other += !same;
            else
                red += both.rgba[at] == 255 && both.rgba[at + 1] == 0;
        }
    EXPECT_EQ(other, 0);
    EXPECT_GT(red, 100 * 190 - 4000);
}

}  // namespace
}  // namespace headcount
