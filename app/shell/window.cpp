// Opens the window, and turns GLFW's errors into sentences.
#include "app/shell/window.hpp"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "app/gl/shader_cache.hpp"
#include "app/parts/explore_layout.hpp"
#include "app/shell/platform.hpp"
#include "app/shell/reachable.hpp"

namespace headcount {
WindowEvents& events_of(GLFWwindow* window) { return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window)); }

namespace {

constexpr PictureSize smallest{static_cast<int>(least_width), static_cast<int>(least_height)};
constexpr bool library_begun = true;

Error failure(std::string fix) {
    const char* description = nullptr;
    glfwGetError(&description);
    return {"cannot open a window", description ? description : "GLFW gives no reason", std::move(fix)};
}

// The part of the first screen that no task bar covers, or nothing where the system does not say.
std::optional<PictureSize> room_on_screen() {
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    int x = 0, y = 0, width = 0, height = 0;
    if (monitor) glfwGetMonitorWorkarea(monitor, &x, &y, &width, &height);
    if (width <= 0 || height <= 0) return std::nullopt;
    return PictureSize{width, height};
}

std::vector<ScreenArea> screens() {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    std::vector<ScreenArea> areas(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < areas.size(); ++i)
        glfwGetMonitorWorkarea(monitors[i], &areas[i].x, &areas[i].y, &areas[i].width, &areas[i].height);
    return areas;
}

// A display server may count a screen's pixels by its scale where it counts a window's.
bool fills(const std::array<int, 2>& size, GLFWmonitor* screen) {
    const GLFWvidmode* const mode = glfwGetVideoMode(screen);
    float across = 1, down = 1;
    glfwGetMonitorContentScale(screen, &across, &down);
    const auto scaled = [](int pixels, float scale) { return static_cast<int>(static_cast<float>(pixels) / scale); };
    return mode && (size == std::array{mode->width, mode->height} ||
                    size == std::array{scaled(mode->width, across), scaled(mode->height, down)});
}

PictureSize usual_size() {
    PictureSize size;
    const auto room = room_on_screen();
    if (!room) return size;
    float across = 1, down = 1;
    glfwGetMonitorContentScale(glfwGetPrimaryMonitor(), &across, &down);
#ifdef __APPLE__
    across = down = 1;  // lengths there are not in pixels
#endif
    const auto scaled = [](int length, float scale) { return static_cast<int>(static_cast<float>(length) * scale); };
    return {std::min(scaled(size.width, across), room->width), std::min(scaled(size.height, down), room->height)};
}

// The screen that most of the window is on; null where the system tells of none.
GLFWmonitor* screen_below(GLFWwindow* window) {
    int count = 0, x = 0, y = 0, width = 0, height = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    GLFWmonitor* best = nullptr;
    long largest = -1;
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* const mode = glfwGetVideoMode(monitors[i]);
        if (!mode) continue;
        const long across = std::max(0, std::min(x + width, left + mode->width) - std::max(x, left));
        const long down = std::max(0, std::min(y + height, top + mode->height) - std::max(y, top));
        if (across * down <= largest) continue;
        largest = across * down;
        best = monitors[i];
    }
    return best;
}

void ask_for_opengl() {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    platform::hint_window();
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "headcount");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "headcount");
}

void stir(GLFWwindow* window) { events_of(window).stirred = true; }

void damage(GLFWwindow* window) {
    stir(window);
    events_of(window).damaged = true;
}

void move(GLFWwindow* window) {
    stir(window);
    events_of(window).moved = true;
}

// Of keys and pointer, glfw_backend.cpp hears.
void listen(GLFWwindow* window) {
    glfwSetWindowIconifyCallback(window, [](GLFWwindow* w, int) { damage(w); });
    glfwSetWindowRefreshCallback(window, damage);
    glfwSetWindowCloseCallback(window, stir);
    glfwSetWindowPosCallback(window, [](GLFWwindow* w, int, int) { move(w); });
    glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int, int) { move(w); });
    glfwSetWindowMaximizeCallback(window, [](GLFWwindow* w, int) { move(w); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { damage(w); });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        stir(w);
        if (count > 0) events_of(w).dropped.assign(paths, paths + count);
    });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { damage(w); });
}

}  // namespace

void Window::EndLibrary::operator()(const bool*) const { glfwTerminate(); }
void Window::CloseWindow::operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }

Window::Window(Library library, GLFWwindow* window, const std::string& title)
    : library_(std::move(library)), window_(window), events_(std::make_unique<WindowEvents>()), title_(title) {
    glfwSetWindowUserPointer(window, events_.get());
    listen(window);
}

Result<Window> Window::open(const std::string& title, std::optional<PictureSize> size,
                            const std::optional<WindowPlace>& left) {
    spare_full_disk();
    if (!glfwInit()) return failure("set DISPLAY, or use `headcount render`, which needs no display");
    Library library(&library_begun);
    ask_for_opengl();
    WindowPlace place = left.value_or(WindowPlace{});
    if (const PictureSize usual = size.value_or(usual_size()); size || !place.size)
        place.size = {usual.width, usual.height};
    place = reachable(place, screens());
    if (const auto page = platform::page_size()) place.size = {page->width, page->height};
    const PictureSize wanted = size.value_or(PictureSize{(*place.size)[0], (*place.size)[1]});
    GLFWwindow* const handle = glfwCreateWindow(wanted.width, wanted.height, title.c_str(), nullptr, nullptr);
    if (!handle)
        return failure("install a driver with OpenGL 3.3 (Debian: libgl1-mesa-dri), or use `headcount render`");
    Window window(std::move(library), handle, title);
    glfwSetWindowSizeLimits(handle, std::min(smallest.width, wanted.width), std::min(smallest.height, wanted.height),
                            GLFW_DONT_CARE, GLFW_DONT_CARE);
    if (place.corner) glfwSetWindowPos(handle, (*place.corner)[0], (*place.corner)[1]);
    if (place.maximised && !size) glfwMaximizeWindow(handle);
    glfwMakeContextCurrent(handle);
    glfwSwapInterval(1);
    if (std::optional<Error> error = load_opengl(glfwGetProcAddress)) return *std::move(error);
    return window;
}

