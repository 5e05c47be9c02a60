// Opens and draws the speaker's window.
#include "app/shell/notes_window.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include "app/shell/glfw_backend.hpp"
#include "app/shell/opengl_backend.hpp"
#include "app/shell/platform.hpp"
#include "app/ui/imgui_compat.hpp"

namespace headcount {
namespace {

constexpr int notes_width = 900, notes_height = 560;
constexpr float least_notes_width = 720, largest_notes_scale = 3;

std::string clock_text() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
#ifdef _WIN32
    localtime_s(&local, &now);
#else
    localtime_r(&now, &local);
#endif
    std::array<char, 16> text{};
    std::strftime(text.data(), text.size(), "%H:%M", &local);
    return text.data();
}

// One that the other window is not on; null where there is none.
GLFWmonitor* other_screen(GLFWwindow* presents) {
    int count = 0, x = 0, y = 0;
    GLFWmonitor** const screens = glfwGetMonitors(&count);
    glfwGetWindowPos(presents, &x, &y);
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(screens[i], &left, &top);
        const GLFWvidmode* const mode = glfwGetVideoMode(screens[i]);
        const bool there = mode && x >= left && x < left + mode->width && y >= top && y < top + mode->height;
        if (mode && !there) return screens[i];
    }
    return nullptr;
}

// The contexts as they were when it began come back when it ends.
class OtherContexts {
  public:
    OtherContexts() : window_(glfwGetCurrentContext()), imgui_(ImGui::GetCurrentContext()) {}
    ~OtherContexts() {
        glfwMakeContextCurrent(window_);
        ImGui::SetCurrentContext(imgui_);
    }
    OtherContexts(const OtherContexts&) = delete;
    OtherContexts& operator=(const OtherContexts&) = delete;

  private:
    GLFWwindow* window_;
    ImGuiContext* imgui_;
};

}  // namespace

// The window with all that it draws with.
struct NotesWindow::Open {
    GLFWwindow* window = nullptr;
    ImGuiContext* imgui = nullptr;
    std::unique_ptr<OpenGlBackend> opengl;
    Fonts fonts;
    Recorder recorder;
    UiMemory memory;
    float scale = 0;
    SpeakerNotes notes;
    SpeakerTime time;
    ThemeChoice theme = ThemeChoice::dark;
    std::array<int, 2> size{};
    bool drawn = false;

    Open() = default;
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() {
        const OtherContexts others;
        if (imgui) {
            glfwMakeContextCurrent(window);
            ImGui::SetCurrentContext(imgui);
            opengl.reset();
            ImGui::DestroyContext(imgui);
        }
        if (window) glfwDestroyWindow(window);
    }

    void draw(const SpeakerNotes& said, const SpeakerTime& when, ThemeChoice colours);
};

void NotesWindow::Open::draw(const SpeakerNotes& said, const SpeakerTime& when, ThemeChoice colours) {
    std::array<int, 2> now{}, pixels{};
    glfwGetFramebufferSize(window, &pixels[0], &pixels[1]);
    glfwGetWindowSize(window, &now[0], &now[1]);
    if (pixels[0] <= 0 || pixels[1] <= 0 || now[0] <= 0) return;
    if (drawn && said == notes && when == time && colours == theme && now == size) return;
    notes = said;
    time = when;
    theme = colours;
    size = now;
    drawn = true;
    const OtherContexts others;
    glfwMakeContextCurrent(window);
    ImGui::SetCurrentContext(imgui);
    const Theme look = presenter_theme(colours == ThemeChoice::dark ? dark_theme() : light_theme());
    const float wanted = std::clamp(static_cast<float>(now[0]) / least_notes_width, 1.0F, largest_notes_scale);
    const float rounded = std::round(wanted * 4) / 4;
    if (rounded != scale) {
        scale = rounded;
        fonts = load_embedded_fonts(*ImGui::GetIO().Fonts, scale);
        opengl->forget_fonts();
    }
    apply_style(look, scale);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(now[0]), static_cast<float>(now[1]));
    io.DisplayFramebufferScale =
        ImVec2(static_cast<float>(pixels[0]) / io.DisplaySize.x, static_cast<float>(pixels[1]) / io.DisplaySize.y);
    io.DeltaTime = 1.0F / 60;
    // ImGui's windows know their sizes one frame late.
    for (int frame = 0; frame < 2; ++frame) {
        opengl->begin_frame();
        ImGui::NewFrame();
        memory.begin_frame();
        recorder.begin_frame();
        draw_speaker_notes({.theme = look, .fonts = fonts, .recorder = recorder, .memory = memory, .scale = scale},
                           said, when);
        ImGui::Render();
    }
    const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(look.panel);
    clear_frame(pixels[0], pixels[1], {ground.x, ground.y, ground.z, 1});
    opengl->draw();
    glfwSwapBuffers(window);
}

NotesWindow::NotesWindow() = default;
NotesWindow::~NotesWindow() = default;

bool NotesWindow::follow(const Session& session, Window& presents, double now) {
    const Show& show = session.view.show;
    if (show.presenting != was_presenting_) {
        was_presenting_ = show.presenting;
        dismissed_ = false;
        if (show.presenting) began_ = now;
    }
    GLFWmonitor* const screen = platform::has_screens ? other_screen(presents.handle()) : nullptr;
    const bool wanted = platform::has_screens && (show.notes || (show.presenting && screen && !dismissed_));
    if (!wanted) {
        open_.reset();
        return true;
    }
    if (!began_) began_ = now;
    if (!open_) {
        const OtherContexts others;
        presents.hint_beside();
        auto made = std::make_unique<Open>();
        made->window = glfwCreateWindow(notes_width, notes_height, "Speaker notes - Headcount", nullptr, nullptr);
        if (!made->window) return false;  // such as where the driver allows one context
        glfwSetWindowUserPointer(made->window, &presents.events());
        listen_for_keys(made->window);
        if (screen) {
            int x = 0, y = 0, width = 0, height = 0;
            glfwGetMonitorWorkarea(screen, &x, &y, &width, &height);
            glfwSetWindowPos(made->window, x, y);
            if (width > 0 && height > 0) glfwSetWindowSize(made->window, width, height);
        }
        glfwMakeContextCurrent(made->window);
        glfwSwapInterval(0);  // one that waits for its screen would hold up the one that presents
        made->imgui = ImGui::CreateContext();
        ImGui::SetCurrentContext(made->imgui);
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        made->opengl = std::make_unique<OpenGlBackend>();
        open_ = std::move(made);
        glfwShowWindow(open_->window);
    }
    if (glfwWindowShouldClose(open_->window)) {
        open_.reset();
        dismissed_ = true;
        return false;
    }
    const auto spent = static_cast<std::int64_t>(std::floor(now - *began_));
    open_->draw(speaker_notes(session), {clock_text(), spent}, session.view.theme);
    return true;
}

std::optional<double> NotesWindow::due_in(double now) const {
    if (!open_ || !began_) return std::nullopt;
    const double spent = now - *began_;
    return std::floor(spent) + 1 - spent;
}

}  // namespace headcount
