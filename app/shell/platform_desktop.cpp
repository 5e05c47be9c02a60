// The desktop: GLFW's window is what it is, and files are where they are.
#ifndef __EMSCRIPTEN__
#include <GLFW/glfw3.h>

#include "app/shell/main_loop.hpp"
#include "app/shell/platform.hpp"

namespace headcount::platform {

const bool lengths_are_pixels = false;
const bool has_screens = true;

void hint_window() {}

std::optional<PictureSize> page_size() { return std::nullopt; }

void wait(std::optional<double> seconds) {
    if (!seconds)
        glfwWaitEvents();
    else if (*seconds > 0)
        glfwWaitEventsTimeout(*seconds);
}

void share_text() {}

void prefer(View&) {}

std::string address() { return ""; }

std::optional<std::filesystem::path> lessons() { return std::nullopt; }

void hand_out(const std::filesystem::path&) {}

bool pick_file(FileTask) { return false; }

std::optional<Error> run(const std::shared_ptr<MainLoop>& loop, Window&) { return loop->run(); }

}  // namespace headcount::platform
#endif