void Window::show() {
    if (shown_) return;
    shown_ = true;
    glfwShowWindow(handle());
}

GLFWmonitor* Window::screen() const {
    GLFWmonitor* const filled = glfwGetWindowMonitor(handle());
    return filled ? filled : screen_below(handle());
}

void Window::fill_screen(bool whole) {
    if (whole == filled_from_.has_value() || !platform::has_screens) return;
    GLFWmonitor* const below = screen();
    if (!whole) {
        const WindowPlace back = *std::exchange(filled_from_, std::nullopt);
        std::array<int, 2> corner = back.corner.value_or(std::array{0, 0}), size = *back.size, now{};
        glfwGetWindowSize(handle(), &now[0], &now[1]);
        const bool moved = below && !fills(now, below);  // by others, who want it there
        if (moved) {
            size = now;
            glfwGetWindowPos(handle(), &corner[0], &corner[1]);
        }
        glfwSetWindowMonitor(handle(), nullptr, corner[0], corner[1], size[0], size[1], GLFW_DONT_CARE);
        if (back.maximised && !moved) glfwMaximizeWindow(handle());
        return;
    }
    const GLFWvidmode* const mode = below ? glfwGetVideoMode(below) : nullptr;
    if (!mode || minimised()) return;
    WindowPlace from = place(std::nullopt);
    glfwSetWindowAttrib(handle(), GLFW_AUTO_ICONIFY, GLFW_FALSE);  // the notes on the other screen may have the keys
    filled_from_ = std::move(from);
    glfwSetWindowMonitor(handle(), below, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::hint_beside() const {
    ask_for_opengl();
    glfwWindowHint(GLFW_FOCUSED, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE);
}

void Window::set_title(const std::string& title) {
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(handle(), title.c_str());
}

bool Window::closing() const { return glfwWindowShouldClose(handle()); }

bool Window::minimised() const {
    const PictureSize size = framebuffer();
    return size.width == 0 || size.height == 0 || glfwGetWindowAttrib(handle(), GLFW_ICONIFIED);
}

PictureSize Window::framebuffer() const {
    PictureSize size;
    glfwGetFramebufferSize(handle(), &size.width, &size.height);
    return size;
}

PictureSize Window::extent() const {
    if (platform::lengths_are_pixels) return framebuffer();
    PictureSize size;
    glfwGetWindowSize(handle(), &size.width, &size.height);
    return size;
}

float Window::enlarged() const {
    int width = 0, height = 0;
    glfwGetWindowSize(handle(), &width, &height);
    return width > 0 ? static_cast<float>(extent().width) / static_cast<float>(width) : 1;
}

WindowPlace Window::place(const std::optional<WindowPlace>& before) const {
    if (filled_from_)
        return filled_from_->maximised && before ? WindowPlace{before->corner, before->size, true} : *filled_from_;
    const bool maximised = glfwGetWindowAttrib(handle(), GLFW_MAXIMIZED);
    if (minimised()) return before.value_or(WindowPlace{});
    if (maximised && before) return {before->corner, before->size, true};
    std::array<int, 2> corner{};
    glfwGetError(nullptr);
    glfwGetWindowPos(handle(), &corner[0], &corner[1]);
    const bool told = glfwGetError(nullptr) == GLFW_NO_ERROR;  // Wayland does not tell
    const PictureSize size = extent();
    return {told ? std::optional(corner) : std::nullopt, {{size.width, size.height}}, maximised};
}

float Window::density() const {
    float across = 1, down = 1;
    glfwGetWindowContentScale(handle(), &across, &down);
    const int width = extent().width;
    // Where the system counts windows in lengths and not in pixels, it enlarges by itself.
    const float by_itself = width > 0 ? static_cast<float>(framebuffer().width) / static_cast<float>(width) : 1;
    const float density = by_itself > 0 ? across / by_itself : across;
    return std::clamp(std::round(density * 4) / 4, 1.0F, 4.0F);
}

bool Window::look() {
    events_->since = looked_;
    due_ = 0;
    glfwPollEvents();
    looked_ = now();
    return std::exchange(events_->stirred, false);
}

bool Window::wait(std::optional<double> seconds) {
    events_->since.reset();
    platform::wait(seconds);
    looked_ = now();
    due_ = seconds ? looked_ + *seconds : std::numeric_limits<double>::infinity();
    return std::exchange(events_->stirred, false);
}

bool Window::rests() const { return !events_->stirred && now() < due_; }

void Window::present() { glfwSwapBuffers(handle()); }

void wake_up() { glfwPostEmptyEvent(); }

double now() { return glfwGetTime(); }

}  // namespace headcount
