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

// One that the window that presents is not on; null where there is none.
GLFWmonitor* other_screen(const Window& presents) {
    int count = 0;
    GLFWmonitor** const screens = glfwGetMonitors(&count);
    if (count < 2) return nullptr;
    GLFWmonitor** const found =
        std::find_if(screens, screens + count, [own = presents.screen()](GLFWmonitor* each) { return each != own; });
    return found == screens + count ? nullptr : *found;
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

std::unique_ptr<NotesWindow::Open> NotesWindow::opened(Window& presents, GLFWmonitor* screen) {
    const OtherContexts others;
    presents.hint_beside();
    auto made = std::make_unique<Open>();
    made->window = glfwCreateWindow(notes_width, notes_height, "Speaker notes - Headcount", nullptr, nullptr);
    if (!made->window) return nullptr;  // such as where the driver allows one context
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
    glfwShowWindow(made->window);
    return made;
}

// Only where another screen comes or goes while it presents: whoever closes them meanwhile does not get them back.
Intents NotesWindow::begun_or_ended(const Show& show, bool beside) {
    if (beside == was_beside_) return {};
    was_beside_ = beside;
    const bool asks = beside ? !show.notes : by_itself_ && show.notes;
    by_itself_ = beside && asks;
    return asks ? Intents{ShowNotesWindow{beside}} : Intents{};
}

Intents NotesWindow::follow(const Session& session, Window& presents, double now) {
    if (!platform::has_screens) return {};
    const Show& show = session.view.show;
    GLFWmonitor* const screen = other_screen(presents);
    if (show.presenting && !was_presenting_) began_ = now;
    was_presenting_ = show.presenting;
    if (Intents asked = begun_or_ended(show, show.presenting && screen); !asked.empty()) return asked;
    if (!show.notes) {
        open_.reset();
        if (!show.presenting) began_.reset();
        return {};
    }
    // It would lie over what is presented.
    if (!screen) return {ShowNotesWindow{false}, Tell{{"Speaker notes need a second screen"}}};
    if (!began_) began_ = now;
    if (!open_) open_ = opened(presents, screen);
    if (!open_)
        return {ShowNotesWindow{false}, Tell{{"There is no window for the notes: the graphics driver allows one alone. "
                                              "Present without them, or update it"}}};
    if (glfwWindowShouldClose(open_->window)) {
        open_.reset();
        return {ShowNotesWindow{false}};
    }
    const auto spent = static_cast<std::int64_t>(std::floor(now - *began_));
    open_->draw(speaker_notes(session), {clock_text(), spent}, session.view.theme);
    return {};
}

std::optional<double> NotesWindow::due_in(double now) const {
    if (!open_ || !began_) return std::nullopt;
    const double spent = now - *began_;
    return std::floor(spent) + 1 - spent;
}

}  // namespace headcount
