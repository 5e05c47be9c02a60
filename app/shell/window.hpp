// The system's window with its OpenGL context, and the events that come to it. The only owner of GLFW.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/opengl.hpp"
#include "app/shell/input_queue.hpp"
#include "app/state/view.hpp"
#include "app/state/window_options.hpp"
#include "core/base/result.hpp"

struct GLFWmonitor;
struct GLFWwindow;

namespace headcount {

// What has come from the system; the callbacks fill it.
struct WindowEvents {
    InputQueue input;
    std::optional<double> since;       // what comes may have come as early as then; nothing: it comes now
    bool stirred = false;              // anything that may change the picture
    bool moved = true;                 // it has another size or place on the screen
    bool damaged = true;               // what was shown before may be there no longer
    std::vector<std::string> dropped;  // the paths of files that were dropped on the window, or picked for it
    FileTask dropped_for = FileTask::open;
    float enlarged = 1;  // ImGui's units a length of the system's, in which the pointer comes
};

// Of a window that this program opened.
WindowEvents& events_of(GLFWwindow* window);

class Window {
  public:
    // Hidden until `show`; its context is current on this thread. Where it was left, if that is still on a screen. A
    // size goes before the one that it had; without either it takes the design's, as large as the screen asks for and
    // has room for. Errors: no display, no OpenGL 3.3.
    static Result<Window> open(const std::string& title, std::optional<PictureSize> size,
                               const std::optional<WindowPlace>& left);

    void show();  // does nothing when it is shown
    bool shown() const { return shown_; }
    GLFWmonitor* screen() const;  // that most of it is on; null where the system tells of none
    // Over the whole screen, or back where it was.
    void fill_screen(bool whole);
    void hint_beside() const;  // what the next window is asked for: one that does not take the keyboard from this
    void set_title(const std::string& title);
    bool closing() const;
    bool minimised() const;
    PictureSize framebuffer() const;  // in pixels
    PictureSize extent() const;       // as ImGui counts it: in pixels, or in the system's lengths
    float enlarged() const;           // ImGui's units a length of the system's
    // Where it is; of one that is maximised or minimised, where it was before.
    WindowPlace place(const std::optional<WindowPlace>& before) const;
    float density() const;  // pixels of ImGui's a length of the interface: 2 on a screen of twice the dots

    // Takes in what is there already. Returns whether anything came that matters.
    bool look();
    // The same of what comes within so many seconds (nothing: for ever).
    bool wait(std::optional<double> seconds);
    // Nothing came, and the time of the last wait is not over: where that did not wait itself.
    bool rests() const;
    void present();  // shows what was drawn

    WindowEvents& events() { return *events_; }
    GLFWwindow* handle() const { return window_.get(); }

  private:
    struct EndLibrary {
        void operator()(const bool* begun) const;
    };
    struct CloseWindow {
        void operator()(GLFWwindow* window) const;
    };
    using Library = std::unique_ptr<const bool, EndLibrary>;

    Window(Library library, GLFWwindow* window, const std::string& title);

    // The library goes last.
    Library library_;
    std::unique_ptr<GLFWwindow, CloseWindow> window_;
    std::unique_ptr<WindowEvents> events_;  // GLFW holds its address
    std::string title_;
    bool shown_ = false;
    std::optional<WindowPlace> filled_from_;  // where it goes back to; nothing: it does not fill the screen
    double looked_ = 0;                       // when it last looked for events
    double due_ = 0;                          // when the last wait is over
};

void wake_up();  // ends a wait, from any thread

double now();  // seconds since GLFW began

}  // namespace headcount
